import { toDeclaredValue } from './declared-value.ts';
import { holds, listReads, type Readings } from './own/condition.ts';
import type { Condition, FactDefinition, FactType, FactValue } from './own/condition-data.ts';
import type { GateFacts } from './rules/rule.ts';
import {
  browsers,
  campaignStateSettings,
  matrixPlatforms,
  mfaMethods,
  mfaProviders,
  operatingSystems,
  passkeyTypes,
  type RulesetExtension,
  registeredMethods,
  subscriptions,
  surfaces,
  targetedMethods,
  userTypes,
} from './vocabulary.ts';

/** Type and allowed values of a fact that every ruleset can read. */
interface CampaignFact {
  readonly type: FactType;
  readonly values: readonly string[] | null;
}

const fact = (type: FactType, values: readonly string[] | null = null): CampaignFact => ({ type, values });
const flag = fact('boolean');

/**
 * Facts that conditions of a ruleset file with the base `registration-campaign` can read, by path, besides those that
 * it declares.
 */
export const campaignFacts: ReadonlyMap<string, CampaignFact> = new Map(
  Object.entries({
    'tenant.id': fact('text'),
    'tenant.subscription': fact('enum', subscriptions),
    'tenant.campaign.state': fact('enum', campaignStateSettings),
    'tenant.rollout.method': flag,
    'tenant.rollout.snoozeDays': flag,
    'tenant.rollout.snoozeLimit': flag,
    'tenant.rollout.targeting': flag,
    'tenant.methodsPolicy.authenticator.state': fact('enum', ['enabled', 'disabled']),
    'tenant.methodsPolicy.fido2.state': fact('enum', ['enabled', 'disabled']),
    'tenant.methodsPolicy.fido2.selfService': flag,
    'tenant.methodsPolicy.fido2.keyRestrictions': fact('enum', ['allow', 'block']),
    'tenant.options.strictDevice': flag,
    'user.id': fact('text'),
    'user.type': fact('enum', userTypes),
    'user.groups': fact('set'),
    'user.methods': fact('set', registeredMethods),
    'user.passkeys': fact('set', passkeyTypes),
    'user.mfaCapable': flag,
    'user.snooze.count': fact('integer'),
    'user.snooze.snoozedAtMs': fact('instant'),
    'attempt.os': fact('enum', operatingSystems),
    'attempt.browser': fact('enum', browsers),
    'attempt.surface': fact('enum', surfaces),
    'attempt.deviceId': fact('text'),
    'attempt.mfa.completed': flag,
    'attempt.mfa.provider': fact('enum', mfaProviders),
    'attempt.mfa.method': fact('enum', mfaMethods),
    'attempt.ssoSession': flag,
    'attempt.registeredThisSession': flag,
    'attempt.conditionalAccess.registrationPageBlocked': flag,
    'attempt.conditionalAccess.registrationConditionMet': flag,
    'attempt.termsOfUse': flag,
    'attempt.customControls': flag,
    'attempt.nowMs': fact('instant'),
    'campaign.state': fact('enum', ['enabled', 'disabled', 'providerManaged']),
    'campaign.method': fact('enum', targetedMethods),
    'campaign.snoozeDays': fact('integer'),
    'campaign.limited': flag,
    memberOf: fact('set'),
    platform: fact('enum', [...matrixPlatforms, 'linux', 'unknown']),
  }),
);

/** Facts that conditions are evaluated on. A campaign is derived from the facts of its tenant alone. */
type ReadableFacts = Partial<GateFacts>;
type Declarations = Pick<RulesetExtension, 'facts' | 'settings' | 'derived'>;

/** Returns the values that the conditions of a ruleset read. */
export function readingsFrom(facts: ReadableFacts, declared: Declarations): Readings {
  const readings: Readings = {
    read: (path) => readCampaignFact(path, facts, declared, readings),
    get nowMs() {
      return facts.attempt?.nowMs ?? 0;
    },
  };
  return readings;
}

function readCampaignFact(path: string, facts: ReadableFacts, declared: Declarations, readings: Readings): FactValue {
  const parts = path.split('.');
  const value = parts.reduce<unknown>(valueIn, facts);
  const definition = findDefinition(parts, declared);
  if (definition === null) return toValue(value);
  if (value !== undefined) return toDeclaredValue(value as FactValue, definition);
  const derived = declared.derived[path];
  return derived === undefined ? definition.default : holds(derived, readings);
}

function valueIn(holder: unknown, key: string): unknown {
  return holder === null || holder === undefined ? undefined : (holder as Readonly<Record<string, unknown>>)[key];
}

/** Returns the definition of a declared fact or setting, or `null` for a fact that every ruleset can read. */
function findDefinition(
  [owner = '', group, name = '']: readonly string[],
  declared: Declarations,
): FactDefinition | null {
  if (group === 'settings') return declared.settings[name] ?? null;
  if (group !== 'facts') return null;
  return declared.facts[owner as keyof Declarations['facts']][name] ?? null;
}

/** Returns a fact as a value: passkeys by type, key restrictions by their kind, and sets as lists. */
function toValue(value: unknown): FactValue {
  if (value === undefined || value === null) return null;
  if (value instanceof Set) return [...(value as ReadonlySet<string>)];
  if (Array.isArray(value)) return value.map((item: unknown) => String(valueIn(item, 'type') ?? item));
  return typeof value === 'object' ? String(valueIn(value, 'type')) : (value as FactValue);
}

/** Operators that compare an instant with now. */
const timedOperators = ['olderThan', 'atLeastOld', 'youngerThan', 'inFuture', 'inPast'];

/**
 * Returns the paths of all facts that a condition depends on: those that it names, those from which their defaults
 * follow, and the time of the sign-in.
 */
export function listFactPaths(condition: Condition, declared: Declarations): readonly string[] {
  const paths = listReads(condition).flatMap((path) => {
    const derived = declared.derived[path];
    return derived === undefined ? [path] : [path, ...listFactPaths(derived, declared)];
  });
  return [...new Set([...paths, ...(readsTime(condition) ? ['attempt.nowMs'] : [])])];
}

function readsTime(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(readsTime);
  if ('any' in condition) return condition.any.some(readsTime);
  if ('not' in condition) return readsTime(condition.not);
  return 'atom' in condition && timedOperators.includes(condition.atom.operator);
}
