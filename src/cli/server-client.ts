import { type ControlClient, type ControlError, controlClient, type Send } from '../client/control-client.ts';
import { type ErrorCode, errorTable, NudgeLabError } from '../core/errors.ts';
import { requestTimeoutMs } from '../core/limits.ts';
import { portDefault } from './common-options.ts';

/**
 * The control API of the server that the options of a command name.
 *
 * @param url - the address of the server; `null` for the one that `serve` starts without options
 * @param controlKey - the control key, if the server has one
 * @returns a client that throws the error that the server returned, and `server-unreachable`
 */
export function serverClient(url: string | null, controlKey?: string): ControlClient {
  return controlClient({ url: url ?? `http://localhost:${portDefault}`, controlKey, send, errorOf: asOwnError });
}

/** The error that a server returned, as one of this program; `usage-invalid` for a code that this version does not know. */
export function asOwnError({ code, message, refusal }: ControlError): NudgeLabError {
  const known = code !== null && Object.hasOwn(errorTable, code) ? code : ('usage-invalid' satisfies ErrorCode);
  return new NudgeLabError(known, { message: refusal?.message ?? message, problems: refusal?.problems ?? [] });
}

/** Sends a request whose response the caller reads. Throws `server-unreachable`, and the reason of a signal that cancels it. */
export async function fetchFrom(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    if (init.signal?.aborted === true && init.signal.reason instanceof NudgeLabError) throw init.signal.reason;
    const { message, cause: inner } = cause as { readonly message: string; readonly cause?: unknown };
    const reason = inner instanceof Error ? inner.message : message;
    throw new NudgeLabError('server-unreachable', { message: `${address}: ${reason}.`, cause });
  }
}

const send: Send = async ({ url, signal = AbortSignal.timeout(requestTimeoutMs), ...request }) => {
  const response = await fetchFrom(url, { ...request, signal });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
};
