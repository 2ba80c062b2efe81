import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { forecastSchema } from '../src/contract/forecast.schema.ts';
import { ownForecastSchema } from '../src/contract/own-forecast.schema.ts';
import { counterLayout } from '../src/forecast/counters.ts';
import { compileDescription } from '../src/forecast/forecast.ts';
import { simulateUsers } from '../src/forecast/kernel.ts';
import { compileOwn } from '../src/forecast/own/compile-own.ts';
import { simulateOwnUsers } from '../src/forecast/own/own-kernel.ts';
import { planOwnForecast } from '../src/forecast/own/own-plan.ts';
import { RulesetRegistry } from '../src/journal/ruleset-registry.ts';
import { loadRuleset } from '../src/scenario/rulesets/load-rulesets.ts';
import { forecastTenant } from './forecast-tenant.ts';
import { atLeast, type BenchRow, mainFile, median, root, withinTime } from './measure.ts';

/**
 * Compares forecasts of the shipped own rulesets with that of a registration campaign whose users have the same sign-in
 * habits, on one thread and in processor time, and measures `ruleset diff` of the built-in rulesets.
 */

const names = ['passkey-week', 'passkey-by-ecosystem', 'passkey-90-days', 'second-factor-deadline'];
const users = 100_000;
const rounds = 9;

/** Measures the rows of own campaigns. */
export async function benchOwnCampaigns(): Promise<readonly BenchRow[]> {
  return [...names.map(compareForecasts), diffRow()];
}

function compareForecasts(name: string): BenchRow {
  const folder = join(root, 'rulesets');
  const loaded = loadRuleset(`${name}.ruleset.yaml`, new RulesetRegistry(), folder);
  if (loaded.base !== 'own') throw new Error(`${name} is no own campaign.`);
  const description = ownForecastSchema.parse(parse(readFileSync(join(folder, `${name}.forecast.yaml`), 'utf8')));
  const { days } = description;
  const plan = planOwnForecast(description, loaded.ruleset);
  const tables = compileOwn(plan);
  const layout = counterLayout(days, plan.segments.length, tables.rowBits);
  const signIn = description.defaults.signIn ?? forecastTenant.defaults.signIn;
  const builtIn = compileDescription(
    forecastSchema.parse({ ...forecastTenant, days, defaults: { ...forecastTenant.defaults, signIn } }),
  );
  const builtInLayout = counterLayout(days, 1);
  const range = { seed: 1, firstUser: 0, endUser: users };
  const population = new Uint32Array(users);
  const ms = { own: [] as number[], builtIn: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const own = inProcessorTime(() =>
      simulateOwnUsers(tables, layout, range, { population, counters: new Int32Array(layout.size) }),
    );
    const other = inProcessorTime(() =>
      simulateUsers(builtIn.tables, builtInLayout, range, {
        population,
        counters: new Int32Array(builtInLayout.size),
      }),
    );
    // The first round compiles the functions.
    if (round === 0) continue;
    ms.own.push(own);
    ms.builtIn.push(other);
  }
  const rate = (times: readonly number[]): number => (users * days * 1_000) / median(times);
  const what = `core of ${name} against a registration campaign with the same sign-ins, processor time`;
  return atLeast(0.7, what, rate(ms.own), rate(ms.builtIn), 'user-days/s');
}

function inProcessorTime(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

/** Script that prints the processor time of the process in milliseconds when it exits. */
const timeProbe =
  "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu '+(user+system)/1000+' ')})";

function diffRow(): BenchRow {
  const times = Array.from({ length: rounds }, () => {
    const ended = spawnSync(
      process.execPath,
      [`--import=${timeProbe}`, mainFile, 'ruleset', 'diff', 'seed', '2026-09', '--json'],
      { cwd: root, encoding: 'utf8' },
    );
    const ms = Number(/cpu ([\d.]+)/.exec(ended.stderr)?.[1]);
    if (Number.isNaN(ms)) throw new Error(`ruleset diff ended with ${ended.status}: ${ended.stderr}`);
    return ms;
  });
  const ours = median(times);
  const what = 'ruleset diff of the two built-in rulesets, whole command, processor time';
  return withinTime(1_000, what, ours, 'ms');
}
