import { expect, test } from 'vitest';
import type { ForecastInput } from '../../src/contract/forecast.schema.ts';
import { forecast } from '../../src/forecast/forecast-once.ts';
import { createCampaignForAll, officeTenant } from './descriptions.ts';

/** Description of users with text messages and of users with the app alone, who sign in every weekday. */
function described(start: string, days: number, ruleset = 'announced'): ForecastInput {
  const { segments: _none, ...office } = officeTenant;
  return {
    ...office,
    ruleset,
    start,
    days,
    users: 400,
    tenant: { campaign: createCampaignForAll('vendorAuthenticator', 3, true) },
    segments: [
      { name: 'telephones', share: 0.5, users: [{ methods: ['sms'] }] },
      { name: 'apps', share: 0.5, users: [{ methods: ['authenticator-push'] }] },
    ],
  };
}

const problems = async (description: ForecastInput) => {
  const error: unknown = await forecast(description, { threads: 1 }).catch((cause: unknown) => cause);
  return (error as { problems?: readonly { location: string; message: string }[] }).problems ?? [];
};

test('OC58: a period within one edition has its rules', async () => {
  const before = await forecast(described('2026-07-01', 30), { threads: 1 });
  const september = await forecast(described('2026-07-01', 30, '2026-09'), { threads: 1 });
  expect(before.totals).toEqual(september.totals);
  const after = await forecast(described('2026-09-01', 59), { threads: 1 });
  expect(after.campaign).toEqual({ state: 'providerManaged', method: 'fido2', snoozeDays: 1, limited: false });
  expect(after.totals.required).toBe(0);
  expect(after.totals.prompts).toBeGreaterThan(0);
});

test('OC58: a date that changes no verdict may lie in the period', async () => {
  const report = await forecast(described('2026-10-01', 60), { threads: 1 });
  expect(report.totals.prompts).toBeGreaterThan(0);
});

test('OC58: a date that changes verdicts names the segments, what changes and the day', async () => {
  expect(await problems(described('2026-08-25', 30))).toEqual([
    { location: 'days', message: expect.stringContaining('edition 2026-09-01 on day 8') },
  ]);
  const [{ message } = { message: '' }] = await problems(described('2027-01-25', 20));
  expect(message).toContain('telephones: skippable prompt for fido2, 1 days, unlimited → required prompt for fido2');
  expect(message).not.toContain('apps:');
});

test('OC58: users who must register whatever they answered are named', async () => {
  const [{ location, message } = { location: '', message: '' }] = await problems(described('2027-02-01', 20));
  expect(location).toBe('ruleset');
  expect(message).toContain('users in telephones');
  expect(message).not.toContain('apps');
});
