import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer } from './directory-server.ts';

const policy = 'policies/authenticationMethodsPolicy';
const configurations = `${policy}/authenticationMethodConfigurations`;
const group = '4d8c2f10-6a3e-4b57-9c21-7e5f0a9b1c01';
const context = 'includeTargets@odata.context';

type Configuration = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly includeTargets: readonly object[];
};

const dialects = [
  { dialect: 'seed', prefix: 'graph.', hasContext: false },
  { dialect: 'entra', prefix: 'microsoft.graph.', hasContext: true },
] as const;

describe.for(dialects)(
  'DIR55: targets of configurations in the dialect $dialect',
  ({ dialect, prefix, hasContext }) => {
    let server: DirectoryServer;
    beforeAll(async () => {
      server = await DirectoryServer.start({ settings: { dialect } });
    });
    afterAll(() => server.stop());

    async function readAll(): Promise<readonly Configuration[]> {
      const { body: whole } = await server.ask(`/beta/${policy}`);
      const { body: list } = await server.ask(`/beta/${configurations}`);
      const listed = list.value as readonly Configuration[];
      const single = await Promise.all(
        listed.map(
          async ({ id }) => (await server.ask(`/beta/${configurations}/${id}`)).body as unknown as Configuration,
        ),
      );
      return [...(whole['authenticationMethodConfigurations'] as readonly Configuration[]), ...listed, ...single];
    }

    test(`the context of the targets ${hasContext ? 'stands before them' : 'is not there'}, in each response`, async () => {
      for (const one of nonEmpty(await readAll())) {
        const type = `${prefix}${String(one['@odata.type']).split('.').at(-1)}`;
        const keys = Object.keys(one);
        const metadata = `${server.url}/beta/$metadata#`;
        if (hasContext) {
          const path = String(one[context])
            .replace(metadata, '')
            .replace(/^policies\//, '');
          expect(path).toBe(
            `authenticationMethodsPolicy/authenticationMethodConfigurations('${one.id}')/${type}/includeTargets`,
          );
          expect(keys.indexOf('includeTargets')).toBe(keys.indexOf(context) + 1);
        } else expect(keys).not.toContain(context);
      }
    });

    test('each target has its type, its id and isRegistrationRequired', async () => {
      const targets = (await readAll()).flatMap(({ includeTargets }) => includeTargets);
      for (const target of nonEmpty(targets)) {
        expect(target).toMatchObject({
          targetType: expect.stringMatching(/^(user|group)$/),
          id: expect.any(String),
          isRegistrationRequired: expect.any(Boolean),
        });
      }
    });

    test.for([
      ['Sms', 'sms', {}],
      ['Voice', 'voice', {}],
      ['Fido2', 'fido2', { allowedPasskeyProfiles: [] }],
    ] as const)('%s: a target keeps what was sent, and unknownFutureValue is not accepted', async ([id, type, own]) => {
      const path = `/v1.0/${configurations}/${id}`;
      const send = (targetType: string) =>
        server.ask(path, {
          method: 'PATCH',
          body: {
            '@odata.type': `#${prefix}${type}AuthenticationMethodConfiguration`,
            includeTargets: [{ targetType, id: group, isRegistrationRequired: true, ...own }],
          },
        });
      const before = (await server.ask(path)).body;
      const refused = await send('unknownFutureValue');
      expect([refused.status, refused.body.error]).toMatchObject([
        400,
        { details: [{ target: 'includeTargets[0].targetType' }] },
      ]);
      expect((await server.ask(path)).body).toEqual(before);
      for (const targetType of ['user', 'group']) {
        expect((await send(targetType)).status).toBe(204);
        const { includeTargets } = (await server.ask(path)).body as unknown as Configuration;
        expect(includeTargets).toEqual([
          expect.objectContaining({ targetType, id: group, isRegistrationRequired: true, ...own }),
        ]);
      }
    });
  },
);

test('DIR55: in seed, the list has the eight configurations of the specification, and others once they were changed', async () => {
  const server = await DirectoryServer.start();
  const eight = [
    'Fido2',
    'VendorAuthenticator',
    'Sms',
    'Voice',
    'SoftwareOath',
    'HardwareOath',
    'TemporaryAccessPass',
    'Email',
  ];
  expect(await server.list(`/v1.0/${configurations}`)).toEqual(eight);
  const path = `/v1.0/${configurations}/QRCodePin`;
  expect((await server.ask(path)).body).toMatchObject({
    id: 'QRCodePin',
    state: 'disabled',
    includeTargets: [{ id: 'all_users' }],
  });
  const body = { '@odata.type': '#graph.qrCodePinAuthenticationMethodConfiguration', state: 'enabled' };
  await server.ask(path, { method: 'PATCH', body });
  expect(await server.list(`/v1.0/${configurations}`)).toEqual([...eight, 'QRCodePin']);
  await server.ask(path, { method: 'DELETE' });
  expect(await server.list(`/v1.0/${configurations}`)).toEqual(eight);
  await server.stop();
});

describe('DIR55: isAttestationEnforced and passkey profiles', () => {
  const profile = (id: number, attestationEnforcement: string) => ({
    id: `00000000-0000-0000-0000-00000000000${id}`,
    name: `Profile ${id}`,
    passkeyTypes: 'deviceBound,synced',
    attestationEnforcement,
    keyRestrictions: { isEnforced: false, enforcementType: 'allow', aaGuids: [] },
  });
  const off = [profile(1, 'disabled'), profile(2, 'disabled')];
  const usual = { defaultPasskeyProfile: off[1]?.id };

  test.for<[title: string, bodies: readonly object[], expected: readonly [boolean, ...string[]]]>([
    ['no profile keeps the flag', [{ isAttestationEnforced: true }], [true]],
    [
      'the flag writes the default profile',
      [{ passkeyProfiles: off, ...usual }, { isAttestationEnforced: true }],
      [true, 'disabled', 'registrationOnly'],
    ],
    [
      'the flag writes every profile if none is the default',
      [{ passkeyProfiles: off }, { defaultPasskeyProfile: null }, { isAttestationEnforced: true }],
      [true, 'registrationOnly', 'registrationOnly'],
    ],
    [
      'the flag writes profiles that the request only repeats',
      [
        { passkeyProfiles: off, ...usual },
        { passkeyProfiles: off, ...usual, isAttestationEnforced: true },
      ],
      [true, 'disabled', 'registrationOnly'],
    ],
    [
      'a profile that the request sets itself keeps its value',
      [{ passkeyProfiles: [profile(1, 'disabled')], isAttestationEnforced: true }],
      [false, 'disabled'],
    ],
    [
      'the flag follows the default profile',
      [{ passkeyProfiles: [profile(1, 'disabled'), profile(2, 'registrationOnly')], ...usual }],
      [true, 'disabled', 'registrationOnly'],
    ],
  ])('%s', async ([, bodies, [flag, ...profiles]]) => {
    const server = await DirectoryServer.start();
    const path = `/v1.0/${configurations}/fido2`;
    for (const body of nonEmpty(bodies)) {
      const patch = { '@odata.type': '#graph.fido2AuthenticationMethodConfiguration', ...body };
      expect((await server.ask(path, { method: 'PATCH', body: patch })).status).toBe(204);
    }
    const { body } = await server.ask(path);
    const read = (body['passkeyProfiles'] as readonly { readonly attestationEnforcement: string }[]).map(
      ({ attestationEnforcement }) => attestationEnforcement,
    );
    expect([body['isAttestationEnforced'], ...read]).toEqual([flag, ...profiles]);
    await server.stop();
  });
});
