import { targetsUser, transitiveGroups } from '../../machines/membership.ts';
import { type OperatingSystem, operatingSystems, type UserFacts } from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import type { AttemptInput, RegistrationPolicy, Scope, SignInContext } from '../contract/context.schema.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { mergePatch } from '../core/merge-patch.ts';
import type { SandboxState, UserRecord } from '../journal/state.ts';

/** What of a state the context is derived from. */
interface ContextState extends Pick<SandboxState, 'tenant'> {
  readonly settings: Pick<SandboxState['settings'], 'context'>;
  readonly users: ReadonlyMap<string, Pick<UserRecord, 'facts'>>;
  readonly acceptedTerms: ReadonlySet<string>;
}

/** Where someone signs in from; `null` is a network without a name. */
interface Place {
  readonly os: OperatingSystem;
  readonly network: string | null;
}

/**
 * The facts of an attempt, with those that it leaves open filled from the settings of the tenant: policies for registering
 * security information (A49), terms of use, custom controls, and who gives the second factor elsewhere (R3, A21). What the
 * attempt says itself always wins. Takes the state, the user and what is said of the attempt; returns facts alone, in which
 * the network has become what the policies make of it. Throws `bad-request` for a network that the tenant does not name.
 */
export function contextFor(state: ContextState, userId: string, given: AttemptInput): AttemptPatch {
  const { network, ...patch } = given;
  const { context } = state.settings;
  if (network !== undefined) refuseUnknownNetwork(context, network);
  const user = state.users.get(userId);
  if (context === undefined || user === undefined) return patch;
  const memberOf = transitiveGroups(state.tenant.groups, user.facts.groups);
  const meant = (scope: Scope) => isMeant(scope, userId, memberOf);
  return mergePatch(
    {
      ...mfaOf(context, user.facts, meant),
      ...accessOf(context, meant, { patch, network: network ?? null, user: user.facts }),
      ...(context.customControls !== null && meant(context.customControls) ? { customControls: true } : {}),
      ...(showsTerms(context, meant, state.acceptedTerms.has(userId)) ? { termsOfUse: true } : {}),
    },
    patch,
    'keep',
  ) as AttemptPatch;
}

/** Refuses a network that the tenant does not name. Throws `bad-request` with the names there are. */
export function refuseUnknownNetwork(context: SignInContext | undefined, network: string): void {
  const known = context?.namedLocations ?? [];
  if (known.includes(network)) return;
  const there = known.length === 0 ? 'the tenant names none' : `there are ${known.join(', ')}`;
  throw new NudgeLabError('bad-request', {
    problems: [{ location: 'network', message: `"${network}" is no named location; ${there}` }],
  });
}

type IsMeant = (scope: Scope) => boolean;

function isMeant(
  { includeTargets, excludeTargets }: Scope,
  userId: UserFacts['id'],
  memberOf: ReadonlySet<string>,
): boolean {
  if (excludeTargets.some((target) => targetsUser(target, userId, memberOf))) return false;
  return includeTargets.some((target) => targetsUser(target, userId, memberOf));
}

/** R3, A21: a guest's home tenant comes before another provider of this tenant. */
function mfaOf({ guestMfa, externalMfa }: SignInContext, { type }: UserFacts, meant: IsMeant): AttemptPatch {
  if (type === 'guest' && guestMfa === 'home-tenant') return { mfa: { provider: 'home-tenant' } };
  return externalMfa !== null && meant(externalMfa) ? { mfa: { provider: 'external' } } : {};
}

/** Terms that are not shown every time are shown until the user has accepted any. */
function showsTerms({ termsOfUse }: SignInContext, meant: IsMeant, accepted: boolean): boolean {
  return termsOfUse.some((terms) => (terms.everyTime || !accepted) && meant(terms));
}

interface Asked {
  readonly patch: AttemptPatch;
  readonly network: string | null;
  readonly user: UserFacts;
}

/** A49: blocked wherever the user is (R13.3), or under a condition that could be met elsewhere and is not met now (R4). */
function accessOf(context: SignInContext, meant: IsMeant, { patch, network, user }: Asked): AttemptPatch {
  const policies = context.conditionalAccess.filter((policy) => policy.enabled && meant(policy));
  if (policies.length === 0) return {};
  const { os, deviceId, mfa } = completeAttempt(patch, user, 0);
  const here = policies.filter((policy) => appliesAt(policy, { os, network }));
  const blocks = policies.filter(({ grant }) => grant === 'block');
  const blockedHere = here.some(({ grant }) => grant === 'block');
  const blockedEverywhere = blockedHere && placesOf(context).every((place) => isBlockedAt(blocks, place));
  const unmet =
    (blockedHere && !blockedEverywhere) ||
    here.some(({ grant }) => grant === 'require-compliant-device' && !context.compliantDevices.includes(deviceId)) ||
    here.some(({ grant }) => grant === 'require-mfa' && !mfa.completed);
  if (!blockedEverywhere && !unmet) return {};
  return {
    conditionalAccess: {
      ...(blockedEverywhere ? { registrationPageBlocked: true } : {}),
      ...(unmet ? { registrationConditionMet: false } : {}),
    },
  };
}

function isBlockedAt(blocks: readonly RegistrationPolicy[], place: Place): boolean {
  return blocks.some((policy) => appliesAt(policy, place));
}

function appliesAt({ platforms, networks }: RegistrationPolicy, { os, network }: Place): boolean {
  return holds(platforms, os) && holds(networks, network);
}

interface Condition {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

function holds(condition: Condition | undefined, value: string | null): boolean {
  if (condition === undefined) return true;
  const { include, exclude = [] } = condition;
  if (value === null) return include === undefined;
  return (include === undefined || include.includes(value)) && !exclude.includes(value);
}

/** Every place that a policy can tell from another: each system on each named network, and on one without a name. */
function placesOf({ namedLocations }: SignInContext): readonly Place[] {
  return operatingSystems.flatMap((os) => [...namedLocations, null].map((network) => ({ os, network })));
}
