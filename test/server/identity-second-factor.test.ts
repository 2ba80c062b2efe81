import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import type { MfaMethod } from '../../machines/vocabulary.ts';
import { holdingAuthenticator } from '../../src/scenario/drivers/http/authenticators.ts';
import { shareInFile } from '../share-in-file.ts';
import { listPasskeys } from './list-passkeys.ts';
import { startSite } from './site.ts';
import type { Visitor } from './visitor.ts';

const site = shareInFile(() => startSite());

/** Opens the page of the second factor as Ada. */
async function atFactor(method: MfaMethod, user: object = {}): Promise<Visitor> {
  const visitor = await site.visitor({ user: { methods: [method], ...user }, attempt: { mfa: { method } } });
  return visitor.signIn('mfa');
}

async function listEventTypes({ sandbox }: Visitor, signInId: string): Promise<readonly string[]> {
  return (await sandbox.signIns.detail(signInId)).events.map(({ event }) => event.type);
}

function labels(visitor: Visitor): readonly string[] {
  return visitor.page.forms.flatMap(({ buttons }) => buttons.map(({ label }) => label));
}

describe('choice of a method', () => {
  const methods: readonly MfaMethod[] = ['sms', 'voice', 'authenticator-totp'];

  test('R3: a user with one method is offered no alternative', async () => {
    expect(labels(await atFactor('sms'))).toEqual(['Verify', 'Send another code']);
  });

  test('R3: all methods of the user are offered with the current one marked, and the selected one is requested', async () => {
    const visitor = await atFactor('sms', { methods });
    await visitor.press('Sign in another way');
    expect(visitor.seen).toEqual([200, 'mfa-choice']);
    const offered = [
      ...visitor.shown.text.matchAll(/type="radio" name="method" value="([^"]+)" data-control="method"( checked)?/g),
    ];
    expect(offered.map(([, value, checked]) => [value, checked !== undefined])).toEqual([
      ['sms', true],
      ['voice', false],
      ['authenticator-totp', false],
    ]);
    await visitor.send({ action: 'use-method', method: 'voice' });
    expect(visitor.seen).toEqual([200, 'mfa']);
    expect(visitor.sandbox.signIns.view(visitor.signInId)).toMatchObject({ mfaMethod: 'voice', codeArrived: true });
    await visitor.press('Verify', { Code: '123456' });
    expect(visitor.page.name).toBe('prompt');
    const { attempt } = await visitor.sandbox.signIns.detail(visitor.signInId);
    expect(attempt?.mfa.method).toBe('voice');
  });

  test.for(['authenticator-push', 'hardware-totp', 'passkey', 'constructor', '', null])(
    'R3: the method %j, which the user does not have, is rejected on the page and nothing is recorded',
    async (method) => {
      const visitor = await atFactor('sms', { methods });
      await visitor.press('Sign in another way');
      const before = visitor.sandbox.entryCount;
      await visitor.send({ action: 'use-method', ...(method === null ? {} : { method }) });
      expect(visitor.seen).toEqual([400, 'mfa-choice']);
      expect(visitor.page.error).not.toBeNull();
      expect(visitor.sandbox.entryCount).toBe(before);
    },
  );

  test('A26: a code submitted while the method choice is open shows the choice', async () => {
    const visitor = await atFactor('sms', { methods });
    await visitor.press('Sign in another way');
    const before = visitor.sandbox.entryCount;
    await visitor.send({ action: 'code', code: '123456' });
    expect([visitor.seen, visitor.sandbox.entryCount]).toEqual([[200, 'mfa-choice'], before]);
  });
});

describe('sent codes', () => {
  test.for(['sms', 'voice'] as const)('R1: a code by %s can be resent any number of times', async (method) => {
    const visitor = await atFactor(method);
    const { signIns } = visitor.sandbox;
    expect(signIns.view(visitor.signInId).codesSent).toBe(1);
    await visitor.press('Send another code');
    await visitor.press('Send another code');
    expect(visitor.seen).toEqual([200, 'mfa']);
    expect(signIns.view(visitor.signInId)).toMatchObject({ codesSent: 3, codeArrived: true });
    await visitor.press('Verify', { Code: '123456' });
    expect(visitor.page.name).toBe('prompt');
  });

  test.for(['authenticator-totp', 'hardware-totp'] as const)('R1: no code is sent for %s', async (method) => {
    expect(labels(await atFactor(method))).toEqual(['Verify']);
  });

  test('R1: a time-based code is not accepted as a text message code', async () => {
    const visitor = await atFactor('sms');
    const { code } = await visitor.sandbox.codes.timedCode('ada');
    await visitor.press('Verify', { Code: code });
    expect(visitor.seen).toEqual([401, 'mfa']);
  });
});

describe('time-based codes', () => {
  /** Computes the code that an authenticator app with this secret shows at a virtual time. */
  async function codeAt({ sandbox }: Visitor, offsetMs: number): Promise<string> {
    const { secret } = await sandbox.codes.timedCode('ada');
    return new TOTP({ secret, period: 30 }).generate({ timestamp: sandbox.clock.nowMs() + offsetMs });
  }

  test.for(['authenticator-totp', 'hardware-totp'] as const)(
    'R1: the code of %s for the virtual time is accepted',
    async (method) => {
      const visitor = await atFactor(method);
      await visitor.press('Verify', { Code: await codeAt(visitor, 0) });
      expect(visitor.seen).toEqual([200, 'prompt']);
    },
  );

  test.for([
    [-30_000, 200],
    [30_000, 200],
    [-60_000, 401],
    [60_000, 401],
  ] as const)('R1: the code of %i ms later returns %i', async ([offsetMs, status]) => {
    const visitor = await atFactor('authenticator-totp');
    await visitor.press('Verify', { Code: await codeAt(visitor, offsetMs) });
    expect(visitor.shown.status).toBe(status);
  });

  test('R1: a code expires by the virtual clock, not the real one', async () => {
    const visitor = await atFactor('authenticator-totp');
    const code = await codeAt(visitor, 0);
    await visitor.sandbox.clock.advance({ minutes: 2 });
    await visitor.press('Verify', { Code: code });
    expect(visitor.seen).toEqual([401, 'mfa']);
    await visitor.press('Verify', { Code: await codeAt(visitor, 0) });
    expect(visitor.seen).toEqual([200, 'prompt']);
  });
});

describe('number matching', () => {
  async function openPhone(visitor: Visitor): Promise<Visitor> {
    const [link] = visitor.page.links;
    return site.createVisitor(visitor.sandbox).load(`${visitor.origin}${link?.address}`);
  }
  const enter = (number: string) => ({ 'Number on the sign-in page': number });

  test('R1: the sign-in continues only after the push notification is approved with the number of the page', async () => {
    const visitor = await atFactor('authenticator-push');
    expect(visitor.page.number).toMatch(/^\d\d$/);
    await visitor.press('Continue');
    expect(visitor.seen).toEqual([409, 'mfa']);
    expect(visitor.page.error).not.toBeNull();
    const phone = await openPhone(visitor);
    await phone.press('Approve', enter(visitor.page.number ?? ''));
    expect(phone.seen).toEqual([200, 'phone']);
    expect(labels(phone)).toEqual([]);
    await visitor.press('Continue');
    expect(visitor.seen).toEqual([200, 'not-nudged']);
  });

  test.for(['', 'xx', '1', '100'])(
    'R1: the number %j is rejected, and the push notification remains',
    async (wrong) => {
      const visitor = await atFactor('authenticator-push');
      const phone = await openPhone(visitor);
      const before = visitor.sandbox.entryCount;
      await phone.press('Approve', enter(wrong));
      expect(phone.seen).toEqual([400, 'phone']);
      expect([phone.page.error === null, visitor.sandbox.entryCount]).toEqual([false, before]);
      await phone.press('Approve', enter(` ${visitor.page.number} `));
      expect(visitor.sandbox.signIns.view(visitor.signInId).push?.answer).toBe('approved');
    },
  );

  test('R1: a denied push notification is shown on the page, and a new one has a new number and can be approved', async () => {
    const visitor = await atFactor('authenticator-push');
    const first = visitor.page.number;
    await (await openPhone(visitor)).press('Deny');
    await visitor.press('Continue');
    expect(visitor.seen).toEqual([401, 'mfa']);
    await visitor.press('Send another notification');
    expect(visitor.seen).toEqual([200, 'mfa']);
    expect(visitor.page.number).not.toBe(first);
    await (await openPhone(visitor)).press('Approve', enter(visitor.page.number ?? ''));
    await visitor.press('Continue');
    expect(visitor.seen).toEqual([200, 'not-nudged']);
  });

  test('R1: the number of an earlier push notification approves nothing', async () => {
    const visitor = await atFactor('authenticator-push');
    const first = visitor.page.number ?? '';
    await visitor.press('Send another notification');
    const phone = await openPhone(visitor);
    await phone.press('Approve', enter(first));
    expect(phone.shown.status).toBe(400);
    expect(visitor.sandbox.signIns.view(visitor.signInId).push?.answer).toBe('waiting');
  });

  test('A26: a push notification has one response; a second response changes nothing', async () => {
    const visitor = await atFactor('authenticator-push');
    const [phone, other] = [await openPhone(visitor), await openPhone(visitor)];
    await phone.press('Deny');
    await other.press('Approve', enter(visitor.page.number ?? ''));
    expect(other.shown.status).toBe(200);
    expect(visitor.sandbox.signIns.view(visitor.signInId).push?.answer).toBe('denied');
  });

  test('bad-request: an unknown action of the phone page changes no push notification', async () => {
    const visitor = await atFactor('authenticator-push');
    const phone = await openPhone(visitor);
    for (const action of ['', 'constructor', 'APPROVE']) {
      await phone.submit(phone.shown.address, new URLSearchParams({ signIn: visitor.signInId, action }));
      expect(phone.seen).toEqual([400, 'problem']);
    }
    expect(visitor.sandbox.signIns.view(visitor.signInId).push?.answer).toBe('waiting');
  });

  test('sign-in-not-found: the phone of another user cannot approve a push notification', async () => {
    const visitor = await atFactor('authenticator-push');
    await visitor.sandbox.directory.putUser('eve', {});
    const phone = await site.createVisitor(visitor.sandbox).load('/phone/eve@example.test');
    const fields = { signIn: visitor.signInId, action: 'approve', number: visitor.page.number ?? '' };
    await phone.submit(phone.shown.address, new URLSearchParams(fields));
    expect(phone.seen).toEqual([404, 'problem']);
    expect(visitor.sandbox.signIns.view(visitor.signInId).push?.answer).toBe('waiting');
  });

  test('R1: the phone shows the sent code and that of the app, and nothing about completed sign-ins', async () => {
    const visitor = await atFactor('sms', { methods: ['sms'], code: '654321' });
    const { code } = await visitor.sandbox.codes.timedCode('ada');
    const phone = await site.createVisitor(visitor.sandbox).load('/phone/ADA@example.test');
    expect([phone.shown.text.includes('654321'), phone.shown.text.includes(code)]).toEqual([true, true]);
    await visitor.press('Verify', { Code: '654321' });
    await visitor.press('Skip for now');
    expect((await phone.reload()).shown.text).not.toContain('654321');
  });
});

describe('a passkey as second factor', () => {
  const held = { passkeys: [{ type: 'security-key', deviceId: 'key-1' }] };

  test('R3: the requested passkey is used and is the method of the attempt', async () => {
    const visitor = await atFactor('passkey', { methods: [], ...held });
    const signInId = visitor.signInId;
    await visitor.use(await holdingAuthenticator(listPasskeys(visitor.sandbox, 'ada')));
    expect(visitor.shown.status).toBe(200);
    expect(visitor.page.name).not.toBe('mfa');
    expect((await visitor.sandbox.signIns.detail(signInId)).attempt?.mfa.method).toBe('passkey');
  });

  test('R3: a test passkey may be used instead', async () => {
    const visitor = await atFactor('passkey', { methods: [], ...held });
    await visitor.press('Use the test passkey');
    expect(visitor.shown.status).toBe(200);
    expect(visitor.page.name).not.toBe('mfa');
  });

  test.for(['', '{}', 'null', '[]', '{"id":"x","response":{}}', '{"id":1,"response":{}}'])(
    'R3: the response %j is rejected on the page and nothing is recorded',
    async (credential) => {
      const visitor = await atFactor('passkey', { methods: [], ...held });
      const before = visitor.sandbox.entryCount;
      await visitor.press('Use passkey', {}, { credential });
      expect(visitor.seen).toEqual([401, 'mfa']);
      expect([visitor.page.error === null, visitor.sandbox.entryCount]).toEqual([false, before]);
    },
  );

  test('R3: a test passkey that the user does not have is rejected', async () => {
    const visitor = await atFactor('sms');
    const signInId = visitor.signInId;
    await visitor.send({ action: 'test-passkey' });
    expect(visitor.seen).toEqual([401, 'mfa']);
    expect(await listEventTypes(visitor, signInId)).toEqual(['signIn.started', 'password.accepted']);
  });
});
