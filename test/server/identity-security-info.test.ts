import { describe, expect, test } from 'vitest';
import { nonEmpty } from '../non-empty.ts';
import { shareInFile } from '../share-in-file.ts';
import { listPasskeys } from './list-passkeys.ts';
import { createAuthenticator } from './passkey-set-up.ts';
import { type Surroundings, startSite } from './site.ts';
import type { Visitor } from './visitor.ts';

const site = shareInFile(() => startSite());

const quiet = { campaign: { state: 'disabled' } };

/** Opens the security information of Ada, who has signed in. */
async function atHome(surroundings: Surroundings = {}): Promise<Visitor> {
  const visitor = await (await site.visitor({ tenant: quiet, ...surroundings })).signIn();
  return visitor.load('/security-info');
}

function getMethods({ sandbox }: Visitor): readonly string[] {
  return sandbox.directory.user('ada').methods;
}

function listNames({ sandbox }: Visitor): readonly string[] {
  return listPasskeys(sandbox, 'ada').map((passkey) => (passkey.credential as { name?: string }).name ?? '');
}

/** Removes the first passkey. */
async function remove(visitor: Visitor): Promise<void> {
  const [first] = listPasskeys(visitor.sandbox, 'ada');
  await visitor.send({ action: 'remove-passkey', passkey: first?.credential.id ?? '' });
}

async function addPasskeys(visitor: Visitor, ...seeds: readonly string[]): Promise<void> {
  for (const seed of nonEmpty(seeds)) {
    await visitor.make(createAuthenticator({ aaguid: null, transports: ['usb'] }, { seed }));
    expect(visitor.seen).toEqual([200, 'security-info-list']);
  }
}

describe('access to the security information', () => {
  test('security info: without a sign-in in this browser it redirects to the sign-in page', async () => {
    const visitor = await site.visitor();
    await visitor.load('/security-info');
    expect([visitor.shown.status, visitor.shown.headers['location']]).toEqual([
      303,
      `/s/${visitor.sandbox.id}/sign-in`,
    ]);
  });

  test('security info: an incomplete sign-in gives no access', async () => {
    const visitor = await (await site.visitor()).signIn();
    expect(visitor.page.name).toBe('prompt');
    expect((await visitor.load('/security-info')).shown.status).toBe(303);
  });

  test.for([
    [{ hours: 1 }, 200],
    [{ hours: 1, ms: 1 }, 303],
  ] as const)('security info: %j after the sign-in it returns %i, by the virtual clock', async ([age, status]) => {
    const visitor = await atHome();
    await visitor.sandbox.clock.advance(age);
    expect((await visitor.load('/security-info')).shown.status).toBe(status);
  });

  test('security info: the cookie is limited to this sandbox and these pages', async () => {
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

  test('security info: the renamed cookie of one sandbox is invalid in another', async () => {
    const [one, other] = [await atHome(), await atHome()];
    const cookie = one.jar.getCookieStringSync(`${one.sandbox.tokens.issuer}/security-info`);
    const renamed = cookie.replaceAll(one.sandbox.id, other.sandbox.id);
    const url = `${other.sandbox.tokens.issuer}/security-info`;
    expect((await fetch(url, { redirect: 'manual', headers: { cookie: renamed } })).status).toBe(303);
    const own = other.jar.getCookieStringSync(url);
    expect((await fetch(url, { redirect: 'manual', headers: { cookie: own } })).status).toBe(200);
  });

  test('security info: a deleted user has no access', async () => {
    const visitor = await atHome();
    await visitor.sandbox.directory.removeUser('ada');
    await visitor.load('/security-info');
    expect(visitor.shown.status).toBeGreaterThanOrEqual(300);
    expect(visitor.shown.status).toBeLessThan(500);
  });
});

describe('authentication methods', () => {
  test('security info: a method can be added and removed', async () => {
    const visitor = await atHome();
    await visitor.press('Add', { Method: 'voice' });
    expect([visitor.seen, getMethods(visitor)]).toEqual([
      [200, 'security-info-list'],
      ['sms', 'voice'],
    ]);
    await visitor.send({ action: 'remove-method', method: 'sms' });
    expect(getMethods(visitor)).toEqual(['voice']);
  });

  test('A26: resubmitting the form that added a method adds nothing', async () => {
    const visitor = await atHome();
    const before = visitor.copy();
    await visitor.press('Add', { Method: 'voice' });
    const entries = visitor.sandbox.entryCount;
    await before.press('Add', { Method: 'voice' });
    expect([getMethods(visitor), visitor.sandbox.entryCount]).toEqual([['sms', 'voice'], entries]);
  });

  test.for(['fido2', 'constructor', ''])(
    'security info: the method %j is unknown and changes nothing',
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

  test('bad-request: an unknown action of the page changes nothing', async () => {
    const visitor = await atHome();
    for (const action of ['', 'constructor', '__proto__']) {
      const tab = visitor.copy();
      expect((await tab.send({ action })).seen).toEqual([400, 'problem']);
    }
  });

  test('A27: registering the method of an open prompt resolves the prompt', async () => {
    const visitor = await (await site.visitor()).signIn();
    const other = await site.createVisitor(visitor.sandbox).signIn();
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
  test('R12: a passkey is created, named after its passkey type, renamed and removed', async () => {
    const visitor = await atHome();
    await addPasskeys(visitor, 'one');
    expect(listNames(visitor)).toEqual(['Security key']);
    await visitor.press('Save', { Name: ' "Blue" <key> ' });
    expect(listNames(visitor)).toEqual(['"Blue" <key>']);
    expect(visitor.shown.text).not.toContain('<key>');
    await remove(visitor);
    expect(listNames(visitor)).toEqual([]);
  });

  test('A26: resubmitting a removal removes no other passkey', async () => {
    const visitor = await atHome();
    await addPasskeys(visitor, 'one');
    const before = visitor.copy();
    await visitor.press('Save', { Name: 'First' });
    const ids = listPasskeys(visitor.sandbox, 'ada').map(({ credential }) => credential.id);
    await visitor.make(createAuthenticator({ aaguid: 'ee882879-721c-4913-9775-3dfcce97072a' }, { seed: 'two' }));
    expect(listPasskeys(visitor.sandbox, 'ada')).toHaveLength(2);
    await before.send({ action: 'remove-passkey', passkey: ids[0] ?? '' });
    await visitor.copy().send({ action: 'remove-passkey', passkey: ids[0] ?? '' });
    expect(listPasskeys(visitor.sandbox, 'ada')).toHaveLength(1);
    expect(listNames(visitor)).not.toContain('First');
  });

  test.for(['', 'n'.repeat(65)])(
    'security info: the name %.10j is rejected, and the previous one is unchanged',
    async (name) => {
      const visitor = await atHome();
      await addPasskeys(visitor, 'one');
      await visitor.press('Save', { Name: name });
      expect([visitor.seen, listNames(visitor)]).toEqual([[400, 'security-info-list'], ['Security key']]);
    },
  );

  test.for(['wrong-origin', 'bad-signature', 'replayed-challenge'] as const)(
    'security info: a passkey of an authenticator with the misbehavior %s is rejected',
    async (misbehavior) => {
      const visitor = await atHome();
      await visitor.make(createAuthenticator({}, { misbehavior }));
      expect([visitor.seen, listNames(visitor)]).toEqual([[400, 'security-info-list'], []]);
    },
  );

  test('security info: a response that registered a passkey cannot register another one', async () => {
    const visitor = await atHome();
    const before = visitor.copy();
    const answer = await createAuthenticator().create(visitor.options('Create passkey'), { origin: visitor.origin });
    await visitor.answer('Create passkey', answer);
    await remove(visitor);
    expect(listNames(visitor)).toEqual([]);
    await before.answer('Create passkey', answer);
    expect([before.shown.status, listNames(visitor).length]).toEqual([400, 0]);
  });

  test('R11.8: a passkey that the policy does not allow is rejected', async () => {
    const fido2 = { keyRestrictions: { type: 'block', kinds: ['security-key'] } };
    const visitor = await atHome({ tenant: { ...quiet, methodsPolicy: { fido2 } } });
    await visitor.make(createAuthenticator());
    expect([visitor.seen, listNames(visitor)]).toEqual([[400, 'security-info-list'], []]);
  });

  test('R13.3: if registration is blocked, no method is offered and submitted forms are rejected', async () => {
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
