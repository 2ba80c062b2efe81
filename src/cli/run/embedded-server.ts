import { MemoryStore } from '../../journal/stores/memory.store.ts';
import { Sandboxes } from '../../sandbox/sandboxes.ts';
import { type RunningServer, startServer } from '../../server/start.ts';

/** Starts a server in this process. Its sandboxes are deleted when it closes. The default port is any free port. */
export async function startEmbeddedServer(port = 0): Promise<RunningServer> {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  const server = await startServer({ sandboxes, port });
  return {
    ...server,
    close: async () => {
      await server.close();
      await sandboxes.close();
    },
  };
}
