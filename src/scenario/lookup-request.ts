import type { StepOf } from '../contract/scenario.schema.ts';

/** A call of the lookup API as a step describes it, ready to be sent. */
export interface LookupCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The query of its address, without the question mark. */
  readonly query: string;
  readonly authorization: string | undefined;
  /** How often it is sent; the last answer is the one that counts. */
  readonly times: number;
}

/** The call of a step. A raw query stands in place of the parameters, for those that cannot be written as such. */
export function toLookupCall({ auth, raw, method, times, ...parameters }: StepOf<'lookup'>['say']): LookupCall {
  const apiKey = typeof auth === 'object' && 'apiKey' in auth ? { api_key: auth.apiKey } : {};
  const written = new URLSearchParams({ ...parameters, ...apiKey } as Record<string, string>).toString();
  return { method, query: raw ?? written, authorization: authorizationOf(auth), times };
}

function authorizationOf(auth: StepOf<'lookup'>['say']['auth']): string | undefined {
  if (auth === 'none' || 'apiKey' in auth) return undefined;
  if ('header' in auth) return auth.header;
  if ('token' in auth) return `Bearer ${auth.token}`;
  return `Basic ${Buffer.from(`${auth.email}:${auth.password}`).toString('base64')}`;
}
