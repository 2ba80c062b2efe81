import { describe, expect, it } from 'vitest';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import { tenantFactsSchema } from '../../../src/contract/facts.schema.ts';
import { compareImport } from '../../../src/replay/compare/compare-import.ts';
import type { Variant } from '../../../src/replay/compare/variant-evaluator.ts';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import { imported, written } from './import-work.ts';

function policy(method: string, snoozeDurationInDays: number): TenantFacts {
  const includeTargets = [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method }];
  return tenantFactsSchema.parse({ campaign: { state: 'enabled', snoozeDurationInDays, includeTargets } });
}

/** Sign-ins by user: times in January 2026, platform and registered method. */
const history: readonly [user: string, moments: readonly string[], os: string, browser: string, method: string][] = [
  [
    'ada',
    ['05T09:00:00', '05T15:00:00', '06T09:00:00', '07T08:59:59', '07T10:00:00', '08T10:00:00', '09T10:00:00'],
    'Windows 10',
    'Chrome 140',
    'SMS',
  ],
  ['ben', ['05T09:00:00', '06T09:00:00'], 'Windows 10', 'Edge 140', 'Authenticator App'],
  ['cleo', ['05T10:00:00', '06T10:00:00'], 'Ios 17', 'Mobile Safari', 'SMS'],
  ['dan', ['05T09:00:00', '06T09:00:00'], 'Windows 10', 'Chrome 140', 'SMS'],
  ['eve', ['05T09:00:00'], 'Windows 10', 'Chrome 140', 'SMS'],
  ['eve', ['05T10:00:00', '06T11:00:00'], 'MacOs', 'Safari 17', 'SMS'],
  ['fay', ['05T09:00:00'], 'Windows 10', 'Chrome 140', 'Previously satisfied'],
  ['gil', ['05T09:00:00'], 'Linux', 'Firefox 130', 'SMS'],
];

const rows = history.flatMap(([userId, moments, operatingSystem, browser, authenticationMethod]) =>
  moments.map((moment) => ({
    id: `${userId} ${moment}`,
    createdDateTime: `2026-01-${moment}Z`,
    correlationId: `${userId} ${moment}`,
    userId,
    userType: userId === 'dan' ? 'guest' : 'member',
    clientAppUsed: 'Browser',
    deviceDetail: { operatingSystem, browser },
    isInteractive: true,
    authenticationDetails: [
      { authenticationMethod, succeeded: true, authenticationStepRequirement: 'Conditional Access' },
    ],
    status: { errorCode: 0 },
  })),
);

const held: Readonly<Record<string, readonly string[]>> = {
  ben: ['microsoftAuthenticatorPush'],
  eve: ['mobilePhone', 'windowsHelloForBusiness'],
};
const registrations = ['ada', 'ben', 'cleo', 'dan', 'eve', 'fay', 'gil'].map((id) => ({
  id,
  userType: id === 'dan' ? 'guest' : 'member',
  isMfaCapable: true,
  methodsRegistered: held[id] ?? ['mobilePhone'],
}));

/**
 * Results calculated by hand. The baseline is an app campaign with a snooze of one day and the limit, in which all
 * users skip. Ada is prompted on the 5th, on the 6th after exactly 24 hours and on the 7th at 10:00, not at
 * 08:59:59. She is required on the 8th and 9th. Ben has registered the app and Cleo is on a phone. Dan is prompted
 * twice although he is a guest, Eve twice with one attempt during a snooze. Fay has an SSO session, and Gil is
 * prompted: 10 of 18. The entries below list the differences.
 */
const expected = {
  // Dan (guest), Eve on Windows and Gil (Linux) are no longer prompted: 4. Ben twice, Cleo twice, Eve's first on the
  // Mac: 5.
  passkey: {
    promptedInBaseline: 10,
    promptedInVariant: 11,
    newlyPrompted: 5,
    noLongerPrompted: 4,
    requiredBefore: 2,
    requiredAfter: 2,
  },
  // Ada is also prompted at 15:00 and at 08:59:59. The latter and all later ones are required. Eve is prompted once
  // more.
  'no days': {
    promptedInBaseline: 10,
    promptedInVariant: 13,
    newlyPrompted: 3,
    noLongerPrompted: 0,
    requiredBefore: 2,
    requiredAfter: 4,
  },
  off: {
    promptedInBaseline: 10,
    promptedInVariant: 0,
    newlyPrompted: 0,
    noLongerPrompted: 10,
    requiredBefore: 2,
    requiredAfter: 0,
  },
};

describe('18 attempts with results calculated by hand', () => {
  it('R5, R6, R10, R11, R12, R13.1: the numbers of prompts and required prompts match the specification', async () => {
    const log = written('log.json', JSON.stringify({ value: rows }));
    const report = written('reg.json', JSON.stringify({ value: registrations }));
    const made = await imported({ signIns: [log], registrations: report, policy: policy('vendorAuthenticator', 1) });
    const off = tenantFactsSchema.parse({ campaign: { state: 'disabled' } });
    const variants: Variant[] = [
      { name: 'passkey', apply: () => policy('fido2', 1), ruleset: seedRuleset },
      { name: 'no days', apply: () => policy('vendorAuthenticator', 0), ruleset: seedRuleset },
      { name: 'off', apply: () => off, ruleset: seedRuleset },
    ];
    const session = await DuckDbSession.open(made.folder, undefined, true);
    try {
      const comparison = await compareImport(session, made.folder, {
        variants,
        assumedAction: 'skip',
        ruleset: seedRuleset,
      });
      const totals = comparison.variants.map(({ name, totals: { certain, assumed } }) => [
        name,
        Object.fromEntries(
          Object.keys(expected.passkey).map((key) => [
            key,
            certain[key as keyof typeof certain] + assumed[key as keyof typeof assumed],
          ]),
        ),
      ]);
      expect(Object.fromEntries(totals)).toEqual(expected);
    } finally {
      session.close();
    }
  });
});
