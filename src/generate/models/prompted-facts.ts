import { evaluate } from '../../../machines/evaluate.ts';
import type { FactDefinition } from '../../../machines/own/condition-data.ts';
import type { DeclaredValues, Facts, Ruleset } from '../../../machines/vocabulary.ts';
import { givenFacts } from './given-facts.ts';
import { frozenAtMs } from './nudge-model.ts';

/** Values of facts that a ruleset declares, of the tenant and of the user. */
export interface DeclaredChoice {
  readonly tenant: DeclaredValues;
  readonly user: DeclaredValues;
}

/** One declared fact with a value that is not its default. */
interface Change {
  readonly owner: keyof DeclaredChoice;
  readonly name: string;
  readonly value: DeclaredValues[string];
}

/** Maximum number of declared facts that are changed together. */
const changesMax = 3;

const noChoice: DeclaredChoice = { tenant: {}, user: {} };

/**
 * Finds the fewest declared facts that must differ from their defaults so that a user of the campaign is prompted.
 *
 * @param ruleset - ruleset that declares facts, in `facts.tenant` and `facts.user`
 * @returns values of booleans and enums, and ends of the ranges of integers; none if the defaults prompt, or if no three facts do
 */
export function choosePromptedFacts(ruleset: Ruleset): DeclaredChoice {
  if (ruleset.extension === undefined || isPrompted(noChoice, ruleset)) return noChoice;
  const { tenant, user } = ruleset.extension.facts;
  const changes = [...listChanges('user', user), ...listChanges('tenant', tenant)];
  let chosen: readonly DeclaredChoice[] = [noChoice];
  for (let size = 1; size <= changesMax; size += 1) {
    chosen = chosen.flatMap((choice) => extend(choice, changes));
    const prompting = chosen.find((choice) => isPrompted(choice, ruleset));
    if (prompting !== undefined) return prompting;
  }
  return noChoice;
}

function listChanges(owner: Change['owner'], definitions: Readonly<Record<string, FactDefinition>>): readonly Change[] {
  return Object.entries(definitions).flatMap(([name, definition]) =>
    listValues(definition)
      .filter((value) => value !== definition.default)
      .map((value): Change => ({ owner, name, value })),
  );
}

function listValues({ type, values, min, max }: FactDefinition): readonly DeclaredValues[string][] {
  if (type === 'boolean') return [true, false];
  if (type === 'integer') return [min, max].filter((end) => end !== undefined);
  return type === 'enum' ? values : [];
}

function extend(choice: DeclaredChoice, changes: readonly Change[]): readonly DeclaredChoice[] {
  return changes
    .filter(({ owner, name }) => !(name in choice[owner]))
    .map(({ owner, name, value }) => ({ ...choice, [owner]: { ...choice[owner], [name]: value } }));
}

function isPrompted(choice: DeclaredChoice, ruleset: Ruleset): boolean {
  const everybody = {
    targetType: 'group',
    id: 'all_users',
    targetedAuthenticationMethod: 'vendorAuthenticator',
  } as const;
  const campaign = { state: 'enabled', includeTargets: [everybody] } as const;
  const base = givenFacts({ tenant: { campaign }, user: { id: 'ada' } });
  const given = withDeclared({ ...base, attempt: { ...base.attempt, nowMs: frozenAtMs } }, choice);
  return evaluate(given, ruleset).outcome !== 'none';
}

/** Returns facts with the chosen values of declared ones. */
export function withDeclared(facts: Facts, { tenant, user }: DeclaredChoice): Facts {
  return {
    ...facts,
    tenant: { ...facts.tenant, facts: { ...facts.tenant.facts, ...tenant } },
    user: { ...facts.user, facts: { ...facts.user.facts, ...user } },
  };
}
