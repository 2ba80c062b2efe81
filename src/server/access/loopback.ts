import { NudgeLabError } from '../../core/errors.ts';

const loopbackAddress = /^(?:localhost|::1|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i;

/** Whether only this machine reaches an address. */
function isLoopback(host: string): boolean {
  return loopbackAddress.test(host);
}

/** Refuses to listen where others reach the server unless they need a key. Throws `control-key-required`. */
export function refuseOpenAddress(host: string, controlKey: string | undefined): void {
  if (controlKey !== undefined || isLoopback(host)) return;
  throw new NudgeLabError('control-key-required', {
    message: `${host} is not a loopback address, and anyone who reaches it could read and change every sandbox.`,
  });
}
