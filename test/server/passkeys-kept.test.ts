import { describe, expect, test } from 'vitest';
import type { PasskeyPolicy } from '../../machines/vocabulary.ts';
import { type AuthenticatorProfile, zeroAaguid } from '../../src/authenticators/profile.ts';
import type { CreationOptionsJson } from '../../src/authenticators/webauthn-json.ts';
import { representativeAaguids } from '../../src/contract/aaguids.ts';
import { shareInFile } from '../share-in-file.ts';
import { listPasskeys } from './list-passkeys.ts';
import { atSetup, createAuthenticator, expectFailed } from './passkey-set-up.ts';
import { passkeyCampaign, type Surroundings, startSite } from './site.ts';

const site = shareInFile(() => startSite());

const unknownAaguid = '11111111-2222-4333-8444-555555555555';

/** Creates a tenant with a passkey campaign and the given passkey policy. */
function policy(fido2: object): Surroundings {
  return { tenant: { ...passkeyCampaign, methodsPolicy: { fido2 } } };
}

describe('passkey type detection', () => {
  const made = [
    ['known', 'windows', { aaguid: representativeAaguids.keychain, transports: ['usb'] }, 'keychain', 'known'],
    [
      'known',
      'macos',
      { aaguid: representativeAaguids['windows-bound'], transports: ['internal'] },
      'windows-bound',
      'known',
    ],
    ['unknown', 'windows', { aaguid: unknownAaguid, transports: ['usb'] }, 'security-key', 'derived'],
    ['unknown', 'windows', { aaguid: unknownAaguid, transports: ['internal'] }, 'windows-bound', 'derived'],
    [
      'unknown',
      'windows',
      { aaguid: unknownAaguid, transports: ['internal'], backupEligible: true },
      'password-manager',
      'derived',
    ],
    [
      'unknown',
      'macos',
      { aaguid: unknownAaguid, transports: ['internal'], backupEligible: true },
      'keychain',
      'derived',
    ],
    ['nameless', 'macos', { aaguid: null, transports: ['internal'] }, 'mac-platform-sso', 'derived'],
    [
      'nameless',
      'android',
      { aaguid: null, transports: ['internal', 'hybrid'], backupEligible: true },
      'handset-vendor',
      'derived',
    ],
    ['nameless', 'ios', { aaguid: null, transports: ['hybrid'], backupEligible: true }, 'security-key', 'derived'],
  ] as const;

  test.for(made)(
    'A51: a passkey of a model that is %s, created on %s with %j, has the type %s',
    async ([, os, profile, type, confidence]) => {
      const visitor = await atSetup(site, { attempt: { os } });
      const backupEligible = 'backupEligible' in profile;
      await visitor.make(createAuthenticator({ ...profile, backupEligible, backupState: backupEligible }));
      await visitor.press('Save');
      expect(listPasskeys(visitor.sandbox, 'ada')).toMatchObject([
        { type, credential: { kindConfidence: confidence, aaguid: profile.aaguid ?? zeroAaguid, backupEligible } },
      ]);
    },
  );

  test('A51: the passkey type in the form is ignored', async () => {
    const visitor = await atSetup(site);
    const options = visitor.options<CreationOptionsJson>('Create passkey');
    const answer = await createAuthenticator().create(options, { origin: visitor.origin });
    await visitor.press('Create passkey', {}, { credential: JSON.stringify(answer), passkeyType: 'keychain' });
    await visitor.press('Save');
    expect(listPasskeys(visitor.sandbox, 'ada')[0]?.type).toBe('security-key');
  });
});

describe('passkey names', () => {
  const script = `"><script>alert(1)</script>'&amp;`;

  test.for([script, 'x', 'n'.repeat(64), 'Ключ 🔑'])(
    'passkey name: %j is stored unchanged and escaped on display',
    async (name) => {
      const visitor = await atSetup(site);
      await visitor.make(createAuthenticator());
      await visitor.press('Save', { Name: `  ${name} ` });
      expect(visitor.page.name).toBe('signed-in');
      expect(listPasskeys(visitor.sandbox, 'ada')[0]).toMatchObject({ credential: { name } });
      const list = await visitor.load('/security-info');
      expect(list.page.name).toBe('security-info-list');
      expect(list.shown.text).not.toContain('<script>');
    },
  );

  test.for(['', '   ', 'n'.repeat(65)])('passkey name: %j shows the form again and registers nothing', async (name) => {
    const visitor = await atSetup(site);
    await visitor.make(createAuthenticator());
    const before = visitor.sandbox.entryCount;
    await visitor.press('Save', { Name: name });
    expect(visitor.seen).toEqual([400, 'setup-name']);
    expect([visitor.page.error === null, visitor.sandbox.entryCount]).toEqual([false, before]);
  });

  test('passkey name: a form without a name is shown again, and Next returns to the creation of a passkey', async () => {
    const visitor = await atSetup(site);
    await visitor.make(createAuthenticator());
    await visitor.send({ action: 'name-passkey' });
    expect(visitor.seen).toEqual([400, 'setup-name']);
    await visitor.send({ action: 'next' });
    expect(visitor.seen).toEqual([200, 'setup']);
    await visitor.make(createAuthenticator({}, { seed: 'another' }));
    await visitor.press('Save');
    expect(visitor.sandbox.directory.user('ada').passkeys).toHaveLength(1);
  });
});

describe('passkeys allowed by the policy', () => {
  const createProfile = (profile: Partial<PasskeyPolicy['profiles'][number]>): Surroundings =>
    policy({
      profiles: [{ id: 'only', ...profile }],
      includeTargets: [{ targetType: 'group', id: 'all_users', profiles: ['only'] }],
    });
  const synced = {
    aaguid: representativeAaguids.keychain,
    backupEligible: true,
    backupState: true,
    attestation: 'none',
  } as const;

  const refusedOnes: readonly (readonly [what: string, Surroundings, Partial<AuthenticatorProfile>])[] = [
    ['a block list names its kind', policy({ keyRestrictions: { type: 'block', kinds: ['security-key'] } }), {}],
    ['an allow list leaves its kind out', policy({ keyRestrictions: { type: 'allow', kinds: ['keychain'] } }), {}],
    ['a profile blocks its kind', createProfile({ keyRestrictions: { type: 'block', kinds: ['security-key'] } }), {}],
    ['a profile takes synced ones only', createProfile({ passkeyTypes: 'synced' }), {}],
    ['a profile takes device-bound ones only', createProfile({ passkeyTypes: 'deviceBound' }), synced],
    [
      'attestation is enforced and there is none',
      createProfile({ attestationEnforced: true }),
      { attestation: 'none' },
    ],
    [
      'attestation is enforced and it attests itself',
      createProfile({ attestationEnforced: true }),
      { attestation: 'packed-self' },
    ],
  ];

  test.for(refusedOnes)('R11.8: if %s, the error screen follows', async ([, surroundings, profile]) => {
    const visitor = await atSetup(site, surroundings);
    expectFailed(await visitor.make(createAuthenticator(profile)));
  });

  const admitted: typeof refusedOnes = [
    ['a block list names another kind', policy({ keyRestrictions: { type: 'block', kinds: ['keychain'] } }), {}],
    ['an allow list names its kind', policy({ keyRestrictions: { type: 'allow', kinds: ['security-key'] } }), {}],
    ['a profile takes synced ones only, and it is one', createProfile({ passkeyTypes: 'synced' }), synced],
    ['a profile takes device-bound ones only, and it is one', createProfile({ passkeyTypes: 'deviceBound' }), {}],
    ['attestation is enforced and a certificate attests it', createProfile({ attestationEnforced: true }), {}],
  ];

  test.for(admitted)('R10.1: if %s, it is registered', async ([, surroundings, profile]) => {
    const visitor = await atSetup(site, surroundings);
    await visitor.make(createAuthenticator(profile));
    expect(visitor.seen).toEqual([200, 'setup-name']);
    await visitor.press('Save');
    expect(visitor.sandbox.directory.user('ada').passkeys).toHaveLength(1);
  });

  test('R11.8: a policy that changes before the passkey is named is evaluated at the creation of the passkey', async () => {
    const visitor = await atSetup(site);
    await visitor.make(createAuthenticator());
    const changed = { methodsPolicy: { fido2: { keyRestrictions: { type: 'block', kinds: ['security-key'] } } } };
    await visitor.sandbox.directory.patchTenant(changed, 'control-api');
    await visitor.press('Save');
    expect(visitor.seen).toEqual([200, 'signed-in']);
  });
});
