import { parse } from 'node-html-parser';
import { describe, expect, test } from 'vitest';
import { getAuthenticatorProfile } from '../../src/authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import type { CreationOptionsJson, RequestOptionsJson, SignalsJson } from '../../src/authenticators/webauthn-json.ts';
import { holdingAuthenticator } from '../../src/scenario/drivers/http/authenticators.ts';
import { shareInFile } from '../share-in-file.ts';
import { listPasskeys } from './list-passkeys.ts';
import { createAuthenticator } from './passkey-set-up.ts';
import { type Surroundings, startSite } from './site.ts';
import type { Visitor } from './visitor.ts';

const site = shareInFile(() => startSite());

const quiet = { campaign: { state: 'disabled' } };
const upgrading = { passkeys: { conditionalCreate: true } };
const synced = { passkeys: [{ type: 'keychain', deviceId: 'phone' }] };

/** Opens the last page of Ada’s sign-in with a password. */
async function signedIn(surroundings: Surroundings = {}): Promise<Visitor> {
  const visitor = await (await site.visitor({ tenant: quiet, settings: upgrading, ...surroundings })).signIn();
  expect(visitor.page.name).toBe('not-nudged');
  return visitor;
}

function findUpgrade(visitor: Visitor): { options: CreationOptionsJson; address: string; token: string } | null {
  const place = parse(visitor.shown.text).querySelector('[data-upgrade]');
  if (place === null) return null;
  const attribute = (name: string) => place.getAttribute(name) ?? '';
  const address = new URL(attribute('data-address'), visitor.origin).href;
  return { options: JSON.parse(attribute('data-upgrade')), address, token: attribute('data-token') };
}

function signalsOn(visitor: Visitor): SignalsJson {
  const mark = parse(visitor.shown.text).querySelector('main')?.getAttribute('data-signals');
  return JSON.parse(mark ?? '{}') as SignalsJson;
}

const keychain = () => new SoftwareAuthenticator({ profile: getAuthenticatorProfile('keychain', 'macos') });

/** Sends the request of the page script and returns the status of the response. */
async function upgrade(
  visitor: Visitor,
  authenticator: SoftwareAuthenticator,
  { conditional = true, changes = {} }: { conditional?: boolean; changes?: object } = {},
): Promise<number> {
  const place = findUpgrade(visitor);
  if (place === null) throw new Error('The page asks for no upgrade.');
  const made = await authenticator.create(place.options, { origin: visitor.origin, conditional });
  return submit(visitor, place, { ...made, ...changes });
}

async function submit(visitor: Visitor, place: { address: string; token: string }, made: object): Promise<number> {
  const body = new URLSearchParams({ action: 'upgrade', formToken: place.token, credential: JSON.stringify(made) });
  return (await visitor.copy().submit(place.address, body)).shown.status;
}

describe('automatic upgrade by conditional create', () => {
  test('upgrade: after a password the browser may create a passkey without user presence, once per page', async () => {
    const visitor = await signedIn();
    const authenticator = keychain();
    const place = findUpgrade(visitor);
    expect(place?.options.authenticatorSelection).toMatchObject({ userVerification: 'preferred' });
    const made = await authenticator.create(place?.options as CreationOptionsJson, {
      origin: visitor.origin,
      conditional: true,
    });
    const flags = Buffer.from(made.response.authenticatorData, 'base64url').readUInt8(32);
    expect(flags & 0b101).toBe(0);
    expect(await submit(visitor, place as { address: string; token: string }, made)).toBe(200);
    expect(listPasskeys(visitor.sandbox, 'ada')).toMatchObject([
      { type: 'keychain', credential: { id: made.id, discoverable: true, name: 'Keychain' } },
    ]);
    await visitor.sandbox.securityInfo.removePasskey('ada', 0);
    expect(await submit(visitor, place as { address: string; token: string }, made)).toBe(401);
    expect(listPasskeys(visitor.sandbox, 'ada')).toEqual([]);
  });

  test('upgrade: if the user starts the creation, a passkey without user presence is still rejected', async () => {
    const visitor = await signedIn();
    await visitor.load('/security-info');
    const options = visitor.options<CreationOptionsJson>('Create passkey');
    const lax = { ...options, authenticatorSelection: { userVerification: 'preferred', residentKey: 'required' } };
    const made = await keychain().create(lax, { origin: visitor.origin, conditional: true });
    await visitor.answer('Create passkey', made);
    expect(visitor.seen).toEqual([400, 'security-info-list']);
  });

  test('upgrade: challenges of the security information and of another sign-in are rejected', async () => {
    const visitor = await signedIn();
    const other = await site.createVisitor(visitor.sandbox).signIn();
    const place = findUpgrade(visitor) as { options: CreationOptionsJson; address: string; token: string };
    const home = await visitor.copy().load('/security-info');
    const challenges = [
      home.options<CreationOptionsJson>('Create passkey').challenge,
      findUpgrade(other)?.options.challenge ?? '',
    ];
    for (const challenge of challenges) {
      const options = { ...place.options, challenge };
      const made = await keychain().create(options, { origin: visitor.origin, conditional: true });
      expect(await submit(visitor, place, made)).toBe(401);
    }
    expect(await upgrade(visitor, keychain())).toBe(200);
  });

  const refused: readonly (readonly [what: string, Surroundings])[] = [
    ['the tenant does not want it', { settings: {} }],
    ['an SSO session signed in', { attempt: { ssoSession: true } }],
    ['a passkey was the second factor', { user: synced, attempt: { mfa: { method: 'passkey' } } }],
    ['registration is blocked', { attempt: { conditionalAccess: { registrationPageBlocked: true } } }],
    ['self-service is off', { tenant: { ...quiet, methodsPolicy: { fido2: { selfService: false } } } }],
    ['the user is not enabled', { tenant: { ...quiet, methodsPolicy: { fido2: { state: 'disabled' } } } }],
  ];

  test.for(refused)('upgrade: no page requests it if %s', async ([, surroundings]) => {
    const visitor = await (await site.visitor({ tenant: quiet, settings: upgrading, ...surroundings })).signIn();
    if (visitor.page.name === 'mfa') {
      await visitor.use(await holdingAuthenticator(listPasskeys(visitor.sandbox, 'ada')));
    }
    expect([visitor.page.name, findUpgrade(visitor)]).toEqual(['not-nudged', null]);
  });

  test('R11.8: a passkey that the policy does not allow is rejected', async () => {
    const fido2 = { keyRestrictions: { type: 'block', kinds: ['keychain'] } };
    const visitor = await signedIn({ tenant: { ...quiet, methodsPolicy: { fido2 } } });
    expect(await upgrade(visitor, keychain())).toBe(401);
    expect(listPasskeys(visitor.sandbox, 'ada')).toEqual([]);
  });

  test('upgrade: a security key, or an authenticator that already has a passkey, creates none automatically', async () => {
    const visitor = await signedIn();
    const place = findUpgrade(visitor) as { options: CreationOptionsJson };
    const context = { origin: visitor.origin, conditional: true };
    expect(createAuthenticator().answerCreation(place.options, context)).toMatchObject({
      error: { failure: 'cannot-serve' },
    });
    const authenticator = keychain();
    await upgrade(visitor, authenticator);
    const again = await site.createVisitor(visitor.sandbox).signIn();
    const options = findUpgrade(again)?.options as CreationOptionsJson;
    expect(authenticator.answerCreation(options, context)).toMatchObject({ error: { failure: 'excluded' } });
  });
});

describe('signals to authenticators', () => {
  test('signals: the last page lists all accepted passkeys and the current name of the user', async () => {
    const visitor = await signedIn({ user: synced });
    const [held] = listPasskeys(visitor.sandbox, 'ada');
    const userId = held?.userHandle;
    expect(signalsOn(visitor)).toEqual({
      allAcceptedCredentials: { rpId: 'localhost', userId, allAcceptedCredentialIds: [held?.credential.id] },
      currentUserDetails: { rpId: 'localhost', userId, name: 'ada@example.test', displayName: 'Ada Lovelace' },
    });
    await visitor.sandbox.directory.patchUser('ada', { displayName: 'Ada King', passkeys: [] });
    expect(signalsOn(await visitor.reload())).toMatchObject({
      allAcceptedCredentials: { allAcceptedCredentialIds: [] },
      currentUserDetails: { displayName: 'Ada King' },
    });
  });

  test('signals: a passkey removed in the security information is no longer listed as accepted', async () => {
    const visitor = await (await signedIn()).load('/security-info');
    const authenticator = createAuthenticator();
    await visitor.make(authenticator);
    const { id } = authenticator.listCredentials()[0] ?? {};
    expect(signalsOn(visitor).allAcceptedCredentials?.allAcceptedCredentialIds).toEqual([id]);
    await visitor.send({ action: 'remove-passkey', passkey: id ?? '' });
    expect(signalsOn(visitor).allAcceptedCredentials?.allAcceptedCredentialIds).toEqual([]);
    authenticator.signal(signalsOn(visitor));
    expect(authenticator.listCredentials()).toEqual([]);
  });

  test('signals: no page sends signals before a sign-in has completed', async () => {
    const visitor = await (await site.visitor({ user: synced })).signIn('mfa');
    expect(signalsOn(visitor)).toEqual({});
  });

  test('signals: the first page reports only a passkey that its user does not have', async () => {
    const visitor = await site.visitor({ user: synced });
    const [own, other] = [visitor.sandbox, (await site.visitor({ user: synced })).sandbox];
    const authenticator = await holdingAuthenticator(listPasskeys(own, 'ada'));
    const foreign = await holdingAuthenticator(listPasskeys(other, 'ada'));
    const signalled = async (device: SoftwareAuthenticator) => {
      await visitor.load();
      await visitor.use(device, 'Sign in with a passkey');
      expect(visitor.seen).toEqual([401, 'name']);
      return signalsOn(visitor);
    };
    const { id = '' } = authenticator.listCredentials()[0] ?? {};
    authenticator.misbehavior = 'bad-signature';
    expect(await signalled(authenticator)).toEqual({});
    expect(await signalled(foreign)).toEqual({});
    authenticator.misbehavior = 'approves';
    await own.directory.removeMethod('ada', 'fido2');
    expect(await signalled(authenticator)).toEqual({ unknownCredential: { rpId: 'localhost', credentialId: id } });
    await own.directory.removeUser('ada');
    expect(await signalled(authenticator)).toEqual({ unknownCredential: { rpId: 'localhost', credentialId: id } });
  });
});

describe('ceremony options of pages', () => {
  const settings = { passkeys: { hints: ['client-device'], prf: true } };

  test('passkey settings: the options of every ceremony contain hints and PRF', async () => {
    const visitor = await (await site.visitor({ settings, user: synced, tenant: quiet })).load();
    const prf = { eval: { first: expect.stringMatching(/^[\w-]+$/) } };
    const asks = { hints: ['client-device'], extensions: { prf } };
    expect(visitor.options<RequestOptionsJson>('Sign in with a passkey')).toMatchObject(asks);
    await visitor.signIn('password');
    expect(visitor.options<RequestOptionsJson>('Use a passkey instead')).toMatchObject(asks);
    await visitor.signIn();
    await visitor.load('/security-info');
    expect(visitor.options<CreationOptionsJson>('Create passkey')).toMatchObject({
      hints: ['client-device'],
      extensions: { prf, credProps: true },
    });
  });

  test('passkey settings: without them the options contain neither hints nor PRF', async () => {
    const visitor = await (await site.visitor({ user: synced })).load();
    expect(visitor.options('Sign in with a passkey')).not.toHaveProperty('hints');
    expect(visitor.options('Sign in with a passkey')).not.toHaveProperty('extensions');
  });

  test.for([true, false])('prf: PRF support of the authenticator, here %s, and credProps are stored', async (prf) => {
    const visitor = await (await site.visitor({ settings, tenant: quiet })).signIn();
    await visitor.load('/security-info');
    await visitor.make(createAuthenticator({ prf }));
    expect(listPasskeys(visitor.sandbox, 'ada')).toMatchObject([{ credential: { prf, discoverable: true } }]);
  });

  test('prf: a passkey always returns the same secret, which differs between passkeys', async () => {
    const visitor = await (await site.visitor({ settings, user: synced })).load();
    const options = visitor.options<RequestOptionsJson>('Sign in with a passkey');
    const getSecret = async (authenticator: SoftwareAuthenticator, asks: RequestOptionsJson = options) =>
      (await authenticator.get(asks, { origin: visitor.origin })).clientExtensionResults.prf?.results?.first;
    const authenticator = await holdingAuthenticator(listPasskeys(visitor.sandbox, 'ada'));
    const secret = await getSecret(authenticator);
    expect(Buffer.from(secret ?? '', 'base64url')).toHaveLength(32);
    expect(await getSecret(authenticator)).toBe(secret);
    const { sandbox } = await site.visitor({ user: synced, seed: 2 });
    expect(await getSecret(await holdingAuthenticator(listPasskeys(sandbox, 'ada')))).not.toBe(secret);
    const salted = { ...options, extensions: { prf: { eval: { first: 'b3RoZXI' } } } };
    expect(await getSecret(authenticator, salted)).not.toBe(secret);
  });
});

describe('related origins', () => {
  const settings = { passkeys: { relatedOrigins: ['https://shop.example'] } };

  test('related origins: the sandbox lists them, and a passkey used on such a page signs in', async () => {
    const visitor = await (await site.visitor({ settings, user: synced })).load();
    const listed = await fetch(`${visitor.sandbox.tokens.issuer}/.well-known/webauthn`);
    const { origins } = (await listed.json()) as { origins: string[] };
    expect([listed.status, listed.headers.get('content-type'), origins]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
      ['https://shop.example'],
    ]);
    const authenticator = await holdingAuthenticator(listPasskeys(visitor.sandbox, 'ada'));
    const options = visitor.options<RequestOptionsJson>('Sign in with a passkey');
    const context = { origin: 'https://shop.example', relatedOrigins: origins };
    await visitor.answer('Sign in with a passkey', await authenticator.get(options, context));
    expect(visitor.seen[0]).toBe(200);
  });

  test('related origins: a page of an unlisted origin gets no passkey, and its response is rejected', async () => {
    const visitor = await (await site.visitor({ settings, user: synced })).load();
    const authenticator = await holdingAuthenticator(listPasskeys(visitor.sandbox, 'ada'));
    const options = visitor.options<RequestOptionsJson>('Sign in with a passkey');
    const context = { origin: 'https://other.example', relatedOrigins: ['https://shop.example'] };
    expect(authenticator.answerRequest(options, context)).toMatchObject({
      error: { failure: 'foreign-relying-party' },
    });
    const taken = await authenticator.get(options, { ...context, relatedOrigins: ['https://other.example'] });
    await visitor.answer('Sign in with a passkey', taken);
    expect(visitor.seen).toEqual([401, 'name']);
  });

  test('related origins: the list is empty by default', async () => {
    const visitor = await site.visitor();
    const listed = await fetch(`${visitor.sandbox.tokens.issuer}/.well-known/webauthn`);
    expect([listed.status, await listed.json()]).toEqual([200, { origins: [] }]);
  });

  test.for(['http://shop.example', 'https://shop.example/', 'https://shop.example/path', 'shop.example', ''])(
    'bad-request: %j is not a valid related origin',
    async (origin) => {
      const { sandbox } = await site.visitor();
      const change = sandbox.directory.patchSettings({ passkeys: { relatedOrigins: [origin] } }, 'control-api');
      await expect(change).rejects.toMatchObject({
        code: 'bad-request',
        problems: [{ location: 'settings.passkeys.relatedOrigins.0' }],
      });
    },
  );
});
