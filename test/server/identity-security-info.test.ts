import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nonEmpty } from '../non-empty.ts';
import { heldBy } from './held-by.ts';
import { createAuthenticator } from './passkey-set-up.ts';
import { type Site, type Surroundings, startSite } from './site.ts';
import type { Visitor } from './visitor.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
});

afterAll(async () => {
  await site.close();
});

const quiet = { campaign: { state: 'disabled' } };

/** Ada, who has signed in, before her security information. */
async function atHome(surroundings: Surroundings = {}): Promise<Visitor> {
  const visitor = await (await site.visitor({ tenant: quiet, ...surroundings })).signIn();
  return visitor.load('/security-info');
}

function methodsOf({ sandbox }: Visitor): readonly string[] {
  return sandbox.directory.user('ada').methods;
}

function namesOf({ sandbox }: Visitor): readonly string[] {
  return heldBy(sandbox, 'ada').map((held) => (held.credential as { name?: string }).name ?? '');
}

/** Removes the first passkey. */
async function remove(visitor: Visitor): Promise<void> {
  const [first] = heldBy(visitor.sandbox, 'ada');
  await visitor.send({ action: 'remove-passkey', passkey: first?.credential.id ?? '' });
}

async function addPasskeys(visitor: Visitor, ...seeds: readonly string[]): Promise<void> {
  for (const seed of nonEmpty(seeds)) {
    await visitor.make(createAuthenticator({ aaguid: null, transports: ['usb'] }, { seed }));
    expect(visitor.seen).toEqual([200, 'security-info-list']);
  }
}

describe('who may see it', () => {
  test('security info: without a sign-in in this browser the way leads to one', async () => {
    const visitor = await site.visitor();
    await visitor.load('/security-info');
    expect([visitor.shown.status, visitor.shown.headers['location']]).toEqual([
      303,
      `/s/${visitor.sandbox.id}/sign-in`,
    ]);
  });

  test('security info: a sign-in that is not finished opens nothing', async () => {
    const visitor = await (await site.visitor()).signIn();
    expect(visitor.page.name).toBe('prompt');
    expect((await visitor.load('/security-info')).shown.status).toBe(303);
  });

  test.for([
    [{ hours: 1 }, 200],
    [{ hours: 1, ms: 1 }, 303],
  ] as const)('security info: %j after the sign-in it answers %i, by the virtual clock', async ([age, status]) => {
    const visitor = await atHome();
    await visitor.sandbox.clock.advance(age);
    expect((await visitor.load('/security-info')).shown.status).toBe(status);
  });

  test('security info: the cookie is of this sandbox and these pages alone', async () => {
    const visitor = await (await site.visitor({ tenant: quiet })).signIn();
    const given = [visitor.shown.headers['set-cookie'] ?? []].flat().filter((cookie) => cookie.includes('-user='));
    const { id } = visitor.sandbox;
    const [port, value] = [new URL(visitor.origin).port, /=([^;]+)/.exec(given[0] ?? '')?.[1]];
    expect(given).toEqual(
      ['security-info', 'oauth2/end_session'].map(
        (path) => `nudgelab-${port}-${id}-user=${value}; Path=/s/${id}/${path}; HttpOnly; SameSite=Lax`,
      ),
    );
  });

  test('security info: the cookie of one sandbox, renamed, opens no other', async () => {
    const [one, other] = [await atHome(), await atHome()];
    const cookie = one.jar.getCookieStringSync(`${one.sandbox.tokens.issuer}/security-info`);
    const renamed = cookie.replaceAll(one.sandbox.id, other.sandbox.id);
    const url = `${other.sandbox.tokens.issuer}/security-info`;
    expect((await fetch(url, { redirect: 'manual', headers: { cookie: renamed } })).status).toBe(303);
    const own = other.jar.getCookieStringSync(url);
    expect((await fetch(url, { redirect: 'manual', headers: { cookie: own } })).status).toBe(200);
  });

  test('security info: a user who was removed has none', async () => {
    const visitor = await atHome();
    await visitor.sandbox.directory.removeUser('ada');
    await visitor.load('/security-info');
    expect(visitor.shown.status).toBeGreaterThanOrEqual(300);
    expect(visitor.shown.status).toBeLessThan(500);
  });
});

describe('methods', () => {
  test('security info: a method is added and removed', async () => {
    const visitor = await atHome();
    await visitor.press('Add', { Method: 'voice' });
    expect([visitor.seen, methodsOf(visitor)]).toEqual([
      [200, 'security-info-list'],
      ['sms', 'voice'],
    ]);
    await visitor.send({ action: 'remove-method', method: 'sms' });
    expect(methodsOf(visitor)).toEqual(['voice']);
  });

  test('A26: the form that added one, sent again, adds none', async () => {
    const visitor = await atHome();
    const before = visitor.copy();
    await visitor.press('Add', { Method: 'voice' });
    const entries = visitor.sandbox.entryCount;
    await before.press('Add', { Method: 'voice' });
    expect([methodsOf(visitor), visitor.sandbox.entryCount]).toEqual([['sms', 'voice'], entries]);
  });

  test.for(['fido2', 'constructor', ''])(
    'security info: the method %j is none, and nothing changes',
    async (method) => {
      const visitor = await atHome();
      const before = visitor.sandbox.entryCount;
      for (const action of ['add-method', 'remove-method']) {
        await visitor.send({ action, method });
        expect(visitor.seen).toEqual([400, 'security-info-list']);
      }
      expect(visitor.sandbox.entryCount).toBe(before);
    },
  );

  test('bad-request: an action that the page does not have changes nothing', async () => {
    const visitor = await atHome();
    for (const action of ['', 'constructor', '__proto__']) {
      const tab = visitor.copy();
      expect((await tab.send({ action })).seen).toEqual([400, 'problem']);
    }
  });

  test('A27: a method that an open prompt asks for resolves it', async () => {
    const visitor = await (await site.visitor()).signIn();
    const other = await site.visitorOf(visitor.sandbox).signIn();
    expect([visitor.page.name, other.page.name]).toEqual(['prompt', 'prompt']);
    await visitor.press('Skip for now');
    await visitor.load('/security-info');
    await visitor.press('Add', { Method: 'authenticator-push' });
    await other.reload();
    expect(visitor.sandbox.signIns.view(other.signInId).screen).toBe('resolved');
    await other.press('Continue');
    expect(other.seen).toEqual([200, 'signed-in']);
    expect(visitor.sandbox.directory.nudgeStatus('ada')).toMatchObject({ snoozes: 1 });
  });
});

describe('passkeys', () => {
  test('R12: one is made, named after its kind, renamed and removed', async () => {
    const visitor = await atHome();
    await addPasskeys(visitor, 'one');
    expect(namesOf(visitor)).toEqual(['Security key']);
    await visitor.press('Save', { Name: ' "Blue" <key> ' });
    expect(namesOf(visitor)).toEqual(['"Blue" <key>']);
    expect(visitor.shown.text).not.toContain('<key>');
    await remove(visitor);
    expect(namesOf(visitor)).toEqual([]);
  });

  test('A26: a removal that is sent again removes no other passkey', async () => {
    const visitor = await atHome();
    await addPasskeys(visitor, 'one');
    const before = visitor.copy();
    await visitor.press('Save', { Name: 'First' });
    const ids = heldBy(visitor.sandbox, 'ada').map(({ credential }) => credential.id);
    await visitor.make(createAuthenticator({ aaguid: 'ee882879-721c-4913-9775-3dfcce97072a' }, { seed: 'two' }));
    expect(heldBy(visitor.sandbox, 'ada')).toHaveLength(2);
    await before.send({ action: 'remove-passkey', passkey: ids[0] ?? '' });
    await visitor.copy().send({ action: 'remove-passkey', passkey: ids[0] ?? '' });
    expect(heldBy(visitor.sandbox, 'ada')).toHaveLength(1);
    expect(namesOf(visitor)).not.toContain('First');
  });

  test.for(['', 'n'.repeat(65)])('security info: the name %.10j is refused, and the old one stays', async (name) => {
    const visitor = await atHome();
    await addPasskeys(visitor, 'one');
    await visitor.press('Save', { Name: name });
    expect([visitor.seen, namesOf(visitor)]).toEqual([[400, 'security-info-list'], ['Security key']]);
  });

  test.for(['wrong-origin', 'bad-signature', 'replayed-challenge'] as const)(
    'security info: a passkey of an authenticator of the misbehavior %s is refused',
    async (misbehavior) => {
      const visitor = await atHome();
      await visitor.make(createAuthenticator({}, { misbehavior }));
      expect([visitor.seen, namesOf(visitor)]).toEqual([[400, 'security-info-list'], []]);
    },
  );

  test('security info: an answer that made one makes no other', async () => {
    const visitor = await atHome();
    const before = visitor.copy();
    const answer = await createAuthenticator().create(visitor.options('Create passkey'), { origin: visitor.origin });
    await visitor.answer('Create passkey', answer);
    await remove(visitor);
    expect(namesOf(visitor)).toEqual([]);
    await before.answer('Create passkey', answer);
    expect([before.shown.status, namesOf(visitor).length]).toEqual([400, 0]);
  });

  test('R11.8: one that the policy does not admit is refused', async () => {
    const fido2 = { keyRestrictions: { type: 'block', kinds: ['security-key'] } };
    const visitor = await atHome({ tenant: { ...quiet, methodsPolicy: { fido2 } } });
    await visitor.make(createAuthenticator());
    expect([visitor.seen, namesOf(visitor)]).toEqual([[400, 'security-info-list'], []]);
  });

  test('R13.3: where registration is blocked nothing is offered, and nothing that is sent is taken', async () => {
    const visitor = await atHome({
      attempt: { conditionalAccess: { registrationPageBlocked: true } },
    });
    expect(visitor.seen).toEqual([200, 'security-info-list']);
    expect(visitor.page.forms.flatMap(({ buttons }) => buttons.map(({ label }) => label))).not.toContain(
      'Create passkey',
    );
    const before = visitor.sandbox.entryCount;
    const tab = visitor.copy();
    await tab.send({ action: 'add-method', method: 'voice' });
    expect(tab.page.name).toBe('problem');
    expect(visitor.sandbox.entryCount).toBe(before);
  });
});
