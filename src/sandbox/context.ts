import { targetsUser, transitiveGroups } from '../../machines/membership.ts';
import { type OperatingSystem, operatingSystems, type UserFacts } from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import type { AttemptInput, RegistrationPolicy, Scope, SignInContext } from '../contract/context.schema.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { mergePatch } from '../core/merge-patch.ts';
import { suggestName } from '../core/nearest-name.ts';
import type { SandboxState, UserRecord } from '../journal/state.ts';

/** Part of the sandbox state that the sign-in context depends on. */
interface ContextState extends Pick<SandboxState, 'tenant'> {
  readonly settings: Pick<SandboxState['settings'], 'context'>;
  readonly users: { get(id: string): Pick<UserRecord, 'facts'> | undefined };
  readonly acceptedTerms: ReadonlySet<string>;
}

/** Operating system and network of a sign-in. The network is `null` if it is not a named location. */
interface Place {
  readonly os: OperatingSystem;
  readonly network: string | null;
}

/**
 * Completes the facts of an attempt from the tenant's settings: policies for registering security information
 * (A49), terms of use, custom controls, and external MFA providers (R3, A21). Explicit values of the attempt always
 * take precedence. The result contains only facts, with the effect of the policies in place of the network. Throws
 * `bad-request` for a network that is not a named location of the tenant.
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
      ...deriveMfa(context, user.facts, meant),
      ...deriveAccess(context, meant, { patch, network: network ?? null, user: user.facts }),
      ...(context.customControls !== null && meant(context.customControls) ? { customControls: true } : {}),
      ...(showsTerms(context, meant, state.acceptedTerms.has(userId)) ? { termsOfUse: true } : {}),
    },
    patch,
    'keep',
  ) as AttemptPatch;
}

/** Rejects a network that is not a named location of the tenant. Throws `bad-request` with the known names. */
export function refuseUnknownNetwork(context: SignInContext | undefined, network: string): void {
  const known = context?.namedLocations ?? [];
  if (known.includes(network)) return;
  const there =
    known.length === 0 ? 'the tenant defines none' : `allowed: ${known.join(', ')}${suggestName(network, known)}`;
  throw new NudgeLabError('bad-request', {
    problems: [{ location: 'network', message: `"${network}" is not a named location; ${there}` }],
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

/**
 * Returns the provider of the second factor. R3, A21: a guest's home tenant takes precedence over another provider
 * of this tenant.
 */
function deriveMfa({ guestMfa, externalMfa }: SignInContext, { type }: UserFacts, meant: IsMeant): AttemptPatch {
  if (type === 'guest' && guestMfa === 'home-tenant') return { mfa: { provider: 'home-tenant' } };
  return externalMfa !== null && meant(externalMfa) ? { mfa: { provider: 'external' } } : {};
}

/**
 * Returns true if terms of use are shown. Unless they are shown every time, they are shown until the user has
 * accepted them once.
 */
function showsTerms({ termsOfUse }: SignInContext, meant: IsMeant, accepted: boolean): boolean {
  return termsOfUse.some((terms) => (terms.everyTime || !accepted) && meant(terms));
}

interface AttemptContext {
  readonly patch: AttemptPatch;
  readonly network: string | null;
  readonly user: UserFacts;
}

/**
 * Returns the conditional access facts (A49): blocked everywhere (R13.3), or a condition that is unmet now but
 * could be met elsewhere (R4).
 */
function deriveAccess(context: SignInContext, meant: IsMeant, { patch, network, user }: AttemptContext): AttemptPatch {
  const policies = context.conditionalAccess.filter((policy) => policy.enabled && meant(policy));
  if (policies.length === 0) return {};
  const { os, deviceId, mfa } = completeAttempt(patch, user, 0);
  const here = policies.filter((policy) => appliesAt(policy, { os, network }));
  const blocks = policies.filter(({ grant }) => grant === 'block');
  const blockedHere = here.some(({ grant }) => grant === 'block');
  const blockedEverywhere = blockedHere && listPlaces(context).every((place) => isBlockedAt(blocks, place));
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

/**
 * Returns every combination that a policy can distinguish: each operating system on each named location and on an
 * unnamed network.
 */
function listPlaces({ namedLocations }: SignInContext): readonly Place[] {
  return operatingSystems.flatMap((os) => [...namedLocations, null].map((network) => ({ os, network })));
}
