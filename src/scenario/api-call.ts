import { directoryPermissions, roleForEverything } from '../contract/directory-api/access.ts';
import { policyPermissions } from '../contract/policy-caller.ts';
import type { StepOf, TokenDescription } from '../contract/scenario.schema.ts';
import { lowerCased } from './header-names.ts';

/** Request to the policy API or the directory API, as described by a step. */
export interface ApiCall {
  readonly method: StepOf<'callApi'>['say']['method'];
  readonly version: 'v1.0' | 'beta';
  /** Path below the version, which starts with a slash. */
  readonly path: string;
  /** Query without the question mark. */
  readonly query: string;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly token: TokenDescription;
}

/** Token of an administrator who may send every request to both APIs. */
const everything: TokenDescription = {
  permissions: [...new Set([...Object.values(policyPermissions), ...directoryPermissions])],
  roles: [roleForEverything],
};

/** Converts a step to a request. Spaces and other characters that a URL cannot contain are encoded. */
export function toApiCall({ method, path: written, as, headers, body }: StepOf<'callApi'>['say']): ApiCall {
  const encoded = encodeURI(written.toWellFormed()).replaceAll('%25', '%');
  const queryAt = encoded.indexOf('?');
  const path = queryAt === -1 ? encoded : encoded.slice(0, queryAt);
  const version = path.startsWith('/beta/') ? 'beta' : 'v1.0';
  const media = body === undefined ? {} : { 'content-type': 'application/json' };
  return {
    method,
    version,
    path: path.slice(`/${version}`.length),
    query: queryAt === -1 ? '' : encoded.slice(queryAt + 1),
    headers: { ...media, ...lowerCased(headers) },
    body: body === undefined ? null : JSON.stringify(body),
    token: as === 'administrator' ? everything : as,
  };
}
