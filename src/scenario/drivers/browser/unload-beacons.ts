import { afterDelay, stopwatch } from '../../../core/clock.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { SandboxControl } from '../http/sandbox-control.ts';

/** Timeout for the beacon of a closed page, and interval between checks, both in milliseconds. */
const arrivalTimeoutMs = 2_000;
const intervalMs = 5;

/** Status of the response to an unload beacon, which has no body. No form has this status. */
const beaconStatus = 204;

/**
 * Waits for the beacons of closed pages. The browser does not report their responses, so the request log of the
 * sandbox is read.
 */
export class UnloadBeacons {
  readonly #sandbox: SandboxControl;

  constructor(sandbox: SandboxControl) {
    this.#sandbox = sandbox;
  }

  /**
   * Leaves a page, waits until the server has received its beacon, and returns the result of `leave`. Throws
   * `driver-failed` if no beacon arrives, because the close had to be reported (A41).
   *
   * @param address - URL of the beacon, or `null` if the page sends none
   * @param leave - function that leaves the page
   */
  async awaitMark<T>(address: string | null, leave: () => Promise<T>): Promise<T> {
    if (address === null) return leave();
    const { pathname } = new URL(address);
    const before = await this.#answered(pathname);
    const left = await leave();
    const elapsedMs = stopwatch();
    while ((await this.#answered(pathname)) === before) {
      if (elapsedMs() > arrivalTimeoutMs) {
        throw new NudgeLabError('driver-failed', {
          message: `No unload beacon arrived within ${arrivalTimeoutMs} ms after the page was closed.`,
        });
      }
      await new Promise<void>((resolve) => afterDelay(intervalMs, resolve));
    }
    return left;
  }

  async #answered(path: string): Promise<number> {
    const { api, sandbox } = this.#sandbox;
    const { requests } = await api.listRequests({ sandbox, query: { path } });
    return requests.filter((row) => row.path === path && row.status === beaconStatus).length;
  }
}
