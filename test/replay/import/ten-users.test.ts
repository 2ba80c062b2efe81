import { beforeAll, describe, expect, it } from 'vitest';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import { policyApplied, turnedOn } from '../../../src/cli/compare/variants.ts';
import type { Assumption, Changes, ComparedVariant } from '../../../src/contract/comparison.schema.ts';
import { compareImport } from '../../../src/replay/compare/compare-import.ts';
import type { Variant } from '../../../src/replay/compare/variant-evaluator.ts';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import { imported, mapping, newFolder, written } from './import-work.ts';

const sales = '11111111-1111-1111-1111-111111111111';
const staff = '22222222-2222-2222-2222-222222222222';
const all = '33333333-3333-3333-3333-333333333333';
const target = (id: string, method: string) => ({ targetType: 'group', id, targetedAuthenticationMethod: method });
const campaign = (changed: object) => ({
  registrationEnforcement: { authenticationMethodsRegistrationCampaign: changed },
});

interface Person {
  readonly days: readonly number[];
  readonly method?: string;
  readonly os?: string;
  readonly browser?: string;
  readonly single?: boolean;
  readonly failed?: boolean;
  readonly registered: readonly string[];
}

/** Ten users, each with one distinguishing property. All sign-ins are in February at 09:00. */
const people: Readonly<Record<string, readonly Person[]>> = {
  ann: [{ days: [2, 3, 4, 5, 6], registered: ['mobilePhone'] }],
  bob: [
    { days: [2, 5, 8, 11, 14], method: 'Authenticator App', registered: ['mobilePhone', 'microsoftAuthenticatorPush'] },
  ],
  cai: [{ days: [2, 3], os: 'Ios 18', browser: 'Mobile Safari', registered: ['mobilePhone'] }],
  dee: [{ days: [2, 3], os: 'Linux', browser: 'Firefox 130', registered: ['mobilePhone'] }],
  eva: [
    {
      days: [2, 3],
      method: 'Software OATH token',
      os: 'MacOs',
      browser: 'Safari 18',
      registered: ['softwareOneTimePasscode'],
    },
  ],
  fay: [{ days: [2, 3], single: true, registered: ['mobilePhone'] }],
  gus: [
    { days: [2], method: 'Previously satisfied', registered: ['officePhone'] },
    { days: [3], registered: ['officePhone'] },
  ],
  hal: [
    { days: [2], method: 'Windows Hello for Business', registered: ['mobilePhone', 'windowsHelloForBusiness'] },
    { days: [3], os: 'MacOs', registered: ['mobilePhone', 'windowsHelloForBusiness'] },
  ],
  ivy: [{ days: [2, 3], registered: ['mobilePhone'] }],
  jon: [
    { days: [2], failed: true, registered: ['mobilePhone'] },
    { days: [3], registered: ['mobilePhone'] },
  ],
};

const step = (authenticationMethod: string, authenticationStepRequirement: string, succeeded = true) => ({
  authenticationMethod,
  succeeded,
  authenticationStepRequirement,
});

const createRows = (
  userId: string,
  { days, method = 'SMS', os = 'Windows 11', browser = 'Chrome 140', single, failed }: Person,
) =>
  days.map((day) => ({
    id: `${userId}-${day}`,
    correlationId: `${userId}-${day}`,
    createdDateTime: `2026-02-${String(day).padStart(2, '0')}T09:00:00Z`,
    userId,
    clientAppUsed: 'Browser',
    deviceDetail: { operatingSystem: os, browser },
    isInteractive: true,
    authenticationRequirement: single ? 'singleFactorAuthentication' : 'multiFactorAuthentication',
    authenticationDetails: [
      step('Password', 'Primary authentication'),
      ...(single ? [] : [step(method, 'Conditional Access', !failed)]),
    ],
    status: { errorCode: failed ? 500_121 : 0 },
  }));

let folder = '';

beforeAll(async () => {
  const rows = Object.entries(people).flatMap(([user, kinds]) => kinds.flatMap((kind) => createRows(user, kind)));
  const registered = Object.entries(people).map(([id, [first]]) => ({
    id,
    isMfaCapable: true,
    methodsRegistered: first?.registered,
  }));
  ({ folder } = await imported({
    signIns: [written('log.json', JSON.stringify(rows))],
    registrations: written('registrations.json', JSON.stringify(registered)),
    groups: written('groups.csv', `user,group\nivy,${sales}\nann,${staff}\n`),
    policy: campaign({
      state: 'enabled',
      snoozeDurationInDays: 1,
      includeTargets: [target('all_users', 'microsoftAuthenticator')],
    }),
  }));
});

async function compared(variant: Omit<Variant, 'name'>, assume: Assumption = 'skip'): Promise<ComparedVariant> {
  const session = await DuckDbSession.open(newFolder(), undefined, true);
  try {
    const ruleset = rulesets.get(seedRuleset.id) ?? seedRuleset;
    const { users, attempts, variants } = await compareImport(session, folder, {
      variants: [{ name: 'it', ...variant }],
      assumedAction: assume,
      ruleset,
    });
    expect([attempts, users]).toEqual([26, 10]);
    return variants[0] as ComparedVariant;
  } finally {
    session.close();
  }
}

const policy = (body: object, rollout: readonly string[] = []) => ({
  apply: policyApplied(body, rollout, mapping),
  ruleset: null,
});
const passkeys = campaign({ includeTargets: [target('all_users', 'fido2')] });
const ruleset = { apply: turnedOn([]), ruleset: rulesets.get('2026-09') ?? null };

/**
 * Expected values, certain and assumed: prompted in the variant, and required among them. Then users with changes,
 * newly prompted users and users no longer prompted, and users required at their next sign-in.
 */
const table: readonly (readonly [string, Omit<Variant, 'name'>, Assumption, readonly number[]])[] = [
  [
    'R11.3, R11.6: passkeys: bob and cai are asked, dee is not, hal on the Mac alone',
    policy(passkeys),
    'skip',
    [7, 12, 0, 4, 4, 2, 2, 1],
  ],
  ['A41: passkeys, where the browser is closed', policy(passkeys), 'close', [7, 12, 0, 4, 4, 2, 2, 1]],
  ['R11.3: passkeys, where everyone registers', policy(passkeys), 'register', [7, 1, 0, 0, 7, 3, 2, 0]],
  ['A5: no days between prompts', policy(campaign({ snoozeDurationInDays: 0 })), 'skip', [7, 8, 0, 2, 0, 0, 0, 1]],
  [
    'R6: without a limit',
    policy(campaign({ enforceRegistrationAfterAllowedSnoozes: false })),
    'skip',
    [7, 8, 0, 0, 1, 0, 0, 0],
  ],
  [
    'A20: a free tenant is limited',
    policy({ subscription: 'free', campaign: { enforceRegistrationAfterAllowedSnoozes: false } }),
    'skip',
    [7, 8, 0, 2, 0, 0, 0, 1],
  ],
  ['C1: disabled', policy(campaign({ state: 'disabled' })), 'skip', [0, 0, 0, 0, 10, 0, 7, 0]],
  [
    'S1: a group that ivy is in',
    policy(campaign({ includeTargets: [target(sales, 'microsoftAuthenticator')] })),
    'skip',
    [1, 1, 0, 0, 9, 0, 6, 0],
  ],
  [
    'S2: without a group that ann is in',
    policy(campaign({ excludeTargets: [{ targetType: 'group', id: staff }] })),
    'skip',
    [6, 4, 0, 0, 1, 0, 1, 0],
  ],
  [
    'A14: a group that the group of ivy is in',
    policy({ groups: { [sales]: [all] }, campaign: { includeTargets: [target(all, 'vendorAuthenticator')] } }),
    'skip',
    [1, 1, 0, 0, 9, 0, 6, 0],
  ],
  [
    'R10.2: the app is disabled',
    policy({ methodsPolicy: { authenticator: { state: 'disabled' } } }),
    'skip',
    [0, 0, 0, 0, 8, 0, 7, 0],
  ],
  [
    'S3, A17: the provider before its rollout: three days, voice and text messages',
    policy({ campaign: { state: 'default' } }),
    'skip',
    [6, 1, 0, 0, 5, 0, 5, 1],
  ],
  [
    'A19: the provider after it, but for the limit',
    policy({ campaign: { state: 'default' } }, ['method', 'snoozeDays', 'targeting']),
    'skip',
    [7, 12, 0, 4, 4, 2, 2, 1],
  ],
  ['M1: the ruleset of September 2026', ruleset, 'skip', [5, 7, 0, 2, 3, 0, 2, 1]],
];

describe('ten users with results calculated by hand', { timeout: 60_000 }, () => {
  it.each(table)('%s', async (_name, variant, assume, expected) => {
    const { totals, users, requiredAtNextSignIn } = await compared(variant, assume);
    const sum = (key: keyof Changes): number => totals.certain[key] + totals.assumed[key];
    const before = assume === 'register' ? [7, 0] : [15, 2];
    expect([sum('promptedInBaseline'), sum('requiredBefore')]).toEqual(before);
    const { certain, assumed } = totals;
    expect([
      certain.promptedInVariant,
      assumed.promptedInVariant,
      certain.requiredAfter,
      assumed.requiredAfter,
      users.changed,
      users.newlyPrompted,
      users.noLongerPrompted,
      requiredAtNextSignIn.ifAppliedNow.users,
    ]).toEqual(expected);
  });
});
