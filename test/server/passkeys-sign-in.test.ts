import { describe, expect, test } from 'vitest';
import type { Misbehavior } from '../../src/authenticators/misbehavior.ts';
import { getAuthenticatorProfile } from '../../src/authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import type { StoredCredential } from '../../src/authenticators/stored-credential.ts';
import type { RequestOptionsJson } from '../../src/authenticators/webauthn-json.ts';
import { holdingAuthenticator } from '../../src/scenario/drivers/http/authenticators.ts';
import { shareInFile } from '../share-in-file.ts';
import { listPasskeys } from './list-passkeys.ts';
import { passkeyCampaign, startSite } from './site.ts';
import type { Visitor } from './visitor.ts';

const nameButton = 'Sign in with a passkey';
const passwordButton = 'Use a passkey instead';
const held = { passkeys: [{ type: 'security-key', deviceId: 'key-1' }] };

const site = shareInFile(() => startSite());

/** Opens a browser for a sandbox where Ada has a test passkey, with its authenticator, before the first page. */
async function holder(): Promise<{ visitor: Visitor; authenticator: SoftwareAuthenticator }> {
  const visitor = await site.visitor({ user: held });
  const authenticator = await holdingAuthenticator(listPasskeys(visitor.sandbox, 'ada'));
  return { visitor: await visitor.load(), authenticator };
}

/** Opens a browser as `holder` does, but with a real passkey created on the page. */
async function maker(): Promise<{ visitor: Visitor; authenticator: SoftwareAuthenticator }> {
  const visitor = await (await site.visitor({ tenant: passkeyCampaign })).signIn();
  const authenticator = new SoftwareAuthenticator({ profile: getAuthenticatorProfile('security-key', 'windows') });
  await visitor.press('Next');
  await visitor.make(authenticator);
  await visitor.press('Save');
  return { visitor: await visitor.load(), authenticator };
}

/** Expects the username page with an error message and no sign-in. */
async function expectRefused(visitor: Visitor, act: () => Promise<unknown>): Promise<void> {
  const before = visitor.sandbox.entryCount;
  await act();
  expect(visitor.seen).toEqual([401, 'name']);
  expect([visitor.page.error === null, visitor.sandbox.entryCount]).toEqual([false, before]);
}

function answerTo(visitor: Visitor, authenticator: SoftwareAuthenticator, label = nameButton) {
  return authenticator.get(visitor.options<RequestOptionsJson>(label), { origin: visitor.origin });
}

describe('a passkey on the first page', () => {
  test('A22: a passkey identifies the user and is both factors: no password, no code', async () => {
    const { visitor, authenticator } = await holder();
    expect(visitor.options<RequestOptionsJson>(nameButton)).toMatchObject({
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
    });
    await visitor.use(authenticator, nameButton);
    expect(visitor.seen[0]).toBe(200);
    const [signIn] = visitor.sandbox.signIns.list({ userId: 'ada', limit: 5 });
    expect(visitor.sandbox.signIns.list({ limit: 5 })).toHaveLength(1);
    const { attempt, events } = await visitor.sandbox.signIns.detail(signIn?.id ?? '');
    expect(attempt?.mfa).toMatchObject({ completed: true, provider: 'service', method: 'passkey' });
    expect(events.map(({ event }) => event.type)).toEqual(['signIn.started', 'mfa.completed']);
  });

  test('A22: the sign-in belongs to this browser, with its cookie', async () => {
    const { visitor, authenticator } = await holder();
    await visitor.use(authenticator, nameButton);
    const address = `/sign-in/${visitor.signInId}`;
    expect((await visitor.load(address)).seen[0]).toBe(200);
    expect((await site.createVisitor(visitor.sandbox).load(address)).seen).toEqual([404, 'problem']);
  });

  test('R7: a passkey whose user handle names another sandbox is rejected, even with the same user and key', async () => {
    const [one, other] = [await holder(), await holder()];
    await expectRefused(other.visitor, () => other.visitor.use(one.authenticator, nameButton));
  });

  const handles: readonly (readonly [what: string, (sandboxId: string) => unknown])[] = [
    ['another user', (id) => toHandle(`${id}\neve`)],
    ['nobody', (id) => toHandle(`${id}\nnobody`)],
    ['no user', (id) => toHandle(id)],
    ['a member of every object', (id) => toHandle(`${id}\nconstructor`)],
    ['nothing', () => undefined],
    ['a number', () => 7],
    ['something that looks like bytes', () => ({ length: 2_000_000_000 })],
  ];

  test.for(handles)('sign-in: a response whose user handle names %s is rejected', async ([, handle]) => {
    const { visitor, authenticator } = await holder();
    await visitor.sandbox.directory.putUser('eve', {});
    const answer = await answerTo(visitor, authenticator);
    const changed = { ...answer, response: { ...answer.response, userHandle: handle(visitor.sandbox.id) } };
    await expectRefused(visitor, () => visitor.answer(nameButton, changed));
  });

  function toHandle(text: string): string {
    return Buffer.from(text).toString('base64url');
  }

  test('sign-in: a response is valid once and rejected when replayed', async () => {
    const { visitor, authenticator } = await holder();
    const answer = await answerTo(visitor, authenticator);
    const again = site.createVisitor(visitor.sandbox);
    await again.load();
    await visitor.answer(nameButton, answer);
    expect(visitor.seen[0]).toBe(200);
    await expectRefused(again, () => again.answer(nameButton, answer));
  });

  test('sign-in: one of several concurrent identical responses is accepted', async () => {
    const { visitor, authenticator } = await holder();
    const answer = await answerTo(visitor, authenticator);
    const others = await Promise.all([1, 2, 3].map(() => site.createVisitor(visitor.sandbox).load()));
    await Promise.all(others.map((other) => other.answer(nameButton, answer)));
    expect(others.map(({ seen }) => seen[0]).sort()).toEqual([200, 401, 401]);
    expect(visitor.sandbox.signIns.list({ limit: 5 })).toHaveLength(1);
  });

  test.for([
    [{ minutes: 10 }, 200],
    [{ minutes: 10, ms: 1 }, 401],
    [{ days: 1 }, 401],
  ] as const)('sign-in: a response to a page that is %j old by the virtual clock returns %i', async ([age, status]) => {
    const { visitor, authenticator } = await holder();
    const answer = await answerTo(visitor, authenticator);
    await visitor.sandbox.clock.advance(age);
    await visitor.answer(nameButton, answer);
    expect(visitor.seen[0]).toBe(status);
  });

  test('sign-in: a challenge of another sandbox, a forged one and a missing one are rejected', async () => {
    const { visitor, authenticator } = await holder();
    const options = visitor.options<RequestOptionsJson>(nameButton);
    const foreign = (await site.visitor())
      .load()
      .then((other) => other.options<RequestOptionsJson>(nameButton).challenge);
    const madeUp = Buffer.from(`nonce ${visitor.sandbox.clock.nowMs()} seal`).toString('base64url');
    for (const challenge of [await foreign, madeUp, 'AAAA']) {
      const answer = await authenticator.get({ ...options, challenge }, { origin: visitor.origin });
      await expectRefused(visitor, () => visitor.answer(nameButton, answer));
    }
  });

  test.for(['wrong-origin', 'bad-signature', 'replayed-challenge'] satisfies readonly Misbehavior[])(
    'sign-in: an authenticator with the misbehavior %s is rejected',
    async (misbehavior) => {
      const { visitor, authenticator } = await holder();
      authenticator.misbehavior = misbehavior;
      await expectRefused(visitor, () => visitor.use(authenticator, nameButton));
    },
  );

  test.for(['', 'x', '{}', '[]', 'null', '{"id":"a","response":{}}', `{"id":"${'a'.repeat(9000)}","response":{}}`])(
    'sign-in: the response %.40j is rejected',
    async (credential) => {
      const { visitor } = await holder();
      await expectRefused(visitor, () => visitor.press(nameButton, {}, { credential }));
    },
  );

  test('sign-in: a passkey without user verification is rejected', async () => {
    const { visitor, authenticator } = await holder();
    const options = { ...visitor.options<RequestOptionsJson>(nameButton), userVerification: 'discouraged' };
    const answer = await authenticator.get(options, { origin: visitor.origin });
    await expectRefused(visitor, () => visitor.answer(nameButton, answer));
  });

  test('sign-in: a removed passkey is rejected', async () => {
    const { visitor, authenticator } = await maker();
    await visitor.sandbox.directory.patchUser('ada', { passkeys: [] });
    await expectRefused(visitor, () => visitor.use(authenticator, nameButton));
  });

  test('origin-not-allowed: a passkey sent from a page of another origin starts no sign-in', async () => {
    const { visitor, authenticator } = await holder();
    const answer = JSON.stringify(await answerTo(visitor, authenticator));
    const before = visitor.sandbox.entryCount;
    const response = await fetch(visitor.shown.address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://evil.example' },
      body: new URLSearchParams({ action: 'passkey', credential: answer }),
    });
    expect([response.status, visitor.sandbox.entryCount]).toEqual([403, before]);
  });

  test('R13.1: with an SSO session no other page follows, and the passkey does not count as a factor', async () => {
    const { visitor, authenticator } = await holder();
    await visitor.sandbox.directory.setNextSignIn('ada', { ssoSession: true });
    await visitor.use(authenticator, nameButton);
    expect(visitor.seen).toEqual([200, 'not-nudged']);
  });
});

describe('a passkey instead of a password', () => {
  test('A22: the passkey is both factors', async () => {
    const { visitor, authenticator } = await holder();
    await visitor.signIn('password');
    expect(visitor.options<RequestOptionsJson>(passwordButton).allowCredentials).toMatchObject(
      listPasskeys(visitor.sandbox, 'ada').map(({ credential }) => ({ id: credential.id })),
    );
    const { signInId } = visitor;
    await visitor.use(authenticator, passwordButton);
    expect(visitor.seen[0]).toBe(200);
    const { attempt, events } = await visitor.sandbox.signIns.detail(signInId);
    expect(attempt?.mfa.method).toBe('passkey');
    expect(events.map(({ event }) => event.type)).toEqual(['signIn.started', 'mfa.completed']);
  });

  test('sign-in: a user without a passkey is offered none, and a forged request is rejected', async () => {
    const { authenticator } = await holder();
    const visitor = await (await site.visitor()).signIn('password');
    expect(visitor.page.forms).toHaveLength(1);
    const options = { challenge: 'AAAA', rpId: 'localhost' };
    const answer = await authenticator.get(options, { origin: visitor.origin });
    await visitor.send({ action: 'passkey', credential: JSON.stringify(answer) });
    expect(visitor.seen).toEqual([401, 'password']);
  });

  test.for(['', 'AAAA'])(
    'sign-in: a passkey with the challenge "%s" is rejected on the page for the code',
    async (challenge) => {
      const { visitor, authenticator } = await holder();
      await visitor.signIn('mfa');
      const answer = await authenticator.get({ challenge, rpId: 'localhost' }, { origin: visitor.origin });
      await visitor.send({ action: 'passkey', credential: JSON.stringify(answer) });
      expect(visitor.seen).toEqual([401, 'mfa']);
    },
  );

  test('sign-in: the passkey of another user is rejected', async () => {
    const { visitor } = await holder();
    await visitor.sandbox.directory.putUser('eve', held);
    const eves = await holdingAuthenticator(listPasskeys(visitor.sandbox, 'eve'));
    await visitor.signIn('password');
    const options = { ...visitor.options<RequestOptionsJson>(passwordButton), allowCredentials: [] };
    const answer = await eves.get(options, { origin: visitor.origin });
    await visitor.answer(passwordButton, answer);
    expect(visitor.seen).toEqual([401, 'password']);
  });

  test('sign-in: a response for one sign-in is rejected in another sign-in of the same user', async () => {
    const { visitor, authenticator } = await holder();
    await visitor.signIn('password');
    const other = await site.createVisitor(visitor.sandbox).signIn('password');
    await other.answer(passwordButton, await answerTo(visitor, authenticator, passwordButton));
    expect(other.seen).toEqual([401, 'password']);
  });

  test('sign-in: the password is still accepted after a rejected passkey', async () => {
    const { visitor, authenticator } = await holder();
    await visitor.signIn('password');
    authenticator.misbehavior = 'bad-signature';
    await visitor.use(authenticator, passwordButton);
    expect(visitor.seen).toEqual([401, 'password']);
    await visitor.press('Sign in', { Password: 'correct horse' });
    expect(visitor.seen[0]).toBe(200);
  });
});

describe('signature counters', () => {
  function setBack(authenticator: SoftwareAuthenticator, counter: number): void {
    for (const credential of authenticator.listCredentials())
      authenticator.hold({ ...credential, counter } as StoredCredential);
  }

  test('counter: each use is stored', async () => {
    const { visitor, authenticator } = await maker();
    expect(listPasskeys(visitor.sandbox, 'ada')[0]?.credential.counter).toBe(1);
    await visitor.use(authenticator, nameButton);
    expect(visitor.seen[0]).toBe(200);
    expect(listPasskeys(visitor.sandbox, 'ada')[0]?.credential.counter).toBe(2);
  });

  test.for([0, 3, 4])('counter: after 5, a counter that continues from %i is rejected', async (counter) => {
    const { visitor, authenticator } = await maker();
    setBack(authenticator, 4);
    await visitor.use(authenticator, nameButton);
    expect(listPasskeys(visitor.sandbox, 'ada')[0]?.credential.counter).toBe(5);
    await visitor.load();
    setBack(authenticator, counter);
    await expectRefused(visitor, () => visitor.use(authenticator, nameButton));
    await visitor.load();
    setBack(authenticator, 5);
    await visitor.use(authenticator, nameButton);
    expect(visitor.seen[0]).toBe(200);
  });

  test('counter: an authenticator without a counter may report 0 repeatedly', async () => {
    const visitor = await (await site.visitor({ tenant: passkeyCampaign, attempt: { os: 'macos' } })).signIn();
    const authenticator = new SoftwareAuthenticator({ profile: getAuthenticatorProfile('keychain', 'macos') });
    await visitor.press('Next');
    await visitor.make(authenticator);
    await visitor.press('Save');
    for (let time = 0; time < 2; time += 1) {
      await visitor.load();
      await visitor.use(authenticator, nameButton);
      expect(visitor.seen[0]).toBe(200);
    }
    expect(listPasskeys(visitor.sandbox, 'ada')[0]?.credential.counter).toBe(0);
  });
});
