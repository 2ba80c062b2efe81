import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import {
  type OwnForecastDescription,
  type OwnForecastInput,
  ownForecastSchema,
} from '../../../src/contract/own-forecast.schema.ts';
import { counterLayout } from '../../../src/forecast/counters.ts';
import { compileOwn } from '../../../src/forecast/own/compile-own.ts';
import { simulateByFolding } from '../../../src/forecast/own/fold-users.ts';
import { compileDraws } from '../../../src/forecast/own/own-draws.ts';
import { simulateOwnUsers } from '../../../src/forecast/own/own-kernel.ts';
import { planOwnForecast } from '../../../src/forecast/own/own-plan.ts';
import { readOwnText } from '../../../src/scenario/rulesets/read-ruleset.ts';
import { parseRulesetText } from '../../../src/scenario/rulesets/ruleset-text.ts';

const folder = join(import.meta.dirname, '../../../rulesets');

/** Returns the ruleset of a text without faults. */
export function parseRuleset(text: string): OwnRuleset {
  const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', text));
  if (ruleset === null)
    throw new RangeError(faults.map(({ code, path, message }) => `${code} ${path}: ${message}`).join('\n'));
  return ruleset;
}

/** Returns a shipped example with its description. */
export function shippedForecast(name: string): { ruleset: OwnRuleset; description: OwnForecastDescription } {
  const read = (kind: string): string => readFileSync(join(folder, `${name}.${kind}.yaml`), 'utf8');
  return {
    ruleset: parseRuleset(read('ruleset')),
    description: ownForecastSchema.parse(parse(read('forecast')) as OwnForecastInput),
  };
}

/**
 * Simulates users by the tables and by the campaign itself, and returns both counters and final states. `statesMax` limits
 * the states of the tables.
 */
export function simulateBoth(
  description: OwnForecastDescription,
  ruleset: OwnRuleset,
  users: number,
  seed = 1,
  statesMax?: number,
) {
  const plan = planOwnForecast(description, ruleset);
  const draws = compileDraws(plan);
  const layout = counterLayout(draws.days, plan.segments.length, draws.rowBits);
  const range = { seed, firstUser: 0, endUser: users };
  const table = { population: new Uint32Array(users), counters: new Int32Array(layout.size) };
  const fold = { population: new Uint32Array(users), counters: new Int32Array(layout.size) };
  simulateOwnUsers(compileOwn(plan, statesMax), layout, range, table);
  simulateByFolding(plan, draws, layout, range, fold);
  return { table, fold, layout };
}
