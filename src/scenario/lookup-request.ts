import type { StepOf } from '../contract/scenario.schema.ts';

/** Call of the lookup API as described by a step, ready to send. */
export interface LookupCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Query of the URL, without the question mark. */
  readonly query: string;
  readonly authorization: string | undefined;
  /** Number of times the call is sent. The last response is the observation of the step. */
  readonly times: number;
}

/** Converts a step to a call. A raw query replaces the parameters, for queries that parameters cannot express. */
export function toLookupCall({ auth, raw, method, times, ...parameters }: StepOf<'lookup'>['say']): LookupCall {
  const apiKey = typeof auth === 'object' && 'apiKey' in auth ? { api_key: auth.apiKey } : {};
  const written = new URLSearchParams({ ...parameters, ...apiKey } as Record<string, string>).toString();
  return { method, query: raw ?? written, authorization: findAuthorization(auth), times };
}

function findAuthorization(auth: StepOf<'lookup'>['say']['auth']): string | undefined {
  if (auth === 'none' || 'apiKey' in auth) return undefined;
  if ('header' in auth) return auth.header;
  if ('token' in auth) return `Bearer ${auth.token}`;
  return `Basic ${Buffer.from(`${auth.email}:${auth.password}`).toString('base64')}`;
}
