import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HttpClient } from '../../src/scenario/drivers/http/http-client.ts';
import { HttpTab } from './http-tab.ts';
import {
  beginPrompt,
  type IdentityServer,
  type OpenPrompt,
  pageIn,
  send,
  startIdentityServer,
} from './identity-server.ts';

const ada = { name: 'ada@example.test', password: 'correct horse', code: '123456' };
const bob = { ...ada, name: 'bob@example.test' };

let client: HttpClient;
let server: IdentityServer;

beforeEach(async () => {
  client = new HttpClient();
  server = await startIdentityServer();
});

afterEach(async () => {
  await client.close();
  await server.close();
});

function tab(): HttpTab {
  return new HttpTab({ client, baseUrl: server.baseUrl });
}

function getNudgeStatus(userId: string) {
  return server.sandbox.directory.nudgeStatus(userId);
}

function advance(minutes: number): Promise<void> {
  return server.sandbox.clock.advance({ minutes });
}

describe('two tabs', () => {
  test('A26: both prompts of a user can be skipped, and each counts once', async () => {
    const [first, second] = [tab(), tab()];
    await first.signIn(ada);
    await second.signIn(ada);
    expect([await first.skip(), await second.skip()]).toMatchObject([{ page: 'signed-in' }, { page: 'signed-in' }]);
    expect(getNudgeStatus('ada').snoozes).toBe(2);
  });

  test('A27: the prompt of a user who registered elsewhere says so, and continuing counts no snooze', async () => {
    const [first, second] = [tab(), tab()];
    await first.signIn(ada);
    await second.signIn(ada);
    await first.register(null);
    expect(await second.reload()).toMatchObject({ page: 'signed-in', skippable: null });
    expect(await second.skip()).toMatchObject({ page: 'signed-in', status: 200 });
    expect(getNudgeStatus('ada')).toMatchObject({ state: 'registered', snoozes: 0 });
  });

  test('A27: Continue on the resolved page completes the sign-in', async () => {
    const openPrompt = await beginPrompt(server, 'ada');
    const other = tab();
    await other.signIn(ada);
    await other.register(null);
    const answer = await send(server, openPrompt, { action: 'continue' });
    expect([answer.status, pageIn(answer).name, pageIn(answer).forms]).toEqual([200, 'signed-in', []]);
    expect(getNudgeStatus('ada').state).toBe('registered');
  });

  test('A42: the second of two prompts at the limit rejects a skip', async () => {
    await server.sandbox.directory.setSnooze('ada', { count: 2 });
    const [first, second] = [tab(), tab()];
    await first.signIn(ada);
    await second.signIn(ada);
    expect(await first.skip()).toMatchObject({ page: 'signed-in', status: 200 });
    expect(await second.skip()).toMatchObject({ page: 'required', status: 409 });
    expect(getNudgeStatus('ada').snoozes).toBe(3);
  });

  test('R7: two sandboxes in one browser store the actions of their users separately', async () => {
    const other = new HttpTab({ client, baseUrl: `${server.baseUrl}/s/other` });
    await tab().signIn(ada);
    await other.signIn(ada);
    await other.skip();
    expect([getNudgeStatus('ada').snoozes, server.sandboxes.get('other').directory.nudgeStatus('ada').snoozes]).toEqual(
      [0, 1],
    );
  });
});

describe('back button and repeated forms', () => {
  let held: OpenPrompt;

  beforeEach(async () => {
    held = await beginPrompt(server, 'ada');
  });

  async function pageAfter(...actions: readonly string[]): Promise<readonly (readonly [number, string])[]> {
    const shown: (readonly [number, string])[] = [];
    for (const action of actions) {
      const answer = await send(server, held, { action, password: 'correct horse', code: '123456' });
      shown.push([answer.status, pageIn(answer).name]);
    }
    return shown;
  }

  test('A26: a skip that is submitted twice counts once', async () => {
    expect(await pageAfter('skip', 'skip')).toEqual([
      [200, 'signed-in'],
      [200, 'signed-in'],
    ]);
    expect(getNudgeStatus('ada').snoozes).toBe(1);
  });

  test('A26: forms of earlier pages show the current page of the sign-in and record nothing', async () => {
    const before = server.sandbox.entryCount;
    expect(await pageAfter('password', 'code', 'continue', 'finish', 'fail', 'skip-error')).toEqual(
      Array.from({ length: 6 }, () => [200, 'prompt']),
    );
    expect(server.sandbox.entryCount).toBe(before);
  });

  test('A26: a setup that is completed twice registers one method', async () => {
    expect(await pageAfter('next', 'next', 'try-app', 'try-app', 'next', 'try-app')).toEqual([
      [200, 'setup'],
      [200, 'setup'],
      [200, 'setup-test'],
      [200, 'setup-test'],
      [200, 'setup'],
      [200, 'setup-test'],
    ]);
    const { signIns } = server.sandbox;
    const signInId = held.address.split('/').at(-1) ?? '';
    await signIns.answerPush(signInId, true, signIns.view(signInId).push?.number ?? null);
    expect(await pageAfter('finish', 'finish', 'next', 'try-app', 'fail', 'skip')).toEqual(
      Array.from({ length: 6 }, () => [200, 'signed-in']),
    );
    const inputs = (await server.sandbox.journal({ after: 0, limit: 100 })).map(({ event }) => event.type);
    expect(inputs.filter((type) => type === 'setup.completed')).toHaveLength(1);
    expect(inputs.filter((type) => type === 'prompt.nextSelected')).toHaveLength(2);
    expect(inputs.filter((type) => type === 'push.sent')).toHaveLength(2);
    expect(getNudgeStatus('ada')).toMatchObject({ state: 'registered', snoozes: 0 });
  });

  test('A11: a setup without an approved push notification cannot be completed, and the page says so', async () => {
    expect(await pageAfter('next', 'finish', 'try-app', 'finish')).toEqual([
      [200, 'setup'],
      [409, 'setup'],
      [200, 'setup-test'],
      [409, 'setup-test'],
    ]);
    expect(getNudgeStatus('ada').state).not.toBe('registered');
  });

  test('R9: going back from the setup and skipping counts one snooze', async () => {
    expect(await pageAfter('next', 'skip')).toEqual([
      [200, 'setup'],
      [200, 'signed-in'],
    ]);
    expect(getNudgeStatus('ada').snoozes).toBe(1);
  });

  test('R11.8: skipping the prompt from behind an error screen shows that screen', async () => {
    expect(await pageAfter('next', 'fail', 'skip')).toEqual([
      [200, 'setup'],
      [200, 'error-screen'],
      [200, 'error-screen'],
    ]);
    expect(getNudgeStatus('ada').snoozes).toBe(0);
  });

  test('A26: concurrent skips count once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send(server, held, { action: 'skip' })));
    expect(answers.map((answer) => [answer.status, pageIn(answer).name])).toEqual(
      Array.from({ length: 3 }, () => [200, 'signed-in']),
    );
    expect(getNudgeStatus('ada').snoozes).toBe(1);
  });
});

describe('expired prompts', () => {
  test('A40: a late skip completes the sign-in, adds no snooze, and the page says so', async () => {
    const openPrompt = await beginPrompt(server, 'ada');
    await advance(15);
    const answer = await send(server, openPrompt, { action: 'skip' });
    expect([answer.status, pageIn(answer).name, /role="status"/.test(answer.text)]).toEqual([200, 'signed-in', true]);
    expect(getNudgeStatus('ada').snoozes).toBe(1);
  });

  test('A40: a timely skip shows no such message', async () => {
    const openPrompt = await beginPrompt(server, 'ada');
    await server.sandbox.clock.advance({ minutes: 14, ms: 59_999 });
    expect((await send(server, openPrompt, { action: 'skip' })).text).not.toMatch(/role="status"/);
  });

  test.for(['next', 'finish', 'fail'])(
    'prompt-expired: a late "%s" is rejected and shows the expired prompt',
    async (action) => {
      const openPrompt = await beginPrompt(server, 'ada');
      if (action !== 'next') await send(server, openPrompt, { action: 'next' });
      await advance(15);
      const answer = await send(server, openPrompt, { action });
      expect([answer.status, pageIn(answer).name]).toEqual([409, 'closed']);
      expect(getNudgeStatus('ada')).toMatchObject({ snoozes: 1, state: 'snoozed' });
    },
  );

  test('A25: Continue on an expired prompt is a late skip', async () => {
    const openPrompt = await beginPrompt(server, 'ada');
    await advance(20);
    const response = await server.ask(openPrompt.address, { headers: { cookie: openPrompt.cookie } });
    expect([response.status, pageIn(response).forms.length]).toEqual([200, 1]);
    expect(pageIn(await send(server, openPrompt, { action: 'continue' })).name).toBe('signed-in');
    expect(getNudgeStatus('ada').snoozes).toBe(1);
  });

  test('A1: an expired required prompt offers only a new sign-in and cannot be continued', async () => {
    const openPrompt = await beginPrompt(server, 'bob');
    await advance(20);
    const response = await server.ask(openPrompt.address, { headers: { cookie: openPrompt.cookie } });
    expect(pageIn(response)).toMatchObject({ name: 'closed', forms: [] });
    const answer = await send(server, openPrompt, { action: 'continue' });
    expect([answer.status, pageIn(answer).name]).toEqual([409, 'closed']);
    expect(getNudgeStatus('bob').snoozes).toBe(3);
  });

  test('A1: a prompt that became required by a rejected skip offers only a new sign-in once it has expired', async () => {
    const openPrompt = await beginPrompt(server, 'ada');
    await server.sandbox.directory.setSnooze('ada', { count: 3 });
    await send(server, openPrompt, { action: 'skip' });
    await advance(20);
    const response = await server.ask(openPrompt.address, { headers: { cookie: openPrompt.cookie } });
    expect(pageIn(response)).toMatchObject({ name: 'closed', forms: [] });
  });

  test('A40: an abandoned error screen adds no snooze, and its late skip completes the sign-in', async () => {
    const session = tab();
    await session.signIn(bob);
    await session.failRegistration();
    await advance(20);
    expect(await session.skipError()).toMatchObject({ page: 'signed-in', status: 200 });
    expect(getNudgeStatus('bob').snoozes).toBe(3);
  });
});

describe('unload beacon', () => {
  test('A41: a beacon returns 204, and the next sign-in counts the pending close', async () => {
    const [first, second] = [tab(), tab()];
    await first.signIn(ada);
    expect(await first.close()).toMatchObject({ status: 204 });
    expect(getNudgeStatus('ada')).toMatchObject({ snoozes: 0, state: 'prompted' });
    await second.signIn(ada);
    expect(getNudgeStatus('ada').snoozes).toBe(1);
  });

  test.for(['reload', 'next', 'skip'] as const)('A41: %s withdraws a pending close', async (back) => {
    const session = tab();
    await session.signIn(ada);
    await session.close();
    await session[back]();
    expect(getNudgeStatus('ada').openPrompts.filter(({ unloadedAt }) => unloadedAt !== null)).toEqual([]);
    expect(getNudgeStatus('ada').snoozes).toBe(back === 'skip' ? 1 : 0);
  });

  test('A41: submitting a form of an earlier page withdraws a pending close', async () => {
    const openPrompt = await beginPrompt(server, 'ada');
    await send(server, openPrompt, { action: 'left' });
    await send(server, openPrompt, { action: 'code', code: '123456' });
    expect(getNudgeStatus('ada').openPrompts).toMatchObject([{ unloadedAt: null }]);
  });

  test('A25: a beacon for a completed prompt is ignored', async () => {
    const session = tab();
    await session.signIn(ada);
    await session.skip();
    const before = server.sandbox.entryCount;
    expect(await session.close()).toMatchObject({ status: 204 });
    expect(server.sandbox.entryCount).toBe(before);
  });

  test('A41: a reload without a beacon records nothing', async () => {
    const session = tab();
    await session.signIn(ada);
    const before = server.sandbox.entryCount;
    expect(await session.reload()).toMatchObject({ page: 'prompt', status: 200 });
    expect(server.sandbox.entryCount).toBe(before);
  });
});
