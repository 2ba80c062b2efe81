import { comparableId, isAllUsers, transitiveGroups } from '../../machines/membership.ts';
import type { Client } from '../contract/client.schema.ts';
import { type ClaimItem, getClaimName } from '../contract/client-claims.schema.ts';
import { withoutCredentials } from '../contract/sandbox.schema.ts';
import type { SandboxState, UserRecord } from '../journal/state.ts';
import { DirectoryView } from './directory-api/directory-view.ts';

/** Default of the maximum number of groups in a token, and the maximum in an ID token that a URL carries. */
const groupsLimitDefault = 200;
const groupsInFragmentMax = 5;

/** Name of the source of all groups in a token with too many of them. */
const groupSource = 'src1';

/** Where claims are read from, and where they go. */
export interface ClaimsContext {
  readonly sandboxId: string;
  readonly state: SandboxState;
  readonly user: UserRecord;
  /** URL of the sandbox, below which the directory API is. */
  readonly baseUrl: string;
  /** Kind of carrier, which limits the number of groups. A response of userinfo has no limit. */
  readonly carrier: 'token' | 'fragment' | 'response';
}

/**
 * Returns the values of configured claims. Claims that the user does not have are omitted.
 *
 * @see CL70
 */
export function resolveClaims(items: readonly ClaimItem[], context: ClaimsContext): Record<string, unknown> {
  const claims: Record<string, unknown> = {};
  for (const item of items) {
    const name = getClaimName(item);
    if (typeof item !== 'string' && item.from === 'groups') {
      addGroups(claims, item, context);
      continue;
    }
    const value = getValue(item, context.user);
    if (value !== undefined) claims[name] = value;
  }
  return claims;
}

function getValue(item: ClaimItem, user: UserRecord): unknown {
  if (typeof item === 'string') return readOwn(user.profile.claims ?? {}, item);
  if (item.from === undefined) return item.value;
  return readSource(item.from, user);
}

const userClaimPath = 'profile.claims.';

function readSource(source: string, { facts, profile }: UserRecord): unknown {
  // The name of a claim can contain dots.
  if (source.startsWith(userClaimPath)) return readOwn(profile.claims ?? {}, source.slice(userClaimPath.length));
  const parts = { ...facts, ...profile, roles: profile.roles ?? [], profile: withoutCredentials(profile) };
  return source.split('.').reduce<unknown>(readOwn, parts);
}

function readOwn(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

type GroupsItem = Exclude<ClaimItem, string>;

/**
 * Adds the groups of a user, including nested ones, or a reference to the directory API if they are too many.
 *
 * @see CL71
 */
function addGroups(
  claims: Record<string, unknown>,
  { name, as = 'id', only }: GroupsItem,
  { sandboxId, state, user, baseUrl, carrier }: ClaimsContext,
): void {
  const view = new DirectoryView(sandboxId, state);
  const listed = only === undefined ? null : new Set(only.map(comparableId));
  const groups = view
    .listTransitiveMemberships(user)
    .flatMap((object) =>
      object.kind === 'group' ? [{ id: object.id, wireId: view.wireIds.toWire('group', object.id) }] : [],
    )
    .filter(({ id, wireId }) => listed === null || listed.has(comparableId(id)) || listed.has(comparableId(wireId)));
  const limit = state.settings.identity?.groupsLimit ?? groupsLimitDefault;
  if (carrier === 'fragment' && groups.length > Math.min(groupsInFragmentMax, limit)) {
    claims['hasgroups'] = true;
    return;
  }
  if (carrier === 'token' && groups.length > limit) {
    const root = (view.settings.publicRoot ?? baseUrl).replace(/\/$/, '');
    const endpoint = `${root}/v1.0/users/${view.wireIds.toWire('user', user.facts.id)}/getMemberObjects`;
    claims['_claim_names'] = { ...(claims['_claim_names'] as object | undefined), [name]: groupSource };
    claims['_claim_sources'] = { [groupSource]: { endpoint } };
    return;
  }
  claims[name] = groups.map(({ id, wireId }) =>
    as === 'id' ? wireId : (view.settings.groups?.[id]?.displayName ?? id),
  );
}

/**
 * Lists the roles of a user at a client: those of the user and of the user's groups, each once.
 *
 * @see CL72
 */
export function listUserRoles(
  { userRoles = {} }: Client,
  { tenant }: SandboxState,
  user: UserRecord,
): readonly string[] {
  const { id, groups } = user.facts;
  const holders = new Set([comparableId(id), ...transitiveGroups(tenant.groups, groups)]);
  const roles = Object.entries(userRoles).flatMap(([holder, names]) =>
    isAllUsers(holder) || holders.has(comparableId(holder)) ? names : [],
  );
  return [...new Set(roles)];
}
