import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Reverse proxy that changes the pages it forwards, to show how drivers handle broken pages. */
export interface BendingProxy {
  /** `localhost:PORT`, as clients send it in the `Host` header. */
  readonly host: string;
  /** Sets the port of the server behind the proxy. */
  forwardTo(port: number): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port. The callback changes the HTML of each page; other responses are forwarded
 * unchanged.
 */
export async function startBendingProxy(bend: (html: string) => string): Promise<BendingProxy> {
  let target = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request({ port: target, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const body = Buffer.concat(chunks);
        const isPage = answer.headers['content-type']?.startsWith('text/html') === true;
        const bent = isPage ? Buffer.from(bend(body.toString('utf8'))) : body;
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 500, { ...kept, 'content-length': bent.length });
        outgoing.end(bent);
      });
    });
    incoming.pipe(forwarded);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    host: `localhost:${port}`,
    forwardTo: (behind) => {
      target = behind;
    },
    close: () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      return closed.promise;
    },
  };
}
