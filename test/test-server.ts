import { inMemory, planSandbox, type SandboxInput } from '../src/sandbox/sandbox.ts';
import { Sandboxes } from '../src/sandbox/sandboxes.ts';
import { type RunningServer, type ServerOptions, startServer } from '../src/server/start.ts';
import { shareInFile } from './share-in-file.ts';

/** Server in this process, with its sandboxes. */
export interface TestServer extends RunningServer {
  readonly sandboxes: Sandboxes;
}

/**
 * Starts a server on a free port.
 *
 * @param inputs - content of its sandboxes by id
 * @param options - options of the server
 */
export async function startTestServer(
  inputs: Readonly<Record<string, SandboxInput>> = {},
  options: Partial<ServerOptions> = {},
): Promise<TestServer> {
  const sandboxes = await Sandboxes.open(inMemory());
  for (const [id, input] of Object.entries(inputs)) await sandboxes.create(id, planSandbox(input));
  const server = await startServer({ sandboxes, port: 0, ...options });
  return {
    ...server,
    sandboxes,
    close: async () => {
      await server.close();
      await sandboxes.close();
    },
  };
}

/** Shares a server between the tests of a file or group: starts it before them and closes it after them. */
export function setTestServer(...parts: Parameters<typeof startTestServer>): TestServer {
  return shareInFile(() => startTestServer(...parts));
}
