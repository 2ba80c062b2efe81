import { webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Options of a proxy that plays a host. */
interface HostProxyOptions {
  /** Name of the host, which clients address over HTTPS. */
  readonly host: string;
  /** URL of the server that answers instead. */
  readonly target: string;
  /** Folder for the certificate of the authority. */
  readonly folder: string;
  /** Access token for the server, in place of the one that the client sends. */
  readonly token: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 86_400_000;
const badGateway = 502;

/**
 * Proxy for programs whose host is fixed: it terminates their TLS connections to that host with a certificate of its own
 * and passes the requests to another server. All other hosts are refused, so no request leaves the machine.
 */
export class HostProxy {
  /** URL of the proxy, for `HTTPS_PROXY`. */
  readonly url: string;
  /** Certificate of the authority, for `NODE_EXTRA_CA_CERTS`. */
  readonly authorityPath: string;
  /** Requests to the host, by method and path. */
  readonly requests: readonly string[];
  readonly #servers: readonly (Server | TlsServer)[];

  private constructor(
    servers: readonly (Server | TlsServer)[],
    parts: Pick<HostProxy, 'url' | 'authorityPath' | 'requests'>,
  ) {
    this.#servers = servers;
    this.url = parts.url;
    this.authorityPath = parts.authorityPath;
    this.requests = parts.requests;
  }

  /** Starts the proxy on a free port. */
  static async start({ host, target, folder, token }: HostProxyOptions): Promise<HostProxy> {
    const { authority, certificate, privateKey } = await createCertificate(host);
    const authorityPath = join(folder, 'authority.pem');
    writeFileSync(authorityPath, authority);
    const requests: string[] = [];
    const forward: RequestListener = (incoming, response) => {
      requests.push(`${incoming.method} ${incoming.url}`);
      const passed = request(new URL(incoming.url ?? '/', target), toOptions(incoming, token), (answer) => {
        response.writeHead(answer.statusCode ?? badGateway, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.writeHead(badGateway).end());
      incoming.pipe(passed);
    };
    const tls = createTlsServer({ cert: certificate, key: privateKey }, forward);
    const proxy = createServer((incoming, response) => {
      // Some clients send the whole URL to a proxy instead of asking it for a connection.
      const url = URL.parse(incoming.url ?? '');
      if (url?.hostname !== host) response.writeHead(badGateway).end();
      else {
        incoming.url = `${url.pathname}${url.search}`;
        forward(incoming, response);
      }
    });
    proxy.on('connect', ({ url = '' }: IncomingMessage, socket) => {
      socket.on('error', () => socket.destroy());
      if (url !== `${host}:443`) {
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
        return;
      }
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      tls.emit('connection', socket);
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    proxy.listen(0, '127.0.0.1', resolve);
    await promise;
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    return new HostProxy([proxy, tls], { url, authorityPath, requests });
  }

  stop(): void {
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

function toOptions({ method, headers }: IncomingMessage, token: string) {
  const { host: _host, authorization, ...rest } = headers;
  return {
    method,
    headers: { ...rest, ...(authorization === undefined ? {} : { authorization: `Bearer ${token}` }) },
  };
}

/** Creates a certificate for a host, and the authority that signs it. */
async function createCertificate(host: string) {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as never);
  const { subtle } = webcrypto;
  const [authorityKeys, keys] = await Promise.all([
    subtle.generateKey(algorithm, false, ['sign', 'verify']),
    subtle.generateKey(algorithm, true, ['sign', 'verify']),
  ]);
  const validity = {
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    signingAlgorithm: algorithm,
  };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=Test authority of one host',
    keys: authorityKeys as never,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: `CN=${host}`,
    issuer: authority.subject,
    publicKey: keys.publicKey as never,
    signingKey: authorityKeys.privateKey as never,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  });
  const exported = Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const privateKey = `-----BEGIN PRIVATE KEY-----\n${exported}\n-----END PRIVATE KEY-----\n`;
  return { authority: authority.toString('pem'), certificate: certificate.toString('pem'), privateKey };
}
