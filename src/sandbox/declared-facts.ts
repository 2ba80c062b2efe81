import type { AttemptInput } from '../contract/context.schema.ts';
import { readDeclaredValues } from '../contract/declared-values.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { findDeclarations, type RulesetDeclarations } from '../journal/ruleset-registry.ts';
import type { SandboxState } from '../journal/state.ts';

type Values = Readonly<Record<string, unknown>>;

/** Part of a request or a plan that can have declared facts. */
interface Holder {
  readonly facts?: Values | undefined;
}

/**
 * Rejects facts that the ruleset does not declare, and values of another type (OC19).
 *
 * @param owner - what the facts describe
 * @param given - object with the facts, if any
 * @param declared - what the ruleset declares
 * @param location - location of the object, such as `users.0`
 * @throws NudgeLabError `bad-request` with every unknown name and every value of the wrong type
 */
export function refuseUndeclaredFacts(
  owner: 'tenant' | 'user' | 'attempt',
  { facts }: Holder,
  declared: RulesetDeclarations,
  location: string,
): void {
  refuse(facts, declared.facts[owner], declared.ruleset, `${location}.facts`);
}

/**
 * Rejects facts and settings of a tenant that the ruleset does not declare, and values of another type.
 *
 * @throws NudgeLabError `bad-request` with every unknown name and every value of the wrong type
 */
export function refuseUndeclaredTenant(
  tenant: Holder & { readonly settings?: Values | undefined },
  declared: RulesetDeclarations,
): void {
  refuseUndeclaredFacts('tenant', tenant, declared, 'tenant');
  refuse(tenant.settings, declared.settings, declared.ruleset, 'tenant.settings');
}

function refuse(
  written: Values | undefined,
  definitions: RulesetDeclarations['settings'],
  ruleset: string,
  location: string,
): void {
  if (written === undefined) return;
  const { problems } = readDeclaredValues(written, definitions, location);
  if (problems.length === 0) return;
  const named = problems.map(
    ({ location: place, message }): ValidationProblem => ({
      location: place,
      message: `${message} (ruleset ${ruleset})`,
    }),
  );
  throw new NudgeLabError('bad-request', { problems: named });
}

/**
 * Separates the settings that the ruleset declares from those of the tenant that no rule reads. A name that the ruleset
 * declares is that of the ruleset.
 *
 * @param settings - settings as they are written
 * @param declared - what the ruleset declares
 * @returns settings of the ruleset, `undefined` if there are none, and the others
 */
export function splitSettings(
  settings: unknown,
  declared: RulesetDeclarations,
): { readonly ofRuleset: Values | undefined; readonly others: unknown } {
  if (!isPlainObject(settings)) return { ofRuleset: undefined, others: settings };
  const entries = Object.entries(settings);
  const ofRuleset = entries.filter(([name]) => Object.hasOwn(declared.settings, name));
  return {
    ofRuleset: ofRuleset.length === 0 ? undefined : Object.fromEntries(ofRuleset),
    others: Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(declared.settings, name))),
  };
}

/**
 * Rejects facts of an attempt that the ruleset does not declare, and parts of a sign-in that only own campaigns read.
 *
 * @throws NudgeLabError `bad-request` with every problem
 */
export function refuseAttempt({ ruleset, own }: Pick<SandboxState, 'ruleset' | 'own'>, attempt: AttemptInput): void {
  refuseUndeclaredFacts('attempt', attempt, findDeclarations(ruleset.id), 'attempt');
  if (own === null) refuseSessionParts(attempt);
}

/** Rejects parts of a sign-in that only own campaigns read. Throws `bad-request` with every problem. */
export function refuseSessionParts(attempt: AttemptInput): void {
  const given = (['session', 'kind', 'browserId'] as const).filter((key) => attempt[key] !== undefined);
  const problems = given.map((key) => ({
    location: `attempt.${key}`,
    message: 'only a ruleset with the base own reads it',
  }));
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
}
