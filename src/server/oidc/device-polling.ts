import type { DeviceCode } from 'oidc-provider';
import Provider, { errors } from 'oidc-provider';
import { stopwatch } from '../../core/clock.ts';
import { oidcRecordsMax } from '../../core/limits.ts';
import { LruMap } from '../../core/lru-map.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { pollSeconds } from './device-grant.ts';

/** Interval of a device, and the time of its last request. */
interface Pace {
  readonly lastMs: number;
  readonly intervalMs: number;
}

/** Times in real milliseconds at which devices ask for their tokens (RFC 8628, section 3.5). */
export class PollingPaces {
  readonly #paces = new LruMap<string, Pace>({ max: oidcRecordsMax });

  /** Notes a request of a device. Returns `true` if it came too early, which adds five seconds to the interval. */
  isTooEarly(deviceCode: string, nowMs: number): boolean {
    const { lastMs, intervalMs } = this.#paces.get(deviceCode) ?? {
      lastMs: Number.NEGATIVE_INFINITY,
      intervalMs: pollSeconds * 1000,
    };
    const isEarly = nowMs - lastMs < intervalMs;
    this.#paces.set(deviceCode, { lastMs: nowMs, intervalMs: intervalMs + (isEarly ? pollSeconds * 1000 : 0) });
    return isEarly;
  }
}

/** Stored requests of devices. */
interface DeviceCodes {
  find(value: string, ...options: readonly unknown[]): Promise<DeviceCode | undefined>;
}

const pacesBySandbox = new WeakMap<Sandbox, PollingPaces>();

/**
 * Rejects requests of a device that come too early with `slow_down`, if the sandbox has the setting `deviceSlowDown`.
 * The time is that of the machine, because the virtual clock may stand still.
 *
 * @see CL35
 */
export function slowDevicesDown(provider: Provider, sandbox: Sandbox): void {
  const devices = provider.DeviceCode as unknown as DeviceCodes;
  const { find } = devices;
  const elapsedMs = stopwatch();
  const paces = pacesBySandbox.get(sandbox) ?? new PollingPaces();
  pacesBySandbox.set(sandbox, paces);
  devices.find = async (value, ...options) => {
    const code = await find.call(devices, value, ...options);
    const { route, client } = Provider.ctx?.oidc ?? {};
    const isOn = sandbox.recorder.state().settings.identity?.deviceSlowDown === true;
    if (!isOn || route !== 'token' || code === undefined || code.clientId !== client?.clientId) return code;
    const isPending = !code.isExpired && code.consumed === undefined && code.error === undefined;
    if (isPending && code.accountId === undefined && paces.isTooEarly(value, elapsedMs())) throw new errors.SlowDown();
    return code;
  };
}
