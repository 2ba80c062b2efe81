import { afterDelay, stopwatch } from '../../../core/clock.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { SandboxControl } from '../http/sandbox-control.ts';

/** How long the last word of a closed page may take to the server, in ms, and how often that is asked. */
const arrivalTimeoutMs = 2_000;
const intervalMs = 5;

/** The answer to an unload beacon has no body; no form is answered that way. */
const beaconStatus = 204;

/**
 * Waits for the beacons of closed pages. No one in the browser hears of their answers, so the request log of the sandbox is
 * asked.
 */
export class UnloadBeacons {
  readonly #sandbox: SandboxControl;

  constructor(sandbox: SandboxControl) {
    this.#sandbox = sandbox;
  }

  /**
   * Leaves a page, and waits until the server has answered its beacon. Takes the address that it goes to, `null` for a page that
   * sends none, and what leaves the page, whose result is returned. Throws `driver-failed` when no beacon arrives: the leaving
   * was to be told (A41).
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
          message: `No unload beacon arrived within ${arrivalTimeoutMs} ms after the page was left.`,
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
