import type { Request } from 'express';
import type { ApiVersion } from '../../sandbox/directory-api/directory-exchange.ts';
import { findBoundSandbox } from '../bound-ports.ts';

/** Parts of the address of an API version. */
interface RootParts {
  readonly version: ApiVersion;
  /** Path of the sandbox without a slash at the end, or empty for the sandbox at the root. */
  readonly prefix: string;
  readonly publicRoot: string | undefined;
}

/** Returns the URL of a version as the client reached it, or below the public URL of the sandbox (DIR10). */
export function getApiRoot(request: Request, { version, prefix, publicRoot }: RootParts): string {
  if (publicRoot !== undefined) return `${publicRoot.endsWith('/') ? publicRoot : `${publicRoot}/`}${version}/`;
  const { protocol, headers } = request;
  const shownPrefix = findBoundSandbox(request) === undefined ? prefix : '';
  return `${protocol}://${headers.host ?? 'localhost'}${shownPrefix}/${version}/`;
}
