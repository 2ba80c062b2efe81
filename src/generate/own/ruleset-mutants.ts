import type { OwnRules, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { OwnScenarioPlan } from '../../scenario/own/own-scenario.ts';
import { runOwnSteps } from '../../scenario/own/run-own-scenario.ts';
import { readOwnText } from '../../scenario/rulesets/read-ruleset.ts';
import { parseRulesetText } from '../../scenario/rulesets/ruleset-text.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { areSameTables } from './equal-tables.ts';
import type { RulesetOperator } from './operator-names.ts';
import { type Observed, type OwnJourney, observeJourney } from './own-journey.ts';
import { JourneyMaker } from './random-journey.ts';
import { listWrittenMutants } from './ruleset-operators.ts';
import type { Written } from './written-ruleset.ts';

/** Mutant of a ruleset that is valid and differs from it. */
export interface RulesetMutant {
  readonly id: string;
  readonly operator: RulesetOperator;
  readonly place: string;
  readonly ruleset: OwnRuleset;
}

/** Result of one mutant. */
export interface RulesetMutantResult {
  readonly mutant: RulesetMutant;
  readonly verdict: 'killed' | 'survived' | 'equivalent' | 'undecided';
  /** Scenario that kills the mutant. */
  readonly killedBy: string | null;
  /** Journey that kills a survivor. */
  readonly killer: OwnJourney | null;
  readonly message: string | null;
}

/** Lists the mutants of a ruleset that are valid (OC54). Those of words alone, which only pages show, are left out. */
export function listRulesetMutants(data: Written, original: OwnRuleset, file: string): readonly RulesetMutant[] {
  const known = new Set([writeRules(original)]);
  return listWrittenMutants(data).flatMap(({ operator, place, change, data: changed }): readonly RulesetMutant[] => {
    if (operator === 'RM27') return [];
    const { ruleset } = readOwnText(parseRulesetText(file, JSON.stringify(changed)));
    if (ruleset === null) return [];
    const key = writeRules(ruleset);
    if (known.has(key)) return [];
    known.add(key);
    return [{ id: `${operator} ${change}`, operator, place, ruleset }];
  });
}

/** Everything of a ruleset that decides a verdict. */
function writeRules({ facts, first, editions }: OwnRuleset): string {
  return canonicalJson(JSON.parse(JSON.stringify({ facts, first, editions })) as unknown);
}

/** Rules without what cannot decide anything, so that rulesets with the same ones are equivalent. */
function decidingRules({ facts, first, editions }: OwnRuleset): string {
  const decide = (rules: OwnRules): OwnRules => {
    const { requirement, deadline, limit, answers, failure, cadence } = rules;
    const canDemand = requirement.required ?? requirement.blocked ?? deadline ?? limit;
    const snoozes = Object.values(answers).some(({ effects }) => effects.includes('snooze'));
    return {
      ...rules,
      // Without required prompts, nothing is refused at one.
      answers:
        canDemand === null
          ? Object.fromEntries(Object.entries(answers).map(([id, one]) => [id, { ...one, whenRequired: 'refused' }]))
          : answers,
      // A failure stores the first answer that snoozes.
      failure: snoozes ? failure : { ...failure, stores: 'nothing' },
      // In UTC, every calendar day has 24 hours.
      cadence: cadence.zone === 'UTC' ? { ...cadence, measure: 'elapsed' } : cadence,
    };
  };
  const rules = { first: decide(first), editions: editions.map((one) => ({ ...one, rules: decide(one.rules) })) };
  return canonicalJson(JSON.parse(JSON.stringify({ facts, ...rules })) as unknown);
}

/** Options of a measurement of mutants. */
export interface MutantOptions {
  /** Number of seeded journeys that search for a difference. */
  readonly journeys: number;
  /** True to look for journeys, and to prove survivors equivalent. */
  readonly decide: boolean;
  readonly canContinue: () => boolean;
  readonly onProgress: (done: number, total: number) => void;
}

/** Runs the scenarios of a ruleset on its mutants, and classifies those that survive. */
export function testRulesetMutants(
  original: OwnRuleset,
  mutants: readonly RulesetMutant[],
  scenarios: readonly Scenario[],
  { journeys, decide, canContinue, onProgress }: MutantOptions,
): { readonly results: readonly RulesetMutantResult[]; readonly complete: boolean } {
  const maker = new JourneyMaker(original);
  const made: { readonly journey: OwnJourney; readonly seen: readonly Observed[] }[] = [];
  const journeyAt = (index: number) => {
    const known = made[index];
    if (known !== undefined) return known;
    const journey = maker.make(index + 1);
    const one = { journey, seen: observeJourney(original, journey) };
    made.push(one);
    return one;
  };
  const results: RulesetMutantResult[] = [];
  for (const mutant of mutants) {
    if (!canContinue()) return { results, complete: false };
    const killedBy = findKiller(original, mutant, scenarios);
    if (killedBy !== null) results.push({ mutant, verdict: 'killed', killedBy, killer: null, message: null });
    else if (decide) results.push(classify(original, mutant, journeys, journeyAt));
    else results.push({ mutant, verdict: 'survived', killedBy: null, killer: null, message: null });
    onProgress(results.length, mutants.length);
  }
  return { results, complete: true };
}

/** Returns the id of the first scenario that fails on a mutant, or `null`. */
function findKiller(original: OwnRuleset, { ruleset }: RulesetMutant, scenarios: readonly Scenario[]): string | null {
  for (const { id, own } of scenarios) {
    if (own === undefined) continue;
    const steps = runOwnSteps(planFor(own, original, ruleset));
    if (steps.some(({ status }) => status !== 'passed')) return id;
  }
  return null;
}

/** Returns the plan of a scenario for a mutant: settings that have their default take that of the mutant. */
function planFor(plan: OwnScenarioPlan, { first }: OwnRuleset, mutant: OwnRuleset): OwnScenarioPlan {
  const settings = Object.fromEntries(
    Object.entries(plan.tenant.settings).map(([name, value]) => {
      const isDefault = JSON.stringify(value) === JSON.stringify(first.settings[name]?.default);
      return [name, isDefault ? (mutant.first.settings[name]?.default ?? value) : value];
    }),
  );
  return { ...plan, ruleset: mutant, tenant: { ...plan.tenant, settings } };
}

function classify(
  original: OwnRuleset,
  mutant: RulesetMutant,
  journeys: number,
  journeyAt: (index: number) => { readonly journey: OwnJourney; readonly seen: readonly Observed[] },
): RulesetMutantResult {
  const result = { mutant, killedBy: null, killer: null, message: null };
  for (let index = 0; index < journeys; index += 1) {
    const { journey, seen } = journeyAt(index);
    if (isSame(seen, observeJourney(mutant.ruleset, journey))) continue;
    return { ...result, verdict: 'survived', killer: shorten(original, mutant.ruleset, journey) };
  }
  if (decidingRules(original) === decidingRules(mutant.ruleset)) return { ...result, verdict: 'equivalent' };
  const proof = areSameTables(original, mutant.ruleset);
  if (proof === true) return { ...result, verdict: 'equivalent' };
  const message = `No difference in ${journeys} journeys, and ${proof === false ? 'the tables are not the same' : proof}.`;
  return { ...result, verdict: 'undecided', message };
}

function isSame(one: readonly Observed[], other: readonly Observed[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Removes steps and facts of a journey as long as it still distinguishes two rulesets. */
function shorten(original: OwnRuleset, mutant: OwnRuleset, journey: OwnJourney): OwnJourney {
  const differs = (one: OwnJourney): boolean => !isSame(observeJourney(original, one), observeJourney(mutant, one));
  let shortest = journey;
  for (let index = shortest.steps.length - 1; index >= 0; index -= 1) {
    const shorter = { ...shortest, steps: shortest.steps.filter((_, other) => other !== index) };
    if (differs(shorter)) shortest = shorter;
  }
  for (const path of [...shortest.given.keys()]) {
    const given = new Map([...shortest.given].filter(([other]) => other !== path));
    if (differs({ ...shortest, given })) shortest = { ...shortest, given };
  }
  return shortest;
}
