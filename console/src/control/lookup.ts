import { type Json, RefusedError } from './control-client.ts';

/** Time window of a quota. */
export interface QuotaWindow {
  readonly name: string;
  readonly limit: number;
  readonly used: number;
}

/** Quota usage of a caller. */
export interface LookupUsage {
  readonly tier: string;
  readonly windows: readonly QuotaWindow[];
}

/** Lookup request as a person enters it. */
export interface LookupRequestInput {
  readonly path: string;
  readonly curl: string;
}

/** Response of the lookup API, unprocessed. */
export interface LookupAnswered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Builds the URL of a lookup request and the equivalent shell command from the query parameters and the token. */
export function buildLookupRequest(
  sandbox: string,
  parameters: Readonly<Record<string, string>>,
  token: string,
): LookupRequestInput {
  const path = `/s/${sandbox}/api/v2/?${new URLSearchParams(parameters)}`;
  const header = `authorization: Bearer ${token}`;
  return { path, curl: `curl -i ${quoted(`${location.origin}${path}`)} -H ${quoted(header)}` };
}

/** Sends a lookup request. Error responses are returned too, because the view displays them. */
export async function askLookup(path: string, token: string): Promise<LookupAnswered> {
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  const headers = [...response.headers].filter(([name]) => /^(x-ratelimit|retry-after|content-type)/.test(name));
  return { status: response.status, headers, body: pretty(text) };
}

/** Returns the quota usage of a token. Throws `RefusedError` with the error of the API. */
export async function lookupUsage(sandbox: string, token: string): Promise<LookupUsage> {
  const { path } = buildLookupRequest(sandbox, { action: 'usage' }, token);
  const { status, body } = await askLookup(path, token);
  const answer = JSON.parse(body) as Json & Partial<LookupUsage> & { readonly error?: string };
  if (status === 200) return { tier: answer.tier ?? '', windows: answer.windows ?? [] };
  const message = answer.error ?? `The lookup API responded with status ${status}.`;
  throw new RefusedError({ code: String(status), title: 'Refused', message, action: '', problems: [], requestId: '' });
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
