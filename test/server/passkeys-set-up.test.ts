import { describe, expect, test } from 'vitest';
import { attestationFormats } from '../../src/authenticators/profile.ts';
import type { CreationOptionsJson } from '../../src/authenticators/webauthn-json.ts';
import { nonEmpty } from '../non-empty.ts';
import { shareInFile } from '../share-in-file.ts';
import { listPasskeys } from './list-passkeys.ts';
import { atSetup, createAuthenticator, expectFailed, securityKey } from './passkey-set-up.ts';
import { startSite } from './site.ts';

const site = shareInFile(() => startSite());

describe('creation options of a page', () => {
  test('passkey setup: requests a discoverable passkey with user verification and attestation, for localhost', async () => {
    const visitor = await atSetup(site, { user: { displayName: 'Ada Lovelace' } });
    const options = visitor.options<CreationOptionsJson>('Create passkey');
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: 'ada@example.test', displayName: 'Ada Lovelace' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'direct',
      excludeCredentials: [],
    });
    expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-7, -8, -257]);
    const handle = Buffer.from(options.user.id, 'base64url').toString();
    expect(handle).toBe(`${visitor.sandbox.id}\nada`);
    expect(Buffer.from(options.challenge, 'base64url').length).toBeGreaterThanOrEqual(16);
  });

  test('passkey setup: each sign-in, and each retry, has its own challenge', async () => {
    const visitor = await atSetup(site);
    const challenges = [visitor.options('Create passkey').challenge];
    await visitor.press('It did not work');
    await visitor.press('Try again');
    challenges.push(visitor.options('Create passkey').challenge);
    const other = await site.createVisitor(visitor.sandbox).signIn();
    challenges.push((await other.press('Next')).options('Create passkey').challenge);
    expect(new Set(challenges).size).toBe(3);
  });

  test('passkey setup: the existing passkeys of the user are excluded, separately for each sandbox', async () => {
    const visitor = await atSetup(site, {
      user: { passkeys: [{ type: 'keychain', deviceId: 'phone' }] },
      attempt: { os: 'windows' },
    });
    const { excludeCredentials } = visitor.options<CreationOptionsJson>('Create passkey');
    expect(excludeCredentials?.map(({ id }) => id)).toEqual(
      listPasskeys(visitor.sandbox, 'ada').map(({ credential }) => credential.id),
    );
  });
});

describe('valid passkeys', () => {
  const makes = (['ES256', 'RS256', 'EdDSA'] as const).flatMap((algorithm) =>
    (['none', 'packed-self', 'packed-ca'] as const).map((attestation) => [algorithm, attestation] as const),
  );

  test.for(nonEmpty(makes))(
    'R10.1: a passkey of %s with attestation %s is registered once it is named',
    async ([algorithm, attestation]) => {
      const visitor = await atSetup(site);
      const authenticator = createAuthenticator({ algorithm, attestation });
      await visitor.make(authenticator);
      expect(visitor.seen).toEqual([200, 'setup-name']);
      expect(visitor.sandbox.directory.user('ada').passkeys).toEqual([]);
      await visitor.press('Save', { Name: 'Blue key' });
      expect(visitor.seen).toEqual([200, 'signed-in']);
      const [held] = listPasskeys(visitor.sandbox, 'ada');
      expect(held).toMatchObject({
        type: 'security-key',
        credential: {
          id: authenticator.listCredentials()[0]?.id,
          aaguid: securityKey.aaguid,
          name: 'Blue key',
          counter: 1,
        },
        privateKey: null,
      });
      expect(visitor.sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'registered', snoozes: 0 });
    },
  );

  test('A11: a passkey without a name is not registered, and the prompt can still be skipped', async () => {
    const visitor = await atSetup(site);
    await visitor.make(createAuthenticator());
    await visitor.send({ action: 'skip' });
    expect(visitor.seen).toEqual([200, 'signed-in']);
    expect(visitor.sandbox.directory.user('ada').passkeys).toEqual([]);
    expect(visitor.sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'snoozed', snoozes: 1 });
  });

  test('A51: the private key of a real passkey is unknown, and the stored data is public', async () => {
    const visitor = await atSetup(site);
    const authenticator = createAuthenticator();
    await visitor.make(authenticator);
    await visitor.press('Save');
    const secret = authenticator.listCredentials()[0]?.privateKey.d ?? '';
    const entries = await visitor.sandbox.journal({ after: 0, limit: 100 });
    expect(secret).not.toBe('');
    expect(JSON.stringify(entries)).not.toContain(secret);
  });
});

describe('invalid passkeys', () => {
  test.for(['wrong-origin', 'bad-signature', 'replayed-challenge'] as const)(
    'R11.8: a response with %s shows the error screen, registers nothing and counts nothing',
    async (misbehavior) => {
      const visitor = await atSetup(site);
      expectFailed(await visitor.make(createAuthenticator({}, { misbehavior })));
      await visitor.press('Skip');
      expect(visitor.seen).toEqual([200, 'signed-in']);
      expect(visitor.sandbox.directory.nudgeStatus('ada').snoozes).toBe(0);
    },
  );

  test.for(nonEmpty(attestationFormats))(
    'R11.8: attestation %s with a signature over other data is invalid',
    async (attestation) => {
      const visitor = await atSetup(site);
      expectFailed(await visitor.make(createAuthenticator({ attestation }, { misbehavior: 'bad-signature' })));
    },
  );

  test('R11.8: invalid attestation shows the error screen', async () => {
    expectFailed(await (await atSetup(site)).make(createAuthenticator({ attestation: 'broken' })));
  });

  const mangled: readonly (readonly [what: string, change: (answer: Record<string, unknown>) => unknown])[] = [
    ['nothing', () => undefined],
    ['no JSON object', () => null],
    ['a list', () => []],
    ['no response', (answer) => ({ ...answer, response: null })],
    ['another id', (answer) => ({ ...answer, id: 'AAAA' })],
    ['another type', (answer) => ({ ...answer, type: 'password' })],
    [
      'no attestation',
      ({ response, ...answer }) => ({ ...answer, response: { ...(response as object), attestationObject: '' } }),
    ],
    [
      'bytes that are no CBOR',
      ({ response, ...answer }) => ({ ...answer, response: { ...(response as object), attestationObject: '____' } }),
    ],
    [
      'transports that must be a list',
      ({ response, ...answer }) => ({ ...answer, response: { ...(response as object), transports: 'usb' } }),
    ],
    [
      'the answer to a request',
      ({ response, ...answer }) => ({
        ...answer,
        response: {
          clientDataJSON: (response as Record<string, unknown>)['clientDataJSON'],
          authenticatorData: 'AA',
          signature: 'AA',
        },
      }),
    ],
  ];

  test.for(mangled)('R11.8: a response with %s shows the error screen', async ([, change]) => {
    const visitor = await atSetup(site);
    const options = visitor.options<CreationOptionsJson>('Create passkey');
    const answer = await createAuthenticator().create(options, { origin: visitor.origin });
    const changed = change(answer as unknown as Record<string, unknown>);
    expectFailed(await visitor.press('Create passkey', {}, { credential: JSON.stringify(changed) ?? '' }));
  });

  test('R11.8: a passkey without user verification is rejected', async () => {
    const visitor = await atSetup(site);
    const options = visitor.options<CreationOptionsJson>('Create passkey');
    const weakOptions = {
      ...options,
      authenticatorSelection: { ...options.authenticatorSelection, userVerification: 'discouraged' },
    };
    expectFailed(
      await visitor.answer(
        'Create passkey',
        await createAuthenticator().create(weakOptions, { origin: visitor.origin }),
      ),
    );
  });

  test('R11.8: a passkey for another relying party is rejected', async () => {
    const visitor = await atSetup(site);
    const options = { ...visitor.options<CreationOptionsJson>('Create passkey'), rp: { id: 'evil.example' } };
    expectFailed(
      await visitor.answer(
        'Create passkey',
        await createAuthenticator().create(options, { origin: 'https://evil.example' }),
      ),
    );
  });

  test('R11.8: a response for the page of another sign-in is rejected', async () => {
    const visitor = await atSetup(site);
    const other = await (await site.createVisitor(visitor.sandbox).signIn()).press('Next');
    const answer = await createAuthenticator().create(other.options('Create passkey'), { origin: visitor.origin });
    expectFailed(await visitor.answer('Create passkey', answer));
  });

  test('R11.8: a response from before a failure is rejected afterwards', async () => {
    const visitor = await atSetup(site);
    const answer = await createAuthenticator().create(visitor.options('Create passkey'), { origin: visitor.origin });
    await visitor.press('It did not work');
    await visitor.press('Try again');
    expectFailed(await visitor.answer('Create passkey', answer));
  });

  test('A45: an authenticator that fails the second time can register at the third attempt', async () => {
    const visitor = await atSetup(site);
    const authenticator = createAuthenticator({}, { misbehavior: 'fails-second-time' });
    const first = authenticator.answerCreation(visitor.options('Create passkey'), { origin: visitor.origin });
    const second = authenticator.answerCreation(visitor.options('Create passkey'), { origin: visitor.origin });
    expect([first.kind, second.kind]).toEqual(['answered', 'failed']);
    await visitor.press('It did not work');
    await visitor.press('Try again');
    await visitor.make(authenticator);
    expect(visitor.seen).toEqual([200, 'setup-name']);
  });

  test('excluded: an authenticator with a passkey of the user refuses creation, and a passkey created anyway is rejected', async () => {
    const visitor = await atSetup(site);
    const authenticator = createAuthenticator();
    await visitor.make(authenticator);
    await visitor.press('Save');
    await visitor.load('/security-info');
    const options = visitor.options<CreationOptionsJson>('Create passkey');
    const ids = authenticator.listCredentials().map(({ id }) => ({ id }));
    expect(options.excludeCredentials).toMatchObject(ids);
    const refused = authenticator.answerCreation(options, { origin: visitor.origin });
    expect(refused).toMatchObject({ kind: 'failed', error: { failure: 'excluded' } });
    const twin = createAuthenticator();
    await visitor.make(twin);
    expect(twin.listCredentials()).toMatchObject(ids);
    expect(visitor.seen).toEqual([400, 'security-info-list']);
    expect(visitor.sandbox.directory.user('ada').passkeys).toHaveLength(1);
  });
});
