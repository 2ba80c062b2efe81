import { errors } from 'oidc-provider';
import type { Client } from '../../contract/client.schema.ts';
import { openidScopes } from '../../contract/openid-scopes.ts';
import { findPermission, type TokenResource } from '../../sandbox/token-resources.ts';
import { everything, listGiven, spell } from './scope-names.ts';

/** Reason why scopes cannot be granted. */
export type ScopeFault =
  | 'scope-unknown'
  | 'scope-missing'
  | 'several-resources'
  | 'resource-missing'
  | 'default-scope-missing';

/** Error `invalid_scope` with its reason, by which the tenant form finds the number of the error. */
export class ScopeRefused extends errors.InvalidScope {
  readonly fault: ScopeFault;

  constructor(fault: ScopeFault, description: string, scope: string) {
    super(description, scope);
    this.fault = fault;
  }
}

/** Requested scopes in the form in which they are granted and listed in responses (CL32). */
export interface RequestedScopes {
  readonly words: readonly string[];
  /** Resources of the words, in the order of the request. */
  readonly resources: readonly TokenResource[];
  /** URI of the built-in resource that the first such word begins with. `null` if none does. */
  readonly builtInUri: string | null;
  /** First word that names nothing. `null` if there is none. */
  readonly refused: ScopeRefused | null;
}

/**
 * Reads the scopes of a request for a user. Permissions of the built-in resource are listed by name, and those of others
 * with a URI. `.default` is listed as the permissions that it stands for.
 *
 * @param resources - resources of the sandbox, the built-in one first
 * @param client - fixture of the client. `null` for a registered client, which was given nothing
 * @param sent - words of the request
 * @param form - form of the addresses. Clients of the tenant form can write names in any case, and its requests are
 *   rejected for a name without a URI that the built-in resource does not have, which those of the plain form ignore
 * @see CL18, CL30
 */
export function readScopes(
  resources: readonly TokenResource[],
  client: Client | null,
  sent: readonly string[],
  form: 'plain' | 'tenant',
): RequestedScopes {
  const words = new Set<string>();
  const found = new Set<TokenResource>();
  let refused: ScopeRefused | null = null;
  let builtInUri: string | null = null;
  const spellName = form === 'tenant' ? findInAnyCase : findExactly;
  for (const word of sent) {
    const read = readScope(resources, client, { word, spellName });
    if (read instanceof ScopeRefused) {
      refused ??= read;
      continue;
    }
    const isUnknown = read.resource === null && read.words.some((name) => !openidScopes.includes(name));
    if (isUnknown && form === 'tenant') {
      refused ??= unknownName(resources, word);
      continue;
    }
    if (read.resource !== null) found.add(read.resource);
    if (read.resource?.clientId === null && word.includes('/'))
      builtInUri ??= findPermission(resources, word)?.uri ?? null;
    for (const one of read.words) words.add(one);
  }
  return { words: [...words], resources: [...found], builtInUri, refused };
}

interface ReadScope {
  readonly words: readonly string[];
  readonly resource: TokenResource | null;
}

/** Finds a name in a list, and returns it in the spelling of the list. */
type FindName = (names: readonly string[], written: string) => string | undefined;

const findExactly: FindName = (names, written) => names.find((name) => name === written);

const findInAnyCase: FindName = (names, written) => {
  const lower = written.toLowerCase();
  return findExactly(names, written) ?? names.find((name) => name.toLowerCase() === lower);
};

function readScope(
  resources: readonly TokenResource[],
  client: Client | null,
  { word, spellName }: { readonly word: string; readonly spellName: FindName },
): ReadScope | ScopeRefused {
  const openidScope = spellName(openidScopes, word);
  if (openidScope !== undefined) return { words: [openidScope], resource: null };
  const [builtIn] = resources;
  if (builtIn === undefined) return { words: [word], resource: null };
  if (!word.includes('/') && word !== everything) {
    const known = spellName(builtIn.scopes, word);
    return known === undefined ? { words: [word], resource: null } : { words: [known], resource: builtIn };
  }
  const written = word === everything ? { resource: builtIn, uri: builtIn.id, name: everything } : null;
  const match = written ?? findPermission(resources, word);
  if (match === null) return unknownResource(resources, word);
  const { resource, uri, name } = match;
  if (name === everything) return readEverything(resources, client, { resource, uri, word });
  const ownOpenidScope = resource.clientId === null ? spellName(openidScopes, name) : undefined;
  if (ownOpenidScope !== undefined) return { words: [ownOpenidScope], resource: null };
  const known = spellName(resource.scopes, name);
  if (known !== undefined) return { words: [spell(resource, uri, known)], resource };
  return new ScopeRefused('scope-unknown', `the resource ${uri} has no scope "${name}"`, word);
}

function readEverything(
  resources: readonly TokenResource[],
  client: Client | null,
  { resource, uri, word }: { readonly resource: TokenResource; readonly uri: string; readonly word: string },
): ReadScope | ScopeRefused {
  const names = client === null ? [] : listGiven(resources, client, resource);
  if (names.length > 0) return { words: names.map((name) => spell(resource, uri, name)), resource };
  return new ScopeRefused('scope-unknown', `the client was given no permissions for ${uri}`, word);
}

/** Creates the error for a scope that begins with no URI of a resource. */
export function unknownResource(resources: readonly TokenResource[], word: string): ScopeRefused {
  const uris = resources.flatMap((resource) => resource.uris);
  return new ScopeRefused(
    'scope-unknown',
    `"${word}" belongs to no resource of this sandbox; its resources are ${uris.join(', ')}`,
    word,
  );
}

/** Creates the error for a name that neither OpenID Connect nor the built-in resource has. */
function unknownName([builtIn]: readonly TokenResource[], word: string): ScopeRefused {
  const [uri = ''] = builtIn?.uris ?? [];
  return new ScopeRefused('scope-unknown', `the resource ${uri} has no scope "${word}"`, word);
}

/** Creates the error for a request without any scope that the client could be granted. */
export function missingScope(): ScopeRefused {
  return new ScopeRefused('scope-missing', "missing required parameter 'scope', or none of its names is a scope", '');
}

/** Creates the error for scopes of several resources. */
export function severalResources(resources: readonly TokenResource[], sent: string): ScopeRefused {
  const [first, second] = resources.map(({ uris: [uri = ''] }) => uri);
  return new ScopeRefused(
    'several-resources',
    `one request is for one resource, but the scopes are of ${first} and ${second}`,
    sent,
  );
}

/**
 * Returns the resource of granted scopes: that of the first permission. OpenID Connect scopes alone belong to the
 * built-in resource.
 */
export function findResource(resources: readonly TokenResource[], granted: readonly string[]): TokenResource {
  const permission = granted.find((word) => !openidScopes.includes(word));
  const match = permission === undefined ? null : findPermission(resources, permission);
  const resource = match?.resource ?? resources[0];
  if (resource === undefined) throw new TypeError('A sandbox always has the built-in resource.');
  return resource;
}

/** Returns granted scopes without those of any other resource than the first one. */
export function keepFirstResource(resources: readonly TokenResource[], granted: readonly string[]): readonly string[] {
  const first = findResource(resources, granted);
  return granted.filter((word) => openidScopes.includes(word) || findResource(resources, [word]) === first);
}

/** Returns the name of a granted scope without the URI of its resource. */
export function getScopeName(resources: readonly TokenResource[], granted: string): string {
  return findPermission(resources, granted)?.name ?? granted;
}
