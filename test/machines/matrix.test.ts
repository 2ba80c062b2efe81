import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { getPlatform } from '../../machines/platform.ts';
import { seedRuleset, september2026Ruleset } from '../../machines/rulesets/built-in.ts';
import type { Facts, PasskeyType, Ruleset } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { matrixChecks } from './decision-checks.ts';
import { type Change, enabledFacts, holdsPasskey } from './facts-builder.ts';
import { columns, platformTable, seedMatrix, septemberMatrix } from './tables/matrix.ts';
import { wrongRows } from './wrong-rows.ts';

/** Returns a change to the operating system and browser of a column. */
function on({ os, browser }: Pick<Facts['attempt'], 'os' | 'browser'>): Change {
  return ({ attempt }) => {
    attempt.os = os;
    attempt.browser = browser;
  };
}

function findReason(ruleset: Ruleset, ...changes: readonly Change[]): string | null {
  return evaluate(enabledFacts('fido2', ...changes), ruleset).reason;
}

describe.for([
  { id: 'seed', ruleset: seedRuleset, matrix: seedMatrix },
  { id: '2026-09', ruleset: september2026Ruleset, matrix: septemberMatrix },
] as const)('R12: suppression matrix in ruleset $id', ({ id, ruleset, matrix }) => {
  const judging = (facts: Facts) => evaluate(facts, ruleset);

  test('R12: the table and the ruleset have 8 rows and 6 columns', () => {
    expect(matrixChecks(id)).toHaveLength(48);
    expect(Object.keys(ruleset.matrix).sort()).toEqual(matrix.map(([type]) => type).sort());
  });

  test('R12: every passkey type suppresses the prompt on the platforms in the table, and on no other platform', () => {
    expect(wrongRows(matrixChecks(id), judging)).toEqual([]);
  });

  test('R11.3: a passkey from another device also suppresses the prompt by default (A9)', () => {
    expect(wrongRows(matrixChecks(id, 'device-2'), judging)).toEqual([]);
  });

  test('R11.3: a user without passkeys is prompted on every platform that has a column', () => {
    expect(columns.map((column) => findReason(ruleset, on(column)))).toEqual([null, null, null, null, null, null]);
  });

  test('R11.3: one passkey that suppresses the prompt is enough, at any position in the list', () => {
    const keychainOnMac = [on({ os: 'macos', browser: 'safari' })];
    const others = ['handset-vendor', 'windows-bound'] as const;
    const lists: readonly (readonly PasskeyType[])[] = [
      ['keychain', ...others],
      [...others, 'keychain'],
    ];
    for (const list of lists) {
      expect(findReason(ruleset, ...list.map((type) => holdsPasskey(type)), ...keychainOnMac)).toBe('local-passkey');
    }
    expect(findReason(ruleset, ...others.map((type) => holdsPasskey(type)), ...keychainOnMac)).toBeNull();
  });
});

describe('A9, A32: strictDevice', () => {
  const strict: Change = ({ tenant }) => {
    tenant.options.strictDevice = true;
  };

  /** Reasons for a passkey from this device and for one from another device. A32 covers three types. */
  const rows = [
    ['windows-hello-for-business', 'windows', 'chrome', 'local-passkey', null],
    ['windows-bound', 'windows', 'edge', 'local-passkey', null],
    ['mac-platform-sso', 'macos', 'safari', 'local-passkey', null],
    ['password-manager', 'windows', 'chrome', 'local-passkey', 'local-passkey'],
    ['keychain', 'macos', 'safari', 'local-passkey', 'local-passkey'],
    ['handset-vendor', 'android', 'chrome', 'local-passkey', 'local-passkey'],
    ['authenticator-app', 'ios', 'safari', 'local-passkey', 'local-passkey'],
    ['security-key', 'windows', 'chrome', 'local-passkey', 'local-passkey'],
  ] as const;

  test.for(nonEmpty(rows))(
    'A32: %s on %s with %s has the reason %s from this device, and %s from another device',
    ([type, os, browser, here, elsewhere]) => {
      for (const ruleset of [seedRuleset, september2026Ruleset]) {
        const reasons = ['device-1', 'device-2'].map((deviceId) =>
          findReason(ruleset, strict, holdsPasskey(type, deviceId), on({ os, browser })),
        );
        expect(reasons).toEqual([here, elsewhere]);
      }
    },
  );

  test('A9: strictDevice never extends a row, so Windows Hello from this device does not suppress on a Mac', () => {
    const mac = on({ os: 'macos', browser: 'chrome' });
    expect(findReason(seedRuleset, strict, holdsPasskey('windows-hello-for-business'), mac)).toBeNull();
  });
});

describe('R12: platforms', () => {
  const rows = platformTable.flatMap(([os, row]) =>
    Object.entries(row).map(([browser, platform]) => ({ os, browser, platform })),
  );

  test.for(nonEmpty(rows))('A36: $os with browser $browser is the platform $platform', ({ os, browser, platform }) => {
    const given = browser === 'none' ? null : (browser as NonNullable<Facts['attempt']['browser']>);
    expect(getPlatform({ os, browser: given })).toBe(platform);
  });

  test.for(['linux', 'unknown'] as const)('R11.3: the matrix has no column for %s', (os) => {
    const facts = enabledFacts('fido2', holdsPasskey('security-key'), on({ os, browser: 'chrome' }));
    const trace = evaluate(facts, seedRuleset).rules.find(({ id }) => id === 'R11.3');
    expect(trace?.outcome).toBe('not-applicable');
  });
});
