import { toDeclaredValue } from '../../machines/declared-value.ts';
import type { FactValues, OwnAttempt, OwnTenant, OwnUser } from '../../machines/own/own-facts.ts';
import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import type { AttemptFacts, TenantFacts, UserFacts } from '../../machines/vocabulary.ts';
import { type Definitions, listDefaults, writeDeclaredValues } from '../contract/declared-values.ts';

/** Returns the facts of a tenant as an own campaign reads them: with every declared fact and setting. */
export function toOwnTenant({ id, subscription, facts, settings }: TenantFacts, ruleset: OwnRuleset): OwnTenant {
  return {
    id,
    subscription,
    facts: readValues(facts, ruleset.facts.tenant),
    settings: readValues(settings, ruleset.first.settings),
  };
}

/** Returns the facts of a user as an own campaign reads them: with every declared fact. */
export function toOwnUser(
  { id, type, groups, methods, passkeys, mfaCapable, facts }: UserFacts,
  ruleset: OwnRuleset,
): OwnUser {
  return { id, type, groups, methods, passkeys, mfaCapable, facts: readValues(facts, ruleset.facts.user) };
}

/** Returns the facts of a user with what an own campaign has changed in them. Facts with their default stay omitted. */
export function withOwnUser(facts: UserFacts, changed: OwnUser, ruleset: OwnRuleset): UserFacts {
  const before = readValues(facts.facts, ruleset.facts.user);
  const differing = Object.fromEntries(
    Object.entries(changed.facts).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
  const { methods, passkeys } = changed;
  if (Object.keys(differing).length === 0) return { ...facts, methods, passkeys };
  return {
    ...facts,
    methods,
    passkeys,
    facts: { ...facts.facts, ...writeDeclaredValues(differing, ruleset.facts.user) },
  };
}

/** Returns an attempt as an own campaign reads it: with every declared fact. */
export function toOwnAttempt(
  attempt: AttemptFacts,
  ruleset: OwnRuleset,
  session: Pick<OwnAttempt, 'id' | 'drawId' | 'kind' | 'sessionId' | 'browserId'>,
): OwnAttempt {
  return { ...attempt, ...session, facts: readValues(attempt.facts, ruleset.facts.attempt) };
}

/** Returns the name of an attempt's browser by default: its device and its browser (OC20). */
export function nameBrowser({ deviceId, browser }: Pick<AttemptFacts, 'deviceId' | 'browser'>): string {
  return `${deviceId} ${browser ?? 'no browser'}`;
}

function readValues(written: FactValues | undefined, definitions: Definitions): FactValues {
  const values = listDefaults(definitions);
  if (written === undefined) return values;
  const given = Object.entries(written).flatMap(([name, value]) => {
    const definition = definitions[name];
    return definition === undefined ? [] : [[name, toDeclaredValue(value, definition)] as const];
  });
  return { ...values, ...Object.fromEntries(given) };
}
