import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterDelay } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';

/**
 * Lets a server listen on a port.
 *
 * @returns a promise of the port, which the machine chooses for port 0
 * @throws NudgeLabError `address-in-use` if the port is taken, `usage-invalid` if this machine cannot listen there
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', (error) => reject(listenError(error, port, host)));
  server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  return promise;
}

function listenError(cause: NodeJS.ErrnoException, port: number, host: string): NudgeLabError {
  if (cause.code === 'EADDRINUSE') {
    return new NudgeLabError('address-in-use', { message: `${host}:${port} is already in use.`, cause });
  }
  return new NudgeLabError('usage-invalid', { message: `Cannot listen on ${host}:${port}: ${cause.code}.`, cause });
}

/**
 * Stops listening and resolves when the last connection is closed.
 *
 * @param graceMs real time after which open connections are closed
 */
export function close(server: Server, graceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = afterDelay(graceMs, () => server.closeAllConnections());
  server.close(() => {
    cancel();
    resolve();
  });
  server.closeIdleConnections();
  return promise;
}
