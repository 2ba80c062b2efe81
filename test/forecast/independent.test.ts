import { describe, expect, test } from 'vitest';
import { randomSource } from '../../src/core/random.ts';
import { counterLayout } from '../../src/forecast/counters.ts';
import { simulateUsers } from '../../src/forecast/kernel.ts';
import { CountedDays } from '../../src/forecast/read-counters.ts';
import { nonEmpty } from '../non-empty.ts';
import { compiled, createCampaignForAll } from './descriptions.ts';
import { type PlainTenant, simulatePlainly } from './plain-simulation.ts';

const users = 40_000;
const days = 45;

/** Forecasts the same tenant from a description. */
function computeForecast(tenant: PlainTenant) {
  const { register, close, registerWhenRequired, failure, chance } = tenant;
  const rest = 1 - register;
  const forecast = compiled({
    days,
    users,
    tenant: { campaign: createCampaignForAll('vendorAuthenticator', tenant.snoozeDays, tenant.limited) },
    defaults: {
      users: [
        { share: tenant.holders, methods: ['authenticator-push'] },
        { share: 1 - tenant.holders, methods: ['sms'] },
      ],
      signIn: {
        weekdays: {
          monday: chance,
          tuesday: chance,
          wednesday: chance,
          thursday: chance,
          friday: chance,
          saturday: chance,
          sunday: chance,
        },
      },
      platforms: [
        { share: tenant.phones, os: 'ios' },
        { share: 1 - tenant.phones, os: 'windows' },
      ],
      signInContexts: [{ share: tenant.ssoSessions, ssoSession: true }, { share: 1 - tenant.ssoSessions }],
      answers: {
        skippable: [{ register, skip: rest * (1 - close), close: rest * close }],
        required: [{ register: registerWhenRequired, close: 1 - registerWhenRequired }],
        failure: [failure],
      },
    },
  });
  const layout = counterLayout(days, 1);
  const counters = new Int32Array(layout.size);
  const population = new Uint32Array(users);
  simulateUsers(forecast.tables, layout, { seed: 3, firstUser: 0, endUser: users }, { population, counters });
  const counted = new CountedDays(Float64Array.from(counters), days, ['all']);
  const last = counted.daily(0).at(-1);
  const { attempts, prompts, required, snoozed, registered, failed } = counted.totals();
  return {
    attempts,
    prompts,
    required,
    snoozed,
    registered,
    failed,
    promptedUsers: last?.promptedUsers ?? 0,
    requiredUsers: last?.requiredUsers ?? 0,
  };
}

const tenant: PlainTenant = {
  users,
  days,
  chance: 0.5,
  snoozeDays: 3,
  limited: true,
  phones: 0.2,
  ssoSessions: 0.1,
  holders: 0.15,
  register: 0.12,
  close: 0.25,
  registerWhenRequired: 0.6,
  failure: 0.1,
};

describe('forecast and independent simulation', () => {
  test.each<[string, Partial<PlainTenant>]>([
    ['R5, R6: three days, limited', {}],
    ['R6: without limit', { limited: false, snoozeDays: 1 }],
    ['A5: no snooze at all', { snoozeDays: 0, register: 0.02 }],
    ['R5: two weeks, rare sign-ins', { snoozeDays: 14, chance: 0.15 }],
    ['R10.1: most hold the app already', { holders: 0.8, failure: 0.5 }],
    ['R9: everyone closes, no one registers', { register: 0, close: 1, registerWhenRequired: 0.01 }],
  ])('%s: all totals agree within four standard errors of two samples', (_, change) => {
    const given = { ...tenant, ...change };
    const forecast = computeForecast(given);
    const plain = simulatePlainly(given, randomSource(11));
    for (const [name, theirs] of nonEmpty(Object.entries(plain))) {
      const ours = forecast[name as keyof typeof forecast];
      // Counts of the same user are correlated, so the spread of a total exceeds that of independent events.
      const tolerance = 4 * Math.sqrt(ours + theirs) * 2 + 20;
      expect({ name, ours, near: Math.abs(ours - theirs) <= tolerance }).toEqual({ name, ours, near: true });
    }
  });
});
