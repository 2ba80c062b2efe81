import { describe, expect, it, onTestFinished } from 'vitest';
import { startSite } from '../server/site.ts';
import { parseOutput, runHere } from './command-context.ts';
import { servedAt } from './served.ts';

const frozen = ['--frozen', '--clock', '2026-01-05T09:00:00Z'] as const;

describe('clock', () => {
  it('shows, advances, sets, resumes and freezes the virtual clock', async () => {
    const url = await servedAt(...frozen);
    const clock = async (...words: readonly string[]) => (await runHere(['clock', ...words, '--url', url])).stdout;
    expect(await clock()).toBe('2026-01-05T09:00:00.000Z, frozen\n');
    expect(await clock('advance', '1d', '2h', '30m', '1.5s', '250ms')).toBe('2026-01-06T11:30:01.750Z, frozen\n');
    expect(await clock('set', '2026-01-01T00:00:00Z')).toBe('2026-01-01T00:00:00.000Z, frozen\n');
    expect(await clock('resume')).toMatch(/^2026-01-01T00:00:0\S+, running\n$/);
    expect(await clock('freeze')).toMatch(/, frozen\n$/);
    expect(parseOutput(await runHere(['clock', '--url', url, '--json']))).toMatchObject({ running: false });
  });

  it.each([
    [['advance'], 'usage-invalid'],
    [['advance', '5'], 'usage-invalid'],
    [['advance', '0d'], 'usage-invalid'],
    [['set'], 'usage-invalid'],
    [['stop'], 'usage-invalid'],
    [['show', 'me'], 'usage-invalid'],
    [['set', 'tomorrow'], 'bad-request'],
    [['show', '--sandbox', 'nowhere'], 'sandbox-not-found'],
  ])('%j is rejected with %s', async (words, code) => {
    const url = await servedAt(...frozen);
    const ended = await runHere(['clock', ...words, '--url', url]);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`error ${code}`)]);
    expect((await runHere(['clock', '--url', url])).stdout).toBe('2026-01-05T09:00:00.000Z, frozen\n');
  });
});

describe('users', () => {
  it('lists users with nudge status, by state and by reason, and shows one in full', async () => {
    const url = await servedAt(...frozen, '--users', 'snoozing-user');
    const users = async (...words: readonly string[]) => (await runHere(['users', ...words, '--url', url])).stdout;
    const all = await users();
    expect(all).toMatch(/^sms-user {2,}notPrompted {2,}0 of 3 snoozes$/m);
    expect(all).toMatch(/^snoozing-user {2,}snoozed {2,}\d of 3 snoozes, next prompt from 2026-/m);
    expect(await users('--state', 'snoozed')).toMatch(/^snoozing-user [^\n]*\n$/);
    expect(await users('--search', 'sms')).toMatch(/^sms-user [^\n]*\n$/);
    expect(await users('--reason', 'snoozed')).toMatch(/^snoozing-user [^\n]*\n$/);
    expect(await users('--state', 'registered')).toBe('No users match.\n');
    expect(parseOutput(await runHere(['users', 'sms-user', '--url', url]))).toMatchObject({
      id: 'sms-user',
      nudgeStatus: { state: 'notPrompted', snoozes: 0, snoozesLeft: 3 },
    });
    const missing = await runHere(['users', 'nobody', '--url', url]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('error user-not-found')]);
  });
});

describe('sign-ins', () => {
  it('lists sign-ins with outcome and reason, and explains one', async () => {
    const site = await startSite();
    onTestFinished(() => site.close());
    const url = site.server.baseUrl;
    const { sandbox, signInId } = await (await site.visitor({ attempt: { ssoSession: true } })).signIn();
    const signIns = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await runHere(['sign-ins', ...words, '--url', url, '--sandbox', sandbox.id]);
      return `${code} ${stdout}${stderr}`;
    };
    expect(await signIns()).toBe(
      `0 2026-01-05T09:00:00.000Z  ${signInId}  ada                  none       sso-session, at notNudged\n`,
    );
    expect(await signIns('--user', 'ada', '--json')).toContain('"outcome":"none","reason":"sso-session"');
    const explained = await signIns(signInId);
    expect(explained).toMatch(/^0 Not prompted: the user is already signed in through SSO\.\n/);
    expect(explained).toMatch(/^R13\.1 +Stopped /m);
    expect(explained).toMatch(/^2026-01-05T09:00:00\.000Z {2}signIn\.started$/m);
    expect(await signIns('none')).toContain('2 error sign-in-not-found');
    expect(await signIns('--user', 'nobody')).toContain('2 error user-not-found');
    expect(await signIns('--limit', '0')).toContain('a whole number from 1 to');
    expect(await signIns('a', 'b')).toContain('2 error usage-invalid');
    const other = await runHere(['sign-ins', '--url', url]);
    expect(other.stdout).toBe('No sign-ins yet.\n');
  });
});

describe('explain --url', () => {
  it('explains the next sign-in of a user with the tenant and clock of the server', async () => {
    const url = await servedAt(...frozen, '--users', 'snoozing-user');
    const prompted = await runHere(['explain', '--url', url, '--user', 'sms-user']);
    expect(prompted).toMatchObject({ code: 0, stderr: '' });
    expect(prompted.stdout).toMatch(
      /^sms-user: Prompted; may skip \(3 of 3 snoozes left\)\nsandbox default, ruleset seed\n/,
    );
    const sso = await runHere(['explain', '--url', url, '--user', 'sms-user', '--sso']);
    expect(sso.stdout).toMatch(/^sms-user: Not prompted: .*SSO.*\(R13\.1, \S+\)\n/);
    const snoozing = ['explain', '--url', url, '--user', 'snoozing-user', '--json'];
    expect(parseOutput(await runHere(snoozing))).toMatchObject({ outcome: 'none', reason: 'snoozed' });
    await runHere(['clock', 'advance', '1d', '--url', url]);
    expect(parseOutput(await runHere(snoozing))).toMatchObject({ outcome: 'skippable' });
  });

  it.each([
    [[], 'usage-invalid'],
    [['--user', 'sms-user', '--clock', '2026-01-05T09:00:00Z'], 'usage-invalid'],
    [['--user', 'nobody'], 'user-not-found'],
  ])('%j is rejected with %s', async (words, code) => {
    const url = await servedAt(...frozen);
    const ended = await runHere(['explain', '--url', url, ...words]);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`error ${code}`)]);
  });

  it('usage-invalid: --sandbox without --url selects a user of the default server', async () => {
    const ended = await runHere(['explain', '--sandbox', 'demo']);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('Specify a user of the sandbox')]);
  });

  it.each(['/s/demo', '/s/demo/'])('usage-invalid: the URL of a sandbox with the path %s is rejected', async (path) => {
    const url = await servedAt(...frozen);
    const ended = await runHere(['users', '--url', `${url}${path}`]);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`--url ${url} --sandbox demo.`)]);
  });
});
