import { describe, expect, test } from 'vitest';
import { allowsPasskey } from '../../machines/passkey-profiles.ts';
import type { KeyRestrictions, PasskeyProfile, PasskeyType } from '../../machines/vocabulary.ts';
import { keys } from './facts-builder.ts';

type Made = readonly [type: PasskeyType, attested: boolean];
type Row = readonly [
  passkeyTypes: PasskeyProfile['passkeyTypes'],
  attestationEnforced: boolean,
  restrictions: KeyRestrictions | null,
  admitted: readonly Made[],
];

/** Passkeys of each kind that a profile can distinguish: synced or device-bound, attested or not. */
const made: readonly Made[] = [
  ['keychain', false],
  ['keychain', true],
  ['security-key', false],
  ['security-key', true],
];
const [syncedPlain, syncedAttested, boundPlain, boundAttested] = made as readonly [Made, Made, Made, Made];

/** Passkeys that one profile allows, derived by hand from the meaning of profiles (A29, A31). */
const rows: readonly Row[] = [
  ['any', false, null, made],
  ['any', true, null, [syncedAttested, boundAttested]],
  ['synced', false, null, [syncedPlain, syncedAttested]],
  ['synced', true, null, [syncedAttested]],
  ['deviceBound', false, null, [boundPlain, boundAttested]],
  ['deviceBound', true, null, [boundAttested]],
  ['any', false, keys('allow', 'keychain'), [syncedPlain, syncedAttested]],
  ['any', false, keys('block', 'keychain'), [boundPlain, boundAttested]],
  ['any', true, keys('allow', 'keychain'), [syncedAttested]],
  ['any', true, keys('block', 'keychain'), [boundAttested]],
  ['synced', false, keys('allow', 'security-key'), []],
  ['synced', false, keys('block', 'security-key'), [syncedPlain, syncedAttested]],
  ['deviceBound', false, keys('allow', 'security-key', 'keychain'), [boundPlain, boundAttested]],
  ['deviceBound', false, keys('block', 'security-key', 'keychain'), []],
  ['any', false, keys('allow'), []],
  ['any', false, keys('block'), made],
];

const open: PasskeyProfile = { id: 'open', passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: null };

function admits(restrictions: KeyRestrictions | null, profiles: readonly PasskeyProfile[], [type, attested]: Made) {
  const policy = { includeTargets: [], profiles: [], keyRestrictions: restrictions };
  return allowsPasskey(policy, profiles, { type, attested });
}

describe('passkeys that a policy allows', () => {
  test.for(rows)(
    'A29: a profile for %s with attestation enforced %s and keys %j allows the passkeys of its row',
    (row) => {
      const [passkeyTypes, attestationEnforced, keyRestrictions, admitted] = row;
      const profile = { id: 'p', passkeyTypes, attestationEnforced, keyRestrictions };
      expect(made.filter((one) => admits(null, [profile], one))).toEqual(admitted);
    },
  );

  test('A31: passkeys of password managers, keychains and handset vendors are synced, and others are device-bound', () => {
    const synced = { ...open, passkeyTypes: 'synced' } as const;
    const bound = { ...open, passkeyTypes: 'deviceBound' } as const;
    const table: Readonly<Record<PasskeyType, 'synced' | 'deviceBound'>> = {
      'windows-hello-for-business': 'deviceBound',
      'windows-bound': 'deviceBound',
      'password-manager': 'synced',
      keychain: 'synced',
      'mac-platform-sso': 'deviceBound',
      'handset-vendor': 'synced',
      'authenticator-app': 'deviceBound',
      'security-key': 'deviceBound',
    };
    const types = Object.keys(table) as readonly PasskeyType[];
    const admitted = types.map((type) => [
      type,
      [admits(null, [synced], [type, false]), admits(null, [bound], [type, false])],
    ]);
    expect(admitted).toEqual(types.map((type) => [type, [table[type] === 'synced', table[type] === 'deviceBound']]));
  });

  test.for([
    [keys('allow', 'keychain'), [syncedPlain, syncedAttested]],
    [keys('block', 'keychain'), [boundPlain, boundAttested]],
    [keys('allow'), []],
  ] as const)(
    'A29: the restrictions %j of the policy itself apply regardless of its profiles',
    ([restrictions, admitted]) => {
      expect(made.filter((one) => admits(restrictions, [open], one))).toEqual(admitted);
    },
  );

  test('A29: one profile that allows a passkey is enough, at any position, and no profile allows nothing', () => {
    const shut = { ...open, id: 'shut', keyRestrictions: keys('allow') };
    expect(admits(null, [shut, open], boundPlain)).toBe(true);
    expect(admits(null, [open, shut], boundPlain)).toBe(true);
    expect([admits(null, [shut, shut], boundPlain), admits(null, [], boundPlain)]).toEqual([false, false]);
  });

  test('A29: two profiles that each meet one requirement are not combined', () => {
    const synced = { ...open, passkeyTypes: 'synced' } as const;
    const attested = { ...open, passkeyTypes: 'deviceBound', attestationEnforced: true } as const;
    expect(made.filter((one) => admits(null, [synced, attested], one))).toEqual([
      syncedPlain,
      syncedAttested,
      boundAttested,
    ]);
  });
});
