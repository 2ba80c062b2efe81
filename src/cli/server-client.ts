import { type ControlClient, type ControlError, controlClient, type Send } from '../client/control-client.ts';
import { describeFailure } from '../core/describe-failure.ts';
import { type ErrorCode, errorTable, NudgeLabError } from '../core/errors.ts';
import { requestTimeoutMs } from '../core/limits.ts';
import { portDefault } from './common-options.ts';
import { loadConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { loadControlKey } from './control-key.ts';

/**
 * Creates a client for the control API of the server that a command uses.
 *
 * @param url - URL of the server; `null` for the default server of `serve`
 * @param controlKey - control key, if the server requires one
 * @returns a client that throws the error returned by the server, and `server-unreachable`
 * @throws `usage-invalid` for the base URL of a sandbox
 */
export function serverClient(url: string | null, controlKey?: string): ControlClient {
  if (url !== null) rejectSandboxUrl(url);
  return controlClient({
    ...{ url: url ?? `http://localhost:${portDefault}`, controlKey },
    ...{ send, open: fetchFrom, toError: asOwnError },
  });
}

/**
 * Creates the client for the options of a command that uses a running server.
 *
 * @param args - server, control key and configuration file of the command line
 * @param context - environment of the command
 * @returns a client that sends the control key of the option, the environment or the configuration
 */
export async function connect(
  args: { readonly url: string; readonly controlKey: string | null; readonly config: string | null },
  context: CommandContext,
): Promise<ControlClient> {
  return serverClient(args.url, loadControlKey(args, context, await loadConfig(args.config, context.cwd)));
}

/** Rejects the base URL of a sandbox, because the control API is at the URL of the server. */
function rejectSandboxUrl(url: string): void {
  const [, server, sandbox] = /^([a-z]+:\/\/[^/]+)\/s\/([^/]+)\/?$/.exec(url) ?? [];
  if (server === undefined || sandbox === undefined) return;
  throw new NudgeLabError('usage-invalid', {
    message: `"${url}" is the URL of a sandbox. Use the URL of its server: --url ${server} --sandbox ${sandbox}.`,
  });
}

/**
 * Converts an error of the server to an error of this program. An error code that this version does not know
 * becomes `usage-invalid`.
 */
function asOwnError({ code, message, refusal }: ControlError): NudgeLabError {
  const known = code !== null && Object.hasOwn(errorTable, code) ? code : ('usage-invalid' satisfies ErrorCode);
  return new NudgeLabError(known, { message: refusal?.message ?? message, problems: refusal?.problems ?? [] });
}

/**
 * Sends a request and returns the response unread. Throws `server-unreachable`, and the abort reason of a signal
 * that cancels it.
 *
 * @param address - absolute URL
 * @param init - method, headers, body and signal
 */
export async function fetchFrom(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    if (init.signal?.aborted === true && init.signal.reason instanceof NudgeLabError) throw init.signal.reason;
    const { message, cause: inner } = cause as { readonly message: string; readonly cause?: unknown };
    const reason = inner instanceof Error ? describeFailure(inner) : message;
    throw new NudgeLabError('server-unreachable', { message: `No response from ${address}: ${reason}.`, cause });
  }
}

const send: Send = async ({ url, signal = AbortSignal.timeout(requestTimeoutMs), ...request }) => {
  const response = await fetchFrom(url, { ...request, signal });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
};
