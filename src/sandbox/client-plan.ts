import { type Client, clientSchema } from '../contract/client.schema.ts';
import { parseOr } from '../contract/parse.ts';
import { type ClientResource, toComparableUri } from '../contract/resource.schema.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { suggestName } from '../core/nearest-name.ts';
import { findPermission, listClientResources, type TokenResource } from './token-resources.ts';

/** Names that a permission of another resource can have, by the key of the client that lists it. */
const namesByKey = { permissions: 'scopes', appRoles: 'appRoles' } as const;

/**
 * Validates the clients of a new sandbox, each by itself and in relation to the others. Throws `bad-request` with every
 * problem.
 *
 * @param builtInUris - URIs of the built-in resource, which no client can have
 */
export function planClients(given: readonly unknown[], builtInUris: readonly string[]): readonly Client[] {
  const clients = given.map((client, index) => parseOr('bad-request', clientSchema, client, `clients.${index}`));
  const resources = listClientResources(clients);
  const problems = clients.flatMap((client, index) => {
    const earlier = clients.slice(0, index);
    return [
      ...listRepeatedIds(client, earlier),
      ...listRepeatedUris(client, earlier),
      ...listReservedUris(client, builtInUris),
      ...listUnknownPermissions(client, resources),
    ].map(({ location, message }) => ({ location: `clients.${index}.${location}`, message }));
  });
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
  return clients;
}

function listRepeatedIds({ id }: Client, earlier: readonly Client[]): readonly ValidationProblem[] {
  const isUsed = earlier.some((client) => client.id === id);
  return isUsed ? [{ location: 'id', message: 'is already used by another client' }] : [];
}

/** Lists the id and URIs of a resource that another resource has, so a scope and an audience name only one. */
function listRepeatedUris({ resource }: Client, earlier: readonly Client[]): readonly ValidationProblem[] {
  if (resource === undefined) return [];
  const others = earlier.flatMap((client) => (client.resource === undefined ? [] : [client.resource]));
  const used = new Set(others.flatMap(({ id, uris }) => [id, ...uris].map(toComparableUri)));
  return listNames(resource)
    .filter(([, name]) => used.has(toComparableUri(name)))
    .map(([key, name]) => ({ location: `resource.${key}`, message: `"${name}" is already used by another resource` }));
}

/** Lists the id and URIs of a resource that the built-in resource has, so scopes and audiences name only one (CL30). */
function listReservedUris({ resource }: Client, builtInUris: readonly string[]): readonly ValidationProblem[] {
  if (resource === undefined) return [];
  const used = new Set(builtInUris.map(toComparableUri));
  return listNames(resource)
    .filter(([, name]) => used.has(toComparableUri(name)))
    .map(([key, name]) => ({
      location: `resource.${key}`,
      message: `"${name}" names the APIs of the sandbox; use another URI for the API of the client`,
    }));
}

/** Lists the id and URIs of a resource with their keys. */
function listNames({ id, uris }: ClientResource): readonly (readonly [key: string, name: string])[] {
  return [['id', id], ...uris.map((uri, at) => [`uris.${at}`, uri] as const)];
}

function listUnknownPermissions(client: Client, resources: readonly TokenResource[]): readonly ValidationProblem[] {
  return (['permissions', 'appRoles'] as const).flatMap((key) =>
    client[key].flatMap((permission, at) => {
      if (!permission.includes('/')) return [];
      const message = describeUnknown(permission, resources, namesByKey[key]);
      return message === null ? [] : [{ location: `${key}.${at}`, message }];
    }),
  );
}

function describeUnknown(
  permission: string,
  resources: readonly TokenResource[],
  key: 'scopes' | 'appRoles',
): string | null {
  const match = findPermission(resources, permission);
  if (match === null) {
    const uris = resources.flatMap((resource) => resource.uris);
    return `"${permission}" begins with no URI of a client's resource; allowed: ${uris.join(', ') || 'none'}`;
  }
  const names = match.resource[key];
  if (names.includes(match.name)) return null;
  return `"${match.name}" is not in ${key} of ${match.uri}; allowed: ${names.join(', ') || 'none'}${suggestName(match.name, names)}`;
}
