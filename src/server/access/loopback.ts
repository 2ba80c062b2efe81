import { NudgeLabError } from '../../core/errors.ts';

const loopbackAddress = /^(?:localhost|::1|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i;

/** Returns `true` if a host is reachable only from the local machine. */
function isLoopback(host: string): boolean {
  return loopbackAddress.test(host);
}

/**
 * Rejects a host that other machines can reach unless a control key is set.
 *
 * @throws NudgeLabError `control-key-required` if the host is public and no key is set
 */
export function refuseOpenAddress(host: string, controlKey: string | undefined): void {
  if (controlKey !== undefined || isLoopback(host)) return;
  throw new NudgeLabError('control-key-required', {
    message: `${host} is not a loopback address: anyone who can reach it could read and change every sandbox.`,
  });
}
