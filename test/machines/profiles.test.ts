import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { seedRuleset, september2026Ruleset } from '../../machines/rulesets/built-in.ts';
import type { PasskeyProfile, PasskeyType, Ruleset } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { profileChecks } from './decision-checks.ts';
import { type Change, enabledFacts, hasProfiles, holdsPasskey, keys, managedFacts } from './facts-builder.ts';
import { columns } from './tables/matrix.ts';
import { profileMatrices, seedProfiles, septemberProfiles } from './tables/profiles.ts';
import { wrongRows } from './wrong-rows.ts';

function gate(id: 'R11.3' | 'R11.7', ruleset: Ruleset, ...changes: readonly Change[]): string {
  const trace = evaluate(managedFacts('fido2', ...changes), ruleset).rules.find((rule) => rule.id === id);
  return trace?.outcome === 'stopped' ? trace.reason : (trace?.outcome ?? 'missing');
}

const unrestricted = { passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: null } as const;
const syncedOnly = { ...unrestricted, passkeyTypes: 'synced' } as const;
const blocking = { ...unrestricted, keyRestrictions: keys('block', 'security-key') } as const;

describe.for([
  { id: 'seed', ruleset: seedRuleset, rows: seedProfiles },
  { id: '2026-09', ruleset: september2026Ruleset, rows: septemberProfiles },
] as const)('R11.7 in ruleset $id', ({ id, ruleset, rows }) => {
  test('R11.7: the table has a result for every combination', () => {
    expect(rows.map(([, , marks]) => marks.length)).toEqual([12, 12, 12, 12, 12, 12]);
  });

  test('R11.7: every combination of restrictions stops or passes as its table entry specifies', () => {
    expect(profileChecks(id)).toHaveLength(72);
    expect(wrongRows(profileChecks(id), (facts) => evaluate(facts, ruleset))).toEqual([]);
  });

  test('R11.7: a missing profile is one unrestricted profile (A29)', () => {
    expect(gate('R11.7', ruleset, hasProfiles())).toBe('met');
  });

  test('R11.7: one passing profile is sufficient, in any position (A29)', () => {
    expect(gate('R11.7', ruleset, hasProfiles(blocking, unrestricted))).toBe('met');
    expect(gate('R11.7', ruleset, hasProfiles(unrestricted, blocking))).toBe('met');
    expect(gate('R11.7', ruleset, hasProfiles(blocking, blocking))).toBe('restricted-profile');
  });

  test('R11.7: the profiles are those of all targets that include the user, and no others', () => {
    const byTargets = (...targets: readonly (readonly [string, readonly string[]])[]): Change => {
      return ({ tenant: { methodsPolicy, ...tenant }, user }) => {
        user.groups = ['team'];
        Object.assign(tenant.groups, { team: ['staff'] });
        methodsPolicy.fido2.profiles = [
          { id: 'open', ...unrestricted },
          { id: 'shut', ...structuredClone(blocking), keyRestrictions: { type: 'block', kinds: [] } },
        ];
        methodsPolicy.fido2.includeTargets = targets.map(([id, profiles]) => ({
          targetType: id === 'ada' || id === 'ben' ? 'user' : 'group',
          id,
          profiles: [...profiles],
        }));
      };
    };
    expect(gate('R11.7', ruleset, byTargets(['ada', ['shut']], ['ben', ['open']]))).toBe('restricted-profile');
    expect(gate('R11.7', ruleset, byTargets(['ada', ['shut']], ['staff', ['open']]))).toBe('met');
    expect(gate('R11.7', ruleset, byTargets(['ben', ['shut']], ['all_users', ['open']]))).toBe('met');
    expect(gate('R11.7', ruleset, byTargets(['all_users', ['shut']]))).toBe('restricted-profile');
  });

  test('R11.7: an enabled campaign evaluates no profile', () => {
    const trace = evaluate(enabledFacts('fido2', hasProfiles(blocking)), ruleset).rules.find(
      ({ id }) => id === 'R11.7',
    );
    expect(trace?.outcome).toBe('not-applicable');
  });
});

describe('A30, A31: matrix by profile', () => {
  const types: readonly PasskeyType[] = [
    'windows-hello-for-business',
    'windows-bound',
    'password-manager',
    'keychain',
    'mac-platform-sso',
    'handset-vendor',
    'authenticator-app',
    'security-key',
  ];

  /** Evaluates the cells of one passkey type. A value of 1 means that the matrix gate stops. */
  function listCells(type: PasskeyType, profiles: readonly Omit<PasskeyProfile, 'id'>[], ...more: readonly Change[]) {
    return columns.map(({ os, browser }) => {
      const here: Change = ({ attempt }) => Object.assign(attempt, { os, browser });
      const outcome = gate('R11.3', september2026Ruleset, hasProfiles(...profiles), holdsPasskey(type), here, ...more);
      return outcome === 'local-passkey' ? 1 : 0;
    });
  }

  test.for(nonEmpty(profileMatrices))('A30: $claim', ({ profiles, suppress }) => {
    const line = (type: PasskeyType, cells: readonly number[]): string => `${type} in 2026-09: ${cells.join(' ')}`;
    const evaluated = types.map((type) => line(type, listCells(type, profiles)));
    expect(evaluated).toEqual(types.map((type) => line(type, suppress[type] ?? [0, 0, 0, 0, 0, 0])));
  });

  test('A31: a list overrides strictDevice, the table does not', () => {
    const elsewhere: Change = ({ tenant, user }) => {
      tenant.options.strictDevice = true;
      user.passkeys = user.passkeys.map((passkey) => ({ ...passkey, deviceId: 'device-2' }));
    };
    const listed = { ...unrestricted, keyRestrictions: keys('allow', 'windows-bound') };
    expect(listCells('windows-bound', [listed], elsewhere)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(listCells('windows-bound', [unrestricted], elsewhere)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(listCells('security-key', [unrestricted], elsewhere)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('A30: the `seed` ruleset uses the whole table with any profiles', () => {
    const stopped = types.filter(
      (type) => gate('R11.3', seedRuleset, hasProfiles(syncedOnly), holdsPasskey(type)) === 'local-passkey',
    );
    expect(stopped).toEqual([
      'windows-hello-for-business',
      'windows-bound',
      'password-manager',
      'authenticator-app',
      'security-key',
    ]);
  });

  test('A30: enabled campaigns use the whole table in ruleset 2026-09 too', () => {
    const facts = enabledFacts('fido2', hasProfiles(syncedOnly), holdsPasskey('windows-bound'));
    expect(evaluate(facts, september2026Ruleset).reason).toBe('local-passkey');
  });

  test('A30: the profile gate stops a user without an eligible profile before any passkey is evaluated', () => {
    const facts = managedFacts('fido2', hasProfiles(blocking), holdsPasskey('security-key'));
    expect(evaluate(facts, september2026Ruleset).reason).toBe('restricted-profile');
    expect(evaluate(facts, seedRuleset).reason).toBe('restricted-profile');
  });
});
