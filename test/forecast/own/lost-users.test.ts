import { afterAll, describe, expect, it } from 'vitest';
import { ownForecastSchema } from '../../../src/contract/own-forecast.schema.ts';
import { counterLayout } from '../../../src/forecast/counters.ts';
import { ForecastPool } from '../../../src/forecast/forecast-pool.ts';
import { compileOwn } from '../../../src/forecast/own/compile-own.ts';
import { lostUsers } from '../../../src/forecast/own/not-compiled.ts';
import { prepareOwnForecast } from '../../../src/forecast/own/own-forecast.ts';
import { simulateOwnUsers } from '../../../src/forecast/own/own-kernel.ts';
import type { OwnTables } from '../../../src/forecast/own/own-tables.ts';
import { rulesetText } from '../../scenario/rulesets/ruleset-text.ts';
import { parseRuleset, shippedForecast, simulateBoth, usual } from './own-descriptions.ts';

const { ruleset, description } = shippedForecast('passkey-90-days');
const forecast = prepareOwnForecast(description, ruleset, 'table');
const tables = compileOwn(forecast.plan);
/** The same tables, as if no example had been found for any class. */
const lost: OwnTables = { ...tables, isLost: tables.isLost.map(() => 1) };

const pool = new ForecastPool(2);
afterAll(() => pool.close());

describe('OC53 users whose times the tables have no example of', () => {
  it('every class of a shipped example has an example', () => {
    expect(tables.isLost.length).toBeGreaterThan(10);
    expect(tables.isLost).not.toContain(1);
  });

  it('RC3: a user who ends in a class without an example stops the simulation', () => {
    const layout = counterLayout(tables.days, 1, tables.rowBits);
    const output = { population: new Uint32Array(1), counters: new Int32Array(layout.size) };
    const act = () => simulateOwnUsers(lost, layout, { seed: 1, firstUser: 0, endUser: 1 }, output);
    expect(act).toThrow(expect.objectContaining({ code: 'RC3', path: ['cadence'], message: lostUsers().message }));
  });

  it('RC3: the threads of a pool report the cause', async () => {
    const { segments } = forecast;
    const run = pool.run({ tables: lost, segments }, { users: 1_000, seeds: [1] });
    await expect(run).rejects.toMatchObject({ code: 'RC3', path: ['cadence'], message: lostUsers().message });
    // The threads go on with other work.
    expect(await pool.run({ tables, segments }, { users: 1_000, seeds: [1] })).toMatchObject({ complete: true });
  });

  it.each([
    [
      'a daily cadence with an edition at a time of day',
      {
        cadence: 'cadence: { kind: daily }',
        editions: "editions: [{ from: '2026-01-20T10:00:00Z', set: { answers: { close: { effect: nothing } } } }]",
      },
    ],
    [
      'several times that a rule compares with the time of the sign-in itself',
      {
        requirement: 'requirement: { required: { fact: attempt.nowMs, since: { fact: kept.answeredAt } } }',
        answers: 'answers: { skip: { label: Later, effect: snooze }, next: { effect: never } }',
      },
    ],
  ])('%s has the same numbers by tables and by the campaign itself', (_what, changes) => {
    const { table, fold } = simulateBoth(ownForecastSchema.parse(usual), parseRuleset(rulesetText(changes)), 100);
    expect([...table.counters]).toEqual([...fold.counters]);
    expect([...table.population]).toEqual([...fold.population]);
  });
});
