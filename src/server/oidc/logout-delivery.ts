import { afterDelay, machineNowMs, toInstant } from '../../core/clock.ts';
import { isLoopbackAddress } from './clients.ts';

/** Result of sending a logout token to its client. */
export interface LogoutDelivery {
  /** Real time of the result. */
  readonly at: string;
  /** Status of the client's response. `null` if there was none. */
  readonly status: number | null;
  /** Reason for a missing response. `null` if there was one. */
  readonly error: string | null;
}

/** Time limit for the response of a client, in milliseconds of real time. */
const timeLimitMs = 5_000;

function result(status: number | null, error: string | null): LogoutDelivery {
  return { at: toInstant(machineNowMs()), status, error };
}

/** Returns the result for a token that has expired before the server could send it. */
export function notDelivered(): LogoutDelivery {
  return result(null, 'Not sent: the token expired before the server could send it.');
}

/**
 * Sends a logout token to a client on this machine, once. This is the only request that the server sends, and only if
 * it was started for it (CL82). Redirects are not followed, so the token cannot leave this machine.
 */
export async function deliverLogoutToken(uri: string, token: string): Promise<LogoutDelivery> {
  if (!isLoopbackAddress(uri)) return result(null, 'Not sent: the URL is not a loopback address of this machine.');
  const controller = new AbortController();
  const cancel = afterDelay(timeLimitMs, () => controller.abort());
  try {
    const response = await fetch(uri, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ logout_token: token }),
      signal: controller.signal,
    });
    await response.body?.cancel();
    return result(response.status, null);
  } catch {
    const isLate = controller.signal.aborted;
    return result(null, isLate ? `No response within ${timeLimitMs / 1000} seconds.` : 'The connection failed.');
  } finally {
    cancel();
  }
}
