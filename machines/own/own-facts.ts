import { getPlatform } from '../platform.ts';
import {
  type AttemptFacts,
  browsers,
  mfaMethods,
  mfaProviders,
  operatingSystems,
  type Platform,
  passkeyTypes,
  registeredMethods,
  subscriptions,
  surfaces,
  type TenantFacts,
  type UserFacts,
  userTypes,
} from '../vocabulary.ts';
import { type AttemptKind, attemptKinds, type FactType, type FactValue, type OwnRules } from './own-ruleset.ts';

/** Values of declared facts or settings, by name. */
export type FactValues = Readonly<Record<string, FactValue>>;

export type OwnTenant = Pick<TenantFacts, 'id' | 'subscription'> & {
  readonly facts: FactValues;
  readonly settings: FactValues;
};
export type OwnUser = Pick<UserFacts, 'id' | 'type' | 'groups' | 'methods' | 'passkeys' | 'mfaCapable'> & {
  readonly facts: FactValues;
};
export type OwnAttempt = AttemptFacts & {
  /** Id of the sign-in. */
  readonly id: string;
  /** Text with which a rollout by sign-in draws. The default is the id. */
  readonly drawId?: string;
  readonly kind: AttemptKind;
  readonly sessionId: string;
  readonly browserId: string;
  readonly facts: FactValues;
};

/** What the ledger and the sign-ins so far say (OC20). Times are milliseconds, `null` if there is none. */
export interface KeptFacts {
  readonly createdAtMs: number;
  /** Number of sign-ins, this one included. */
  readonly signIns: number;
  readonly previousSignInAtMs: number | null;
  /** Times of earlier sign-ins in ascending order. */
  readonly signInTimesMs: readonly number[];
  /** Time of the first showing, that of an open prompt included. Deadlines since the first showing count from it. */
  readonly deadlineFromMs: number | null;
  readonly shown: number;
  readonly firstShownAtMs: number | null;
  readonly lastShownAtMs: number | null;
  readonly answeredAtMs: number | null;
  readonly doneAtMs: number | null;
}

/** Facts that an own ruleset is evaluated on. */
export interface OwnFacts {
  readonly tenant: OwnTenant;
  readonly user: OwnUser;
  readonly attempt: OwnAttempt;
  readonly kept: KeptFacts;
}

type Get = (facts: OwnFacts, rules: OwnRules) => FactValue;

interface FixedFact {
  readonly type: FactType;
  /** Allowed values of an enum or a set, or `null` if any text is allowed. */
  readonly values: readonly string[] | null;
  readonly get: Get;
}

const fact = (type: FactType, get: Get, values: readonly string[] | null = null): FixedFact => ({ type, values, get });

/** Facts that every ruleset can read, besides those that it declares. */
const fixed: Readonly<Record<string, FixedFact>> = {
  'tenant.id': fact('text', ({ tenant }) => tenant.id),
  'tenant.subscription': fact('enum', ({ tenant }) => tenant.subscription, subscriptions),
  'user.id': fact('text', ({ user }) => user.id),
  'user.type': fact('enum', ({ user }) => user.type, userTypes),
  'user.groups': fact('set', ({ user }) => user.groups),
  'user.methods': fact('set', ({ user }) => user.methods, registeredMethods),
  'user.passkeys': fact('set', ({ user }) => user.passkeys.map(({ type }) => type), passkeyTypes),
  'user.mfaCapable': fact('boolean', ({ user }) => user.mfaCapable),
  'attempt.os': fact('enum', ({ attempt }) => attempt.os, operatingSystems),
  'attempt.browser': fact('enum', ({ attempt }) => attempt.browser, browsers),
  'attempt.surface': fact('enum', ({ attempt }) => attempt.surface, surfaces),
  'attempt.deviceId': fact('text', ({ attempt }) => attempt.deviceId),
  'attempt.browserId': fact('text', ({ attempt }) => attempt.browserId),
  'attempt.sessionId': fact('text', ({ attempt }) => attempt.sessionId),
  'attempt.kind': fact('enum', ({ attempt }) => attempt.kind, attemptKinds),
  'attempt.mfa.completed': fact('boolean', ({ attempt }) => attempt.mfa.completed),
  'attempt.mfa.provider': fact('enum', ({ attempt }) => attempt.mfa.provider, mfaProviders),
  'attempt.mfa.method': fact('enum', ({ attempt }) => attempt.mfa.method, mfaMethods),
  'attempt.ssoSession': fact('boolean', ({ attempt }) => attempt.ssoSession),
  'attempt.registeredThisSession': fact('boolean', ({ attempt }) => attempt.registeredThisSession),
  'attempt.conditionalAccess.registrationPageBlocked': fact(
    'boolean',
    ({ attempt }) => attempt.conditionalAccess.registrationPageBlocked,
  ),
  'attempt.conditionalAccess.registrationConditionMet': fact(
    'boolean',
    ({ attempt }) => attempt.conditionalAccess.registrationConditionMet,
  ),
  'attempt.termsOfUse': fact('boolean', ({ attempt }) => attempt.termsOfUse),
  'attempt.customControls': fact('boolean', ({ attempt }) => attempt.customControls),
  'attempt.nowMs': fact('instant', ({ attempt }) => attempt.nowMs),
  'attempt.ecosystem': fact('text', ({ attempt }, { ledger }) => findEcosystem(attempt, ledger)),
  'kept.createdAt': fact('instant', ({ kept }) => kept.createdAtMs),
  'kept.signIns': fact('integer', ({ kept }) => kept.signIns),
  'kept.previousSignInAt': fact('instant', ({ kept }) => kept.previousSignInAtMs),
  'kept.shown': fact('integer', ({ kept }) => kept.shown),
  'kept.firstShownAt': fact('instant', ({ kept }) => kept.firstShownAtMs),
  'kept.lastShownAt': fact('instant', ({ kept }) => kept.lastShownAtMs),
  'kept.answeredAt': fact('instant', ({ kept }) => kept.answeredAtMs),
  'kept.doneAt': fact('instant', ({ kept }) => kept.doneAtMs),
};

/** Types and values of the facts that every ruleset can read, by path. */
export const fixedFacts: ReadonlyMap<string, Pick<FixedFact, 'type' | 'values'>> = new Map(Object.entries(fixed));

/** Returns the ecosystem of an attempt's operating system, or `null` if it belongs to none (OC25). */
function findEcosystem({ os }: Pick<OwnAttempt, 'os'>, { ecosystems }: OwnRules['ledger']): string | null {
  return Object.entries(ecosystems).find(([, systems]) => systems.includes(os))?.[0] ?? null;
}

/** Returns the platform of an attempt, as the suppression matrix uses it. */
export function platformAt(attempt: OwnAttempt): Platform {
  return getPlatform(attempt);
}

type PathParts = readonly [owner: string, group: string, name: string];

/** Parts of paths that were read before, because splitting takes longer than reading. */
const knownParts = new Map<string, PathParts>();
const knownPartsMax = 10_000;

function splitPath(path: string): PathParts {
  const known = knownParts.get(path);
  if (known !== undefined) return known;
  const [owner = '', group = '', name = ''] = path.split('.');
  if (knownParts.size >= knownPartsMax) knownParts.clear();
  knownParts.set(path, [owner, group, name]);
  return [owner, group, name];
}

/**
 * Returns the value of a fact by its path.
 *
 * @throws RangeError for a path that no fact has, which the check of the ruleset rejects
 */
export function readFact(path: string, facts: OwnFacts, rules: OwnRules): FactValue {
  const one = fixed[path];
  if (one !== undefined) return one.get(facts, rules);
  const [owner, group, name] = splitPath(path);
  if (owner === 'tenant' || owner === 'user' || owner === 'attempt') {
    const holder: { readonly facts: FactValues; readonly settings?: FactValues } = facts[owner];
    const values = group === 'facts' ? holder.facts : group === 'settings' ? holder.settings : undefined;
    if (values !== undefined && Object.hasOwn(values, name)) return values[name] ?? null;
    if (group === 'settings' && owner === 'tenant') return rules.settings[name]?.default ?? null;
  }
  throw new RangeError(`No fact has the path ${path}.`);
}
