import type { ControlClient } from '../client/control-client.ts';
import { MemoryStore } from '../journal/stores/memory.store.ts';
import { Sandboxes } from '../sandbox/sandboxes.ts';
import { driverClient, serverAt } from '../scenario/drivers/http/control-client.ts';
import { HttpClient } from '../scenario/drivers/http/http-client.ts';
import { SandboxControl } from '../scenario/drivers/http/sandbox-control.ts';
import { FixtureLibrary } from '../scenario/fixture-library.ts';
import { shippedFixturesFolder } from '../scenario/shipped.ts';
import { startServer } from '../server/start.ts';
import { BrowserSandbox } from './browser-sandbox.ts';
import { environment } from './environment.ts';
import type { SandboxSetup } from './given.ts';
import { planTestSandbox } from './given.ts';

/** Server shared by the tests of one worker. Each test has its own sandbox on the server. */
export class WorkerServer {
  readonly #client = new HttpClient();
  readonly #control: ControlClient;
  readonly #stop: () => Promise<void>;

  private constructor(controlUrl: string, stop: () => Promise<void>, controlKey?: string) {
    this.#control = driverClient(this.#client, controlUrl, controlKey);
    this.#stop = stop;
  }

  /** Starts a server in this process on a free port. */
  static async start(): Promise<WorkerServer> {
    const sandboxes = await Sandboxes.open(new MemoryStore());
    const server = await startServer({
      sandboxes,
      port: 0,
      fixtures: async () => new FixtureLibrary([shippedFixturesFolder]),
    });
    return new WorkerServer(server.controlUrl, async () => {
      await server.close();
      await sandboxes.close();
    });
  }

  /**
   * Connects to an existing server. Throws `server-unreachable`.
   *
   * @param url - URL of the server
   * @param controlKey - control key of the server, by default the environment variable `NUDGELAB_CONTROL_KEY`
   */
  static async at(url: string, controlKey = environment['NUDGELAB_CONTROL_KEY']): Promise<WorkerServer> {
    return new WorkerServer(await serverAt(url), async () => undefined, controlKey);
  }

  /** Creates a sandbox for one test with an initial state. Throws `scenario-invalid`. */
  async bench(given: SandboxSetup): Promise<BrowserSandbox> {
    const planned = planTestSandbox(given);
    return new BrowserSandbox(await SandboxControl.create(this.#client, this.#control, planned.plan), planned);
  }

  /** Closes the server if it was started here, and the connections. */
  async close(): Promise<void> {
    await this.#client.close();
    await this.#stop();
  }
}
