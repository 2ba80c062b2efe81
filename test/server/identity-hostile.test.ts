import { parse } from 'node-html-parser';
import { describe, expect, test } from 'vitest';
import { formBodyBytesMax } from '../../src/core/limits.ts';
import { shareInFile } from '../share-in-file.ts';
import { formType } from './identity-server.ts';
import { atSetup, createAuthenticator } from './passkey-set-up.ts';
import { passkeyCampaign, startSite } from './site.ts';
import type { Visitor } from './visitor.ts';

const site = shareInFile(() => startSite());

/** Opens the page on which Ada tests the new authenticator app. */
async function atSetupTest(): Promise<Visitor> {
  const visitor = await (await site.visitor()).signIn();
  return (await visitor.press('Next')).press('Next');
}

/** Opens the page on which Ada names her new passkey. */
async function atSetupName(): Promise<Visitor> {
  return (await atSetup(site)).make(createAuthenticator());
}

async function approve({ sandbox, signInId }: Visitor): Promise<void> {
  await sandbox.signIns.answerPush(signInId, true, sandbox.signIns.view(signInId).push?.number ?? null);
}

describe('prompts that expire during setup', () => {
  test('A40: at the test of the app, Finish is rejected, nothing is registered, and one snooze counts', async () => {
    const visitor = await atSetupTest();
    await approve(visitor);
    await visitor.sandbox.clock.advance({ minutes: 15 });
    await visitor.press('Finish');
    expect(visitor.seen).toEqual([409, 'closed']);
    expect(visitor.sandbox.directory.user('ada').methods).toEqual(['sms']);
    expect(visitor.sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'snoozed', snoozes: 1 });
  });

  test('A40: at the name of the passkey, Save is rejected and registers nothing', async () => {
    const visitor = await atSetupName();
    await visitor.sandbox.clock.advance({ minutes: 15 });
    await visitor.press('Save');
    expect(visitor.seen).toEqual([409, 'closed']);
    expect(visitor.sandbox.directory.user('ada').passkeys).toEqual([]);
    expect(visitor.sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'snoozed', snoozes: 1 });
  });

  test.for(['Create passkey', 'Finish'])(
    'A40: at the passkey page, "%s" is rejected and registers nothing',
    async (label) => {
      const visitor = await atSetup(site);
      const make = async () => (label === 'Finish' ? visitor.press('Finish') : visitor.make(createAuthenticator()));
      await visitor.sandbox.clock.advance({ minutes: 15 });
      await make();
      expect(visitor.seen).toEqual([409, 'closed']);
      expect(visitor.sandbox.directory.user('ada').passkeys).toEqual([]);
    },
  );

  test.for(['send-push', 'next', 'skip-error', 'use-method', 'other-method', 'check-push', 'passkey', 'make-passkey'])(
    'A40: the late action %s adds no further snooze',
    async (action) => {
      const visitor = await atSetupTest();
      await visitor.sandbox.clock.advance({ minutes: 20 });
      await visitor.send({ action });
      expect([200, 409]).toContain(visitor.shown.status);
      expect(visitor.sandbox.directory.nudgeStatus('ada').snoozes).toBe(1);
      expect(visitor.sandbox.directory.user('ada').methods).toEqual(['sms']);
    },
  );

  test('A45: one millisecond before the prompt expires the setup still completes', async () => {
    const visitor = await atSetupTest();
    await approve(visitor);
    await visitor.sandbox.clock.advance({ minutes: 14, ms: 59_999 });
    await visitor.press('Finish');
    expect(visitor.seen).toEqual([200, 'signed-in']);
  });
});

describe('tabs, back button and replayed forms', () => {
  test('A26: resubmitting the form that registered a passkey registers no second one', async () => {
    const visitor = await atSetup(site);
    const before = visitor.copy();
    const answer = await createAuthenticator().create(visitor.options('Create passkey'), { origin: visitor.origin });
    await visitor.answer('Create passkey', answer);
    await before.answer('Create passkey', answer);
    expect(before.seen).toEqual([200, 'setup-name']);
    await visitor.press('Save', { Name: 'One' });
    await before.press('Save', { Name: 'Two' });
    expect(before.seen).toEqual([200, 'signed-in']);
    expect(visitor.sandbox.directory.passkeys('ada').map(({ credential }) => credential.name)).toEqual(['One']);
  });

  test('A26: submitting the same forms concurrently registers one passkey', async () => {
    const visitor = await atSetupName();
    const tabs = [visitor.copy(), visitor.copy(), visitor.copy()];
    await Promise.all(tabs.map((tab) => tab.press('Save')));
    expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => [200, 'signed-in']));
    expect(visitor.sandbox.directory.passkeys('ada')).toHaveLength(1);
    const inputs = await visitor.sandbox.journal({ after: 0, limit: 100 });
    expect(inputs.filter(({ event }) => event.type === 'setup.completed')).toHaveLength(1);
  });

  test('A26: submitting the same authenticator response concurrently registers one passkey', async () => {
    const visitor = await atSetup(site);
    const tabs = [visitor.copy(), visitor.copy(), visitor.copy()];
    const answer = await createAuthenticator().create(visitor.options('Create passkey'), { origin: visitor.origin });
    await Promise.all(tabs.map((tab) => tab.answer('Create passkey', answer)));
    expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => [200, 'setup-name']));
    const inputs = await visitor.sandbox.journal({ after: 0, limit: 100 });
    expect(inputs.filter(({ event }) => event.type === 'passkey.created')).toHaveLength(1);
  });

  test('A26: submitting Finish concurrently completes the app registration once', async () => {
    const visitor = await atSetupTest();
    await approve(visitor);
    const tabs = [visitor.copy(), visitor.copy(), visitor.copy()];
    await Promise.all(tabs.map((tab) => tab.press('Finish')));
    expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => [200, 'signed-in']));
  });

  test('A26: submitting a code three times concurrently completes the second factor once', async () => {
    const visitor = await (await site.visitor()).signIn('mfa');
    const tabs = [visitor.copy(), visitor.copy(), visitor.copy()];
    await Promise.all(tabs.map((tab) => tab.press('Verify', { Code: '123456' })));
    expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => [200, 'prompt']));
    expect(visitor.sandbox.directory.nudgeStatus('ada').openPrompts).toHaveLength(1);
  });

  test('A26: Back from the setup to the prompt, then skip, counts one snooze', async () => {
    const visitor = await (await site.visitor({ tenant: passkeyCampaign })).signIn();
    const before = visitor.copy();
    await visitor.press('Next');
    await visitor.make(createAuthenticator());
    await before.press('Skip for now');
    expect(before.seen).toEqual([200, 'signed-in']);
    await visitor.press('Save');
    expect(visitor.seen).toEqual([200, 'signed-in']);
    expect(visitor.sandbox.directory.user('ada').passkeys).toEqual([]);
    expect(visitor.sandbox.directory.nudgeStatus('ada').snoozes).toBe(1);
  });

  test('A11: a push notification approved as second factor does not count as the test of the app', async () => {
    const visitor = await site.visitor({ attempt: { mfa: { method: 'authenticator-push' } } });
    await visitor.signIn('mfa');
    await approve(visitor);
    await visitor.press('Continue');
    expect(visitor.seen).toEqual([200, 'prompt']);
    await visitor.press('Next');
    await visitor.send({ action: 'finish' });
    expect(visitor.seen).toEqual([409, 'setup']);
    await visitor.press('Next');
    await visitor.press('Finish');
    expect(visitor.seen).toEqual([409, 'setup-test']);
    expect(visitor.sandbox.directory.user('ada').methods).toEqual(['sms']);
  });
});

describe('forms without their anti-forgery token', () => {
  const places = [
    ['name-passkey', atSetupName],
    ['make-passkey', () => atSetup(site)],
    ['finish', atSetupTest],
    ['send-push', atSetupTest],
    ['fail', atSetupTest],
    ['use-method', async () => (await site.visitor()).signIn('mfa')],
    ['passkey', async () => (await site.visitor()).signIn('password')],
  ] as const;

  test.for(places)(
    'anti-forgery-token-invalid: %s without the token, or with a different one, changes nothing',
    async ([action, reach]) => {
      const visitor = await reach();
      const before = visitor.sandbox.entryCount;
      const address = new URL(visitor.page.forms[0]?.address ?? '', visitor.origin).href;
      for (const fields of [{ action }, { action, formToken: 'A'.repeat(22) }]) {
        const tab = visitor.copy();
        await tab.submit(address, new URLSearchParams(fields));
        expect(tab.seen).toEqual([403, 'problem']);
      }
      expect(visitor.sandbox.entryCount).toBe(before);
    },
  );

  test('anti-forgery-token-invalid: every form of the security information requires the token', async () => {
    const visitor = await (await site.visitor({ tenant: { campaign: { state: 'disabled' } } })).signIn();
    await visitor.load('/security-info');
    expect(visitor.seen).toEqual([200, 'security-info-list']);
    const before = visitor.sandbox.entryCount;
    for (const action of [
      'add-method',
      'remove-method',
      'make-passkey',
      'finish',
      'rename-passkey',
      'remove-passkey',
    ]) {
      const tab = visitor.copy();
      await tab.submit(
        visitor.shown.address,
        new URLSearchParams({ action, method: 'sms', formToken: 'A'.repeat(43) }),
      );
      expect([action, tab.seen]).toEqual([action, [403, 'problem']]);
    }
    expect(visitor.sandbox.entryCount).toBe(before);
  });
});

describe('oversized input and header injection', () => {
  const lineBreak = 'x\r\nSet-Cookie: evil=1\r\n\r\n<script>';

  test.for([
    ['credential', 'make-passkey'],
    ['name', 'name-passkey'],
  ])('payload-too-large: a field %s that exceeds the form limit changes nothing', async ([field = '', action = '']) => {
    const visitor = await (action === 'make-passkey' ? atSetup(site) : atSetupName());
    const before = visitor.sandbox.entryCount;
    await visitor.send({ action, [field]: 'a'.repeat(formBodyBytesMax) });
    expect(visitor.seen).toEqual([413, 'problem']);
    expect(visitor.sandbox.entryCount).toBe(before);
  });

  test('headers: a line break in names, ids and paths reaches no header', async () => {
    const visitor = await site.visitor();
    const encoded = encodeURIComponent(lineBreak);
    const addresses = [
      `/sign-in?user=${encoded}`,
      `/sign-in?interaction=${encoded}`,
      `/sign-in?deviceId=${encoded}`,
      `/sign-in/${encoded}`,
      `/phone/${encoded}`,
      `/security-info?x=${encoded}`,
      `/sign-in/brand.css?color=${encoded}`,
    ];
    for (const address of addresses) {
      await visitor.load(address);
      expect(JSON.stringify(visitor.shown.headers)).not.toContain('evil');
      expect(visitor.shown.text).not.toContain('<script>');
    }
  });

  test('headers: a name of a user, a passkey or a tenant reaches no header', async () => {
    const { directory } = (await site.visitor()).sandbox;
    await directory.putUser('eve', { userPrincipalName: lineBreak, displayName: lineBreak });
    const visitor = await site.visitor({ settings: { branding: { name: lineBreak } } });
    await visitor.load();
    expect(JSON.stringify(visitor.shown.headers)).not.toContain('evil');
    expect(visitor.shown.text).not.toContain('<script>');
  });

  test.for(['not-a-uid', '..', '%00', 'A'.repeat(3000)])(
    'interaction-unknown: the interaction %.20j is rejected on every path and starts no sign-in',
    async (uid) => {
      const visitor = await site.visitor();
      const before = visitor.sandbox.entryCount;
      const query = `?interaction=${encodeURIComponent(uid)}`;
      await visitor.load(`/sign-in${query}`);
      expect(visitor.page.name).toBe('problem');
      expect(visitor.shown.status).toBeGreaterThanOrEqual(400);
      expect(visitor.shown.status).toBeLessThan(500);
      await visitor.submit(visitor.shown.address, new URLSearchParams({ username: 'ada@example.test' }));
      expect(visitor.page.name).toBe('problem');
      expect(visitor.sandbox.entryCount).toBe(before);
    },
  );
});

describe('branding of a tenant', () => {
  const logo = 'data:image/png;base64,iVBORw0KGgo=';

  test('brand: name and logo appear on every page as text and image, and the color in a separate stylesheet', async () => {
    const visitor = await site.visitor({
      settings: { branding: { name: '<b>Tide</b> & "Sons"', color: '#FFE94A', logo } },
    });
    await visitor.load();
    expect(visitor.shown.text).not.toContain('<b>');
    const page = parse(visitor.shown.text);
    expect(page.querySelector('header img')?.getAttribute('src')).toBe(logo);
    const sheets = page.querySelectorAll('link[rel=stylesheet]').map((link) => link.getAttribute('href') ?? '');
    expect(sheets).toHaveLength(2);
    await visitor.load(`${visitor.origin}${sheets[1]}`);
    expect(visitor.shown.headers['content-type']).toBe('text/css; charset=utf-8');
    expect(visitor.shown.text.match(/#[0-9a-f]{6}/gi)).toEqual(expect.arrayContaining(['#FFE94A', '#000000']));
  });

  test('brand: the color in the stylesheet URL is ignored', async () => {
    const visitor = await site.visitor({ settings: { branding: { name: 'Tide', color: '#0a7a5a' } } });
    await visitor.load('/sign-in/brand.css?color=ff0000;}body{display:none');
    expect(visitor.shown.text).not.toContain('ff0000');
    expect(visitor.shown.text).toContain('#0a7a5a');
  });

  test('not-found: a tenant without a color has no brand stylesheet', async () => {
    const visitor = await site.visitor();
    expect((await visitor.load('/sign-in/brand.css')).seen).toEqual([404, 'problem']);
    expect((await visitor.load()).shown.text).not.toContain('brand.css');
  });
});

describe('phone page', () => {
  test.for(['nobody@example.test', 'constructor', '..%2f..%2f', 'a'.repeat(2000)])(
    'user-not-found: the phone of %.30j does not exist',
    async (name) => {
      const visitor = await site.visitor();
      await visitor.load(`/phone/${name}`);
      expect(visitor.seen).toEqual([404, 'problem']);
    },
  );

  test('escaping: the name of the phone’s owner is escaped', async () => {
    const visitor = await site.visitor({ user: { displayName: '<script>alert(1)</script>' } });
    await visitor.load('/phone/ada@example.test');
    expect([visitor.page.name, visitor.shown.text.includes('<script>')]).toEqual(['phone', false]);
  });

  test('origin-not-allowed: another site cannot approve a push notification', async () => {
    const visitor = await site.visitor({ user: { methods: ['authenticator-push'] } });
    await visitor.signIn('mfa');
    const response = await fetch(`${visitor.sandbox.tokens.issuer}/phone/ada@example.test`, {
      method: 'POST',
      headers: { ...formType, origin: 'http://evil.example' },
      body: new URLSearchParams({ signIn: visitor.signInId, action: 'approve', number: visitor.page.number ?? '' }),
    });
    expect(response.status).toBe(403);
    expect(visitor.sandbox.signIns.view(visitor.signInId).push?.answer).toBe('waiting');
  });
});
