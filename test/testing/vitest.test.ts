import { createSandbox, describe, expect, test } from '../../src/testing/vitest.ts';

describe('nudgelab/vitest', () => {
  const it = test.extend({ given: { tenant: 'app-enabled', users: { ada: 'sms-user', bob: {} } } });

  it('R5, R6: after a skip, the next prompt appears one day later', async ({ signIn, persona, clock }) => {
    const ada = persona('ada');
    const tab = await signIn('ada');
    await expect(tab).toBePrompted();
    await expect(tab).not.toBeRequired();
    await expect(tab).toHaveSnoozesLeft(3);
    await tab.skip();
    await expect(tab).toBeSignedIn();
    await expect(ada).toHaveNudgeStatus({ snoozes: 1, snoozesLeft: 2, nextPromptAt: '2026-01-06T09:00:00.000Z' });
    await expect(await signIn('ada')).toBeLetThrough('snoozed');
    await clock.advance({ days: 1 });
    await expect(await signIn('ada')).toBePrompted();
  });

  it('A41: a closed page that is loaded again does not count as a snooze', async ({ signIn, persona, clock }) => {
    const tab = await signIn('ada');
    await tab.closeBrowser();
    await expect(tab).toBeAt('closed');
    await clock.advance({ minutes: 3 });
    expect(await tab.reload()).toEqual({ page: 'prompt', status: 200 });
    await expect(tab).toBePrompted();
    await expect(await signIn('ada')).toBePrompted();
    await expect(persona('ada')).toHaveNudgeStatus({ snoozes: 0, nextPromptAt: null });
  });

  it('user-not-found: the error names a user who was not given', ({ persona }) => {
    expect(() => persona('eve')).toThrow(expect.objectContaining({ code: 'user-not-found' }));
  });

  it('each matcher fails if its expectation is not met', async ({ signIn, persona }) => {
    const tab = await signIn('ada');
    for (const check of [
      () => expect(tab).toBeRequired(),
      () => expect(tab).toBeSignedIn(),
      () => expect(tab).toBeLetThrough(),
      () => expect(tab).toBeAt('setup'),
      () => expect(tab).toHaveSnoozesLeft(2),
      () => expect(tab).not.toBePrompted(),
      () => expect(persona('ada')).toHaveNudgeStatus({ snoozes: 1 }),
      () => expect(persona('ada')).toHaveSnoozesLeft(null),
    ]) {
      await expect(check()).rejects.toThrow(/expected/);
    }
    await tab.skip();
    const again = await signIn('ada');
    await expect(expect(again).toBeLetThrough('excluded')).rejects.toThrow(/snoozed/);
  });

  it('R5, R6: a failed matcher prints the verdict, the rule that decided it, and the journey so far', async ({
    signIn,
    persona,
  }) => {
    const failure = (check: Promise<void>) =>
      check.then(
        () => 'The assertion passed.',
        (error: unknown) => String(error),
      );
    const tab = await signIn('ada');
    const required = await failure(expect(tab).toBeRequired());
    expect(required).toContain('expected the page to be "required", but it is "prompt"');
    expect(required).toContain('Verdict: Prompted; may skip');
    expect(required).toContain('Decided by R6: 0 of 3 snoozes used; 3 left.');
    await tab.skip();
    const prompted = await failure(expect(await signIn('ada')).toBePrompted());
    expect(prompted).toContain('Verdict: Not prompted: snoozed less than a minute ago');
    expect(prompted).toContain('Decided by R5: Snoozed less than a minute ago');
    expect(prompted).toContain('Journey of ada:');
    expect(prompted).toMatch(/2026-01-05T09:00:00.000Z {2}sign-in started, .*prompt skipped/);
    const status = await failure(expect(persona('ada')).not.toHaveSnoozesLeft(2));
    expect(status).toContain('expected the number of snoozes left not to be 2');
    expect(status).toContain('1 of 3 snoozes used; 2 left.');
    expect(await failure(expect(persona('bob')).toHaveSnoozesLeft(2))).toContain('no event yet');
  });

  test('plain use: two sandboxes share no state', async () => {
    const given = { tenant: 'app-enabled', users: { ada: 'sms-user' } };
    const [one, other] = await Promise.all([createSandbox(given), createSandbox(given)]);
    await (await one.signIn('ada')).skip();
    await expect(one.persona('ada')).toHaveSnoozesLeft(2);
    await expect(other.persona('ada')).toHaveSnoozesLeft(3);
    expect(await one.explain('ada')).toMatchObject({ outcome: 'none', reason: 'snoozed' });
    expect(await one.patchPolicy({ as: 'none', body: {} })).toMatchObject({ status: 401 });
  });
});

describe('nudgelab/vitest, a sign-in started by an application', () => {
  const shop = { extends: 'web-site', id: 'shop', consent: 'required' };
  const it = test.extend({
    given: { tenant: 'app-enabled', users: { ada: 'sms-user' }, clients: ['web-site', shop] },
  });

  it('R13.1: it ends at the application, and the session suppresses later prompts until the user signs out', async ({
    signIn,
  }) => {
    const first = await signIn('ada', { client: 'web-site' });
    await expect(first).toBePrompted();
    expect(await first.skip()).toMatchObject({ page: 'application' });
    const second = await signIn('ada', { client: 'web-site' });
    await expect(second).toBeAt('application');
    expect(await second.verdict()).toMatchObject({ reason: 'sso-session' });
    await expect(first.skip()).rejects.toMatchObject({ code: 'driver-failed' });
    expect(await second.signOut()).toMatchObject({ page: 'signed-out' });
    expect(await (await signIn('ada', { client: 'web-site' })).verdict()).toMatchObject({ reason: 'snoozed' });
  });

  it('rejecting the consent ends the sign-in without consent', async ({ signIn }) => {
    await (await signIn('ada')).skip();
    const tab = await signIn('ada', { client: 'shop', consent: 'refuse' });
    expect({ page: tab.page, visitedPages: tab.visitedPages }).toEqual({
      page: 'application-refused',
      visitedPages: ['consent'],
    });
  });

  it('driver-failed: an action without a matching page and a sign-out without an application are rejected', async ({
    signIn,
  }) => {
    const tab = await signIn('ada');
    await expect(tab.signOut()).rejects.toMatchObject({ code: 'driver-failed' });
    await tab.skip();
    await expect(signIn('ada', { client: 'web-site', consent: 'accept' })).rejects.toMatchObject({
      code: 'driver-failed',
    });
  });
});
