import type { Client } from '../../contract/client.schema.ts';
import { openidScopes } from '../../contract/openid-scopes.ts';
import { findPermission, type TokenResource } from '../../sandbox/token-resources.ts';
import { ScopeRefused, severalResources, unknownResource } from './requested-scopes.ts';
import { everything, listNames, spell } from './scope-names.ts';

/** Permissions of an application's own token. */
export interface GrantedRoles {
  readonly resource: TokenResource;
  /** URI of the resource as in the request. */
  readonly uri: string;
  readonly names: readonly string[];
  /** Permissions as the response lists them. */
  readonly words: readonly string[];
}

/**
 * Reads the scopes of a request for an application's own token: all of its permissions for a resource, or the requested
 * ones, so token and response list the same. Throws `invalid_scope` if the application does not have a requested
 * permission.
 *
 * @param resources - resources of the sandbox, the built-in one first
 * @param client - fixture of the client. `null` for a registered client, which has no permissions (decision 067)
 * @param sent - words of the request
 * @see CL33
 */
export function readRoles(
  resources: readonly TokenResource[],
  client: Client | null,
  sent: readonly string[],
): GrantedRoles {
  const { appRoles = [] } = client ?? {};
  const read = [...new Set(sent)].map((word) => readRole(resources, word));
  const found = [...new Set(read.map(({ resource }) => resource))];
  if (found.length > 1) throw severalResources(found, sent.join(' '));
  const resource = found[0] ?? chooseResource(resources, appRoles);
  const uri = read[0]?.uri ?? resource.uris[0] ?? resource.id;
  const held = listNames(resources, appRoles, resource);
  const requested = read.filter(({ name }) => name !== everything);
  const missing = requested.find(({ name }) => !held.includes(name));
  if (missing !== undefined) {
    throw new ScopeRefused(
      'scope-unknown',
      `the client does not have this application permission for ${uri}; its permissions are ${held.join(', ') || 'none'}`,
      missing.word,
    );
  }
  const names = requested.length === 0 ? held : [...new Set(requested.map(({ name }) => name))];
  return { resource, uri, names, words: names.map((name) => spell(resource, uri, name)) };
}

/**
 * Reads the scopes of a request for an application's own token in the tenant form: exactly one `{uri}/.default`. OpenID
 * Connect scopes beside it are ignored, because client libraries send them. Throws `invalid_scope` for any other
 * request.
 *
 * @see CL33
 */
export function readDefaultRoles(
  resources: readonly TokenResource[],
  client: Client | null,
  sent: readonly string[],
): GrantedRoles {
  const words = sent.filter((word) => !openidScopes.includes(word));
  const [first = '', ...others] = words;
  if (others.length === 0 && first === everything) {
    const description = `"${everything}" names no resource; an application requests {uri}/${everything}`;
    throw new ScopeRefused('resource-missing', description, first);
  }
  const areDefaults = words.length > 0 && words.every((word) => word.endsWith(`/${everything}`));
  // Of two resources, the error is that of any other request for two (CL18).
  if (others.length > 0 && areDefaults) readRoles(resources, client, words);
  if (others.length > 0 || !areDefaults) {
    const description = `an application requests exactly one {uri}/${everything}, not "${words.join(' ')}"`;
    throw new ScopeRefused('default-scope-missing', description, words.join(' '));
  }
  return readRoles(resources, client, words);
}

interface ReadRole {
  readonly resource: TokenResource;
  readonly uri: string;
  readonly name: string;
  readonly word: string;
}

function readRole(resources: readonly TokenResource[], word: string): ReadRole {
  const [builtIn] = resources;
  if (builtIn === undefined) throw unknownResource(resources, word);
  if (!word.includes('/')) return { resource: builtIn, uri: builtIn.id, name: word, word };
  const match = findPermission(resources, word);
  if (match === null) throw unknownResource(resources, word);
  return { ...match, word };
}

/** Returns the resource of a request that names none: the built-in one, or that of the first permission. */
function chooseResource(resources: readonly TokenResource[], appRoles: readonly string[]): TokenResource {
  const [builtIn] = resources;
  if (builtIn === undefined) throw new TypeError('A sandbox always has the built-in resource.');
  const isForBuiltIn = appRoles.length === 0 || listNames(resources, appRoles, builtIn).length > 0;
  return isForBuiltIn ? builtIn : (findPermission(resources, appRoles[0] ?? '')?.resource ?? builtIn);
}
