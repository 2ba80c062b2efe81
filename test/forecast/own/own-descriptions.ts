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

/** Description of a tenant whose users do everything that a prompt allows, at few times of the day. */
export const usual: OwnForecastInput = {
  ruleset: './a.ruleset.yaml',
  days: 40,
  defaults: {
    signIn: {
      weekdays: { monday: 0.7, tuesday: 0.6, wednesday: 0.6, thursday: 0.6, friday: 0.5, saturday: 0.3, sunday: 0.3 },
      perDay: [0.6, 0.3, 0.1],
      hours: { 0: 0.2, 9: 0.3, 18: 0.3, 23: 0.2 },
    },
    devices: [
      { share: 0.6, os: 'windows' },
      { share: 0.4, os: 'ios', browser: 'safari' },
    ],
    answers: {
      skippable: [{ register: 0.1, skip: 0.5, close: 0.2, letExpire: 0.1, closeDuringSetup: 0.1 }],
      required: [{ register: 0.2, close: 0.5, letExpire: 0.2, closeDuringSetup: 0.1 }],
      failure: [0.3],
      onFailure: { retry: 0.4, skip: 0.3, close: 0.3 },
    },
  },
};

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
