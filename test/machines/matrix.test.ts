import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { getPlatform } from '../../machines/platform.ts';
import { september2026Ruleset } from '../../machines/rulesets/2026-09.ts';
import { seedRuleset } from '../../machines/rulesets/seed.ts';
import type { Facts, PasskeyType, Ruleset } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { matrixChecks } from './decision-checks.ts';
import { type Change, enabledFacts, holdsPasskey } from './facts-builder.ts';
import { columns, platformTable, seedMatrix, septemberMatrix } from './tables/matrix.ts';
import { wrongRows } from './wrong-rows.ts';

/** On the device and browser of a column. */
function on({ os, browser }: Pick<Facts['attempt'], 'os' | 'browser'>): Change {
  return ({ attempt }) => {
    attempt.os = os;
    attempt.browser = browser;
  };
}

function reasonOf(ruleset: Ruleset, ...changes: readonly Change[]): string | null {
  return evaluate(enabledFacts('fido2', ...changes), ruleset).reason;
}

describe.for([
  { id: 'seed', ruleset: seedRuleset, matrix: seedMatrix },
  { id: '2026-09', ruleset: september2026Ruleset, matrix: septemberMatrix },
] as const)('R12 in ruleset $id', ({ id, ruleset, matrix }) => {
  const judging = (facts: Facts) => evaluate(facts, ruleset);

  test('R12: the table has 8 rows and 6 columns, and so has the ruleset', () => {
    expect(matrixChecks(id)).toHaveLength(48);
    expect(Object.keys(ruleset.matrix).sort()).toEqual(matrix.map(([type]) => type).sort());
  });

  test('R12: every passkey type suppresses on the platforms that the table says, and on no other', () => {
    expect(wrongRows(matrixChecks(id), judging)).toEqual([]);
  });

  test('R11.3: a passkey made on another device counts all the same, by default (A9)', () => {
    expect(wrongRows(matrixChecks(id, 'device-2'), judging)).toEqual([]);
  });

  test('R11.3: a user without passkeys is asked on every platform that has a column', () => {
    expect(columns.map((column) => reasonOf(ruleset, on(column)))).toEqual([null, null, null, null, null, null]);
  });

  test('R11.3: one passkey that suppresses is enough, wherever it stands in the list', () => {
    const keychainOnMac = [on({ os: 'macos', browser: 'safari' })];
    const others = ['handset-vendor', 'windows-bound'] as const;
    const lists: readonly (readonly PasskeyType[])[] = [
      ['keychain', ...others],
      [...others, 'keychain'],
    ];
    for (const list of lists) {
      expect(reasonOf(ruleset, ...list.map((type) => holdsPasskey(type)), ...keychainOnMac)).toBe('local-passkey');
    }
    expect(reasonOf(ruleset, ...others.map((type) => holdsPasskey(type)), ...keychainOnMac)).toBeNull();
  });
});

describe('A9, A32: strictDevice', () => {
  const strict: Change = ({ tenant }) => {
    tenant.options.strictDevice = true;
  };

  /** Suppression on this device, and by the same passkey made elsewhere: A32 covers three types. */
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
    'A32: %s on %s with %s: here %s, made elsewhere %s',
    ([type, os, browser, here, elsewhere]) => {
      for (const ruleset of [seedRuleset, september2026Ruleset]) {
        const reasons = ['device-1', 'device-2'].map((deviceId) =>
          reasonOf(ruleset, strict, holdsPasskey(type, deviceId), on({ os, browser })),
        );
        expect(reasons).toEqual([here, elsewhere]);
      }
    },
  );

  test('A9: strictDevice never widens a row: Windows Hello made here does not suppress on a Mac', () => {
    const mac = on({ os: 'macos', browser: 'chrome' });
    expect(reasonOf(seedRuleset, strict, holdsPasskey('windows-hello-for-business'), mac)).toBeNull();
  });
});

describe('R12: platforms', () => {
  const rows = platformTable.flatMap(([os, row]) =>
    Object.entries(row).map(([browser, platform]) => ({ os, browser, platform })),
  );

  test.for(nonEmpty(rows))('A36: $os with browser $browser is $platform', ({ os, browser, platform }) => {
    const given = browser === 'none' ? null : (browser as NonNullable<Facts['attempt']['browser']>);
    expect(getPlatform({ os, browser: given })).toBe(platform);
  });

  test.for(['linux', 'unknown'] as const)('R11.3: on %s there is no column to look at', (os) => {
    const facts = enabledFacts('fido2', holdsPasskey('security-key'), on({ os, browser: 'chrome' }));
    const trace = evaluate(facts, seedRuleset).rules.find(({ id }) => id === 'R11.3');
    expect(trace?.outcome).toBe('not-applicable');
  });
});
