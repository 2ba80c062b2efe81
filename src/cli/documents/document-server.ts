import { z } from 'zod';
import { type ErrorCode, errorTable, NudgeLabError } from '../../core/errors.ts';
import { requestTimeoutMs } from '../../core/limits.ts';
import { withoutEnd } from '../../core/text-end.ts';
import { defaultSandboxId } from '../../sandbox/sandboxes.ts';
import { keyHeader } from '../control-key.ts';
import { portDefault } from '../serve/serve-options.ts';
import type { DocumentsArguments } from './documents-options.ts';

const refusalSchema = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) });

/** The documents of one sandbox of a running server, over its control API. */
export interface DocumentServer {
  /** Asks for JSON. Takes the path below the documents. Throws what the server refuses with, and `server-unreachable`. */
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
  /** Sends a request whose answer the caller reads. Throws `server-unreachable`. */
  send(path: string, init: RequestInit): Promise<Response>;
}

/** Where the options say that the server is. Takes the access key of the server, too, if it has one. */
export function documentServer(
  { url, sandbox }: Pick<DocumentsArguments, 'url' | 'sandbox'>,
  controlKey?: string,
): DocumentServer {
  const server = withoutEnd(url ?? `http://localhost:${portDefault}`, '/');
  const address = `${server}/_control/v1/sandboxes/${encodeURIComponent(sandbox ?? defaultSandboxId)}/documents`;
  const key = keyHeader(controlKey);
  const send = (path: string, init: RequestInit): Promise<Response> =>
    fetchFrom(`${address}${path}`, {
      ...init,
      headers: { ...key, ...(init.headers as Record<string, string> | undefined) },
    });
  return {
    send,
    ask: async (method, path, body) => {
      const json =
        body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await send(path, { method, ...json, signal: AbortSignal.timeout(requestTimeoutMs) });
      const answer = jsonOf(await response.text());
      if (response.ok) return answer;
      throw refusalOf(answer, `${address}${path} answered ${response.status}.`);
    },
  };
}

/** The error that a server told of, as one of this program. Takes its answer, and what to say of one that is none. */
export function refusalOf(answer: unknown, otherwise: string): NudgeLabError {
  const refusal = refusalSchema.safeParse(answer);
  if (!refusal.success) return new NudgeLabError('usage-invalid', { message: otherwise });
  const { code, message } = refusal.data.error;
  return new NudgeLabError(isKnown(code) ? code : 'usage-invalid', { message });
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}

/** The JSON of a text; `null` for one that is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function fetchFrom(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    if (init.signal?.aborted === true && init.signal.reason instanceof NudgeLabError) throw init.signal.reason;
    const { message, cause: inner } = cause as { readonly message: string; readonly cause?: unknown };
    const reason = inner instanceof Error ? inner.message : message;
    throw new NudgeLabError('server-unreachable', { message: `${address}: ${reason}.`, cause });
  }
}
