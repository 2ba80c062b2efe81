import { describe, expect, test } from 'vitest';
import type { PasskeyType } from '../../machines/vocabulary.ts';
import { AttestationAuthority, defaultAuthority } from '../../src/authenticators/attestation-authority.ts';
import { metadataBlob } from '../../src/authenticators/metadata-blob.ts';
import { representativeAaguids } from '../../src/contract/aaguids.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, Sandbox } from '../../src/sandbox/sandbox.ts';
import { nonEmpty } from '../non-empty.ts';
import { shareInFile } from '../share-in-file.ts';
import { listPasskeys } from './list-passkeys.ts';
import { atSetup, createAuthenticator, expectFailed } from './passkey-set-up.ts';
import { passkeyCampaign, type Surroundings, startSite } from './site.ts';

const site = shareInFile(() => startSite());

const enforced = {
  profiles: [{ id: 'only', attestationEnforced: true }],
  includeTargets: [{ targetType: 'group', id: 'all_users', profiles: ['only'] }],
};

/** Creates a tenant with metadata whose policy enforces attestation by default. */
function under(metadata: object | undefined, fido2: object = enforced): Surroundings {
  const tenant = { ...passkeyCampaign, methodsPolicy: { fido2 } };
  return metadata === undefined ? { tenant } : { tenant, settings: { passkeys: { metadata } } };
}

const securityKeys = { aaguid: representativeAaguids['security-key'], description: 'Key' };
const other = new AttestationAuthority({ ...defaultAuthority, seed: 'another root' });
const own = (options: Partial<Parameters<typeof metadataBlob>[0]> = {}) =>
  metadataBlob({ models: [securityKeys], ...options });

describe('attestation verification against metadata (FIDO Metadata Service, version 3)', () => {
  const trusted: readonly (readonly [what: string, metadata: object | undefined])[] = [
    ['metadata of the test root list it', { types: ['security-key'] }],
    ['a BLOB of the tester lists it', own()],
    ['no metadata are given, and any certificate will do', undefined],
  ];

  test.for(trusted)('R10.1: with enforced attestation, a model is registered if %s', async ([, metadata]) => {
    const visitor = await atSetup(site, under(metadata));
    await visitor.make(createAuthenticator());
    expect(visitor.seen).toEqual([200, 'setup-name']);
  });

  const refused: readonly (readonly [what: string, metadata: object, profile?: object])[] = [
    ['metadata list other models only', { types: ['windows-bound'] }],
    ['metadata report its key as compromised', { types: ['security-key'], compromised: ['security-key'] }],
    ['metadata are out of date', { types: ['security-key'], nextUpdate: '2025-12-31' }],
    ['its certificate leads to another root', own({ authority: other })],
    ['it attests itself', { types: ['security-key'] }, { attestation: 'packed-self' }],
    ['it does not attest', { types: ['security-key'] }, { attestation: 'none' }],
  ];

  test.for(refused)('R11.8: with enforced attestation, a model is rejected if %s', async ([, metadata, profile]) => {
    const visitor = await atSetup(site, under(metadata));
    expectFailed(await visitor.make(createAuthenticator(profile)));
  });

  test.for([
    ['metadata list other models only', { types: ['windows-bound'] }, {}],
    ['it does not attest', { types: ['security-key'] }, { attestation: 'none' }],
    ['it attests itself', { types: ['security-key'] }, { attestation: 'packed-self' }],
  ] as const)(
    'R10.1: without enforced attestation, a model is registered although %s',
    async ([, metadata, profile]) => {
      const visitor = await atSetup(site, under(metadata, {}));
      await visitor.make(createAuthenticator(profile));
      expect(visitor.seen).toEqual([200, 'setup-name']);
    },
  );

  test('metadata: each sandbox has its own metadata, even for concurrent requests', async () => {
    const pages = await Promise.all([
      atSetup(site, under({ types: ['windows-bound'] })),
      atSetup(site, under(undefined)),
      atSetup(site, under({ types: ['security-key'] })),
    ]);
    await Promise.all(pages.map((visitor) => visitor.make(createAuthenticator())));
    expect(pages.map(({ page }) => page.name)).toEqual(['error-screen', 'setup-name', 'setup-name']);
  });

  test('metadata: it expires by the virtual clock', async () => {
    const visitor = await atSetup(site, under({ types: ['security-key'], nextUpdate: '2026-03-01' }));
    await visitor.make(createAuthenticator());
    expect(visitor.seen).toEqual([200, 'setup-name']);
    const later = under({ types: ['security-key'], nextUpdate: '2026-03-01' });
    const clock = { nowMs: Date.UTC(2026, 3, 1), running: false };
    expectFailed(await (await atSetup(site, { ...later, clock })).make(createAuthenticator()));
  });
});

describe('agreement of model and server', () => {
  const types: readonly PasskeyType[] = ['security-key', 'windows-bound', 'keychain'];
  const cases = [
    undefined,
    { types: ['security-key'] },
    own(),
    { types: ['security-key'], compromised: ['security-key'] },
  ]
    .flatMap((metadata) => types.map((type) => [type, metadata] as const))
    .flatMap(([type, metadata]) => [enforced, {}].map((fido2) => [type, metadata, fido2] as const));

  test.for(nonEmpty(cases))(
    'R11.8, R10.1: model and server agree on a passkey of type %s under metadata %.40j and policy %.20j',
    async (row) => {
      const [type, metadata, fido2] = row;
      const visitor = await atSetup(site, under(metadata, fido2));
      await visitor.press('Finish', { 'Passkey type': type, Device: 'device-1' });
      const registered = visitor.page.name === 'setup-name';
      const { tenant, settings } = under(metadata, fido2);
      const sandbox = await Sandbox.create(
        'x',
        planSandbox({ tenant, settings, users: [{ id: 'ada' }] }),
        new MemoryStore(),
      );
      const { id } = await sandbox.signIns.start('ada');
      await sandbox.signIns.acceptPassword(id);
      await sandbox.signIns.completeMfa(id);
      await sandbox.signIns.selectNext(id);
      await sandbox.signIns.completeSetup(id, { type, deviceId: 'device-1' });
      expect(listPasskeys(sandbox, 'ada')).toHaveLength(registered ? 1 : 0);
    },
  );
});

describe('invalid metadata', () => {
  const place = 'settings.passkeys.metadata.blob';
  const { blob, roots } = own();
  const [header, payload, signature] = blob.split('.') as [string, string, string];
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"no":1', '"no":2')).toString(
    'base64url',
  );

  test.for([
    ['is signed by another root', { blob: own({ authority: other }).blob, roots }],
    ['was changed after it was signed', { blob: [header, forged, signature].join('.'), roots }],
  ] as const)('bad-request: a BLOB that %s is rejected, and nothing changes', async ([, metadata]) => {
    const { sandbox } = await site.visitor();
    const before = sandbox.entryCount;
    const problems = [{ location: place }];
    await expect(sandbox.directory.patchSettings({ passkeys: { metadata } }, 'control-api')).rejects.toMatchObject({
      code: 'bad-request',
      problems,
    });
    expect(sandbox.entryCount).toBe(before);
    const plan = planSandbox({ settings: { passkeys: { metadata } } });
    await expect(Sandbox.create('y', plan, new MemoryStore())).rejects.toMatchObject({ problems });
  });

  test.for([
    [{ blob: 'a.b.c', roots }],
    [{ blob: `${header}.${payload}`, roots }],
    [{ blob, roots: [] }],
    [{ blob, roots: ['no certificate'] }],
    [{ blob }],
    [{ types: [] }],
    [{ types: ['nothing'] }],
    [{ types: ['security-key'], nextUpdate: 'soon' }],
  ] as const)('bad-request: %.60j is rejected', async ([metadata]) => {
    const { sandbox } = await site.visitor();
    const change = sandbox.directory.patchSettings({ passkeys: { metadata } }, 'control-api');
    await expect(change).rejects.toMatchObject({ code: 'bad-request' });
  });
});
