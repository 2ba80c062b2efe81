import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/**
 * Proxy for programs whose hosts are fixed: it connects them to a server of this machine that has the names of the
 * hosts in its certificate. All other hosts are refused, so no request leaves the machine.
 */
export class TunnelProxy {
  /** URL of the proxy, for `HTTPS_PROXY`. */
  readonly url: string;
  /** Hosts of the connections, in their order. */
  readonly connected: readonly string[];
  readonly #server: Server;

  private constructor(server: Server, connected: readonly string[]) {
    this.#server = server;
    this.connected = connected;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Starts the proxy on a free port. `target` is the port of the server that has the names of the hosts. */
  static async start(hosts: readonly string[], target: number): Promise<TunnelProxy> {
    const connected: string[] = [];
    const server = createServer((_request, response) => response.writeHead(502).end());
    server.on('connect', ({ url = '' }: IncomingMessage, socket) => {
      socket.on('error', () => socket.destroy());
      const host = url.replace(/:443$/, '');
      if (!hosts.includes(host)) {
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
        return;
      }
      connected.push(host);
      const upstream = connect(target, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        upstream.pipe(socket);
        socket.pipe(upstream);
      });
      upstream.on('error', () => socket.destroy());
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    return new TunnelProxy(server, connected);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
