import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { receivedRulesetsMax, rulesetBytesMax } from '../../src/core/limits.ts';
import { RulesetRegistry } from '../../src/journal/ruleset-registry.ts';
import { memoryStorage, ReceivedRulesets } from '../../src/scenario/rulesets/received-rulesets.ts';
import { testContext } from '../cli/command-context.ts';

const gate = { after: 'C1', summary: 'Guests only.', when: { fact: 'user.type', is: 'guest' }, stop: 'set-aside' };

/** Campaign over `seed` that does not ask members. */
const sparing = {
  ruleset: 'spare-posted',
  version: '1.0.0',
  format: 1,
  title: 'Spare members',
  base: 'seed',
  gates: { P1: gate },
  reasons: { 'set-aside': 'Members are excluded.' },
};

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & {
    readonly error?: {
      readonly code: string;
      readonly action: string;
      readonly problems: readonly { readonly location: string; readonly message: string }[];
    };
  };
}

/** Starts a server with options, which ends with the test at the latest. */
async function served(...options: readonly string[]) {
  const context = testContext({ cwd: mkdtempSync(join(tmpdir(), 'nudgelab-posted-')) });
  const ended = runProgram(['serve', '--port', '0', '--json', '--users', 'sms-user', ...options], context);
  const stop = async () => {
    context.stop();
    await ended;
  };
  onTestFinished(stop);
  await Promise.race([context.stdout.until((text) => text.includes('\n')), ended]);
  const { controlUrl } = JSON.parse(context.stdout.text) as { controlUrl: string };
  const ask = async (method: string, path: string, body?: unknown, key?: string): Promise<Answer> => {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${controlUrl}${path}`, init);
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  return { ask, stop };
}

describe('OC36: rulesets through the control API', () => {
  test('a posted ruleset evaluates the sandboxes that name it', async () => {
    const { ask } = await served('--allow-rulesets');
    const posted = await ask('POST', '/rulesets', sparing);
    expect(posted.status).toBe(201);
    expect(posted.body).toMatchObject({ ruleset: 'spare-posted', origin: 'control-api', data: sparing });
    expect((await ask('POST', '/rulesets', sparing)).status).toBe(200);
    const list = (await ask('GET', '/rulesets')).body['rulesets'] as readonly { readonly ruleset: string }[];
    expect(list.map(({ ruleset }) => ruleset)).toEqual(['seed', '2026-09', 'announced', 'spare-posted']);
    expect((await ask('GET', '/rulesets/spare-posted')).body).toEqual(posted.body);
    expect((await ask('GET', '/rulesets/seed')).body).toMatchObject({ origin: 'built-in', data: null });
    const users = [{ id: 'ada' }];
    expect((await ask('POST', '/sandboxes', { id: 'one', ruleset: 'spare-posted', users })).status).toBe(201);
    const verdict = await ask('POST', '/sandboxes/one/explain', { user: 'ada' });
    expect(JSON.stringify(verdict.body)).toContain('"reason":"set-aside"');
  });

  test('a ruleset can have a posted one as its base', async () => {
    const { ask } = await served('--allow-rulesets');
    await ask('POST', '/rulesets', sparing);
    const over = { ruleset: 'over-posted', version: '1.0.0', format: 1, title: 'Over', base: 'spare-posted' };
    expect((await ask('POST', '/rulesets', over)).status).toBe(201);
    const wrong = await ask('POST', '/rulesets', { ...over, ruleset: 'over-none', base: 'spare-nothing' });
    expect(wrong.body.error?.problems).toMatchObject([{ location: 'body.base' }]);
  });

  test('is off without --allow-rulesets, and names the option; reading stays possible', async () => {
    const { ask } = await served();
    const { status, body } = await ask('POST', '/rulesets', sparing);
    expect([status, body.error?.code]).toEqual([403, 'rulesets-read-only']);
    expect(body.error?.action).toContain('--allow-rulesets');
    expect((await ask('GET', '/rulesets/spare-posted')).status).toBe(404);
    expect((await ask('GET', '/rulesets/announced')).status).toBe(200);
  });

  test('is behind the control key', async () => {
    const key = 'k7Qx2mZ9pL4vR8tW1nB6cY3h';
    const { ask } = await served('--allow-rulesets', '--control-key', key);
    expect((await ask('POST', '/rulesets', sparing)).status).toBe(401);
    expect((await ask('GET', '/rulesets')).status).toBe(401);
    expect((await ask('POST', '/rulesets', sparing, key)).status).toBe(201);
  });

  test.for([
    ['a module', { gates: { P1: { after: 'C1', module: './a.gate.js' } } }, 'body.gates.P1'],
    ['use of a module', { gates: [{ use: './a.gate.ts' }] }, 'body.gates.0'],
    [
      'a module of an edition',
      { editions: [{ from: '2026-05-01', source: ['x'], set: { gates: { P1: { module: '../a.gate.js' } } } }] },
      'body.editions.0.set.gates.P1',
    ],
  ] as const)('ruleset-module-refused: rejects %s', async ([, changed, location]) => {
    const { ask } = await served('--allow-rulesets');
    const { status, body } = await ask('POST', '/rulesets', { ...sparing, ...changed });
    expect([status, body.error?.code]).toEqual([403, 'ruleset-module-refused']);
    expect(body.error?.problems).toMatchObject([{ location }]);
    expect((await ask('GET', '/rulesets/spare-posted')).status).toBe(404);
  });

  test.for([
    ['a key that is missing', { version: undefined }, 'body', 'RS01'],
    ['an id that is built in', { ruleset: 'seed' }, 'body.ruleset', 'RS01'],
    ['an unknown key', { gate: [] }, 'body', 'RS'],
    ['an unknown fact', { gates: { P1: { ...gate, when: { fact: 'user.kind', is: 'x' } } } }, 'body.gates', 'RS27'],
    ['a ruleset that is too large', { description: 'x'.repeat(rulesetBytesMax) }, 'body', 'RS01'],
  ] as const)('ruleset-invalid: rejects %s with its path and code', async ([, changed, location, code]) => {
    const { ask } = await served('--allow-rulesets');
    const { status, body } = await ask('POST', '/rulesets', { ...sparing, ...changed });
    expect([status, body.error?.code]).toEqual([400, 'ruleset-invalid']);
    const [problem] = body.error?.problems ?? [];
    expect(problem?.location).toContain(location);
    expect(problem?.message).toContain(code);
  });

  test('ruleset-exists: another ruleset with a taken id is rejected, also with that of a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'nudgelab-posted-')), 'a.ruleset.json');
    writeFileSync(file, JSON.stringify({ ...sparing, ruleset: 'spare-file' }));
    const { ask } = await served('--allow-rulesets', '--ruleset', file);
    for (const id of ['spare-file', 'spare-posted']) {
      await ask('POST', '/rulesets', { ...sparing, ruleset: id });
      const { status, body } = await ask('POST', '/rulesets', { ...sparing, ruleset: id, title: 'Another title' });
      expect([status, body.error?.code]).toEqual([409, 'ruleset-exists']);
    }
  });

  test('survives a restart of a server with a SQLite file, also without the option', async () => {
    const db = join(mkdtempSync(join(tmpdir(), 'nudgelab-posted-')), 'lab.db');
    const first = await served('--allow-rulesets', '--db', db);
    await first.ask('POST', '/rulesets', sparing);
    await first.ask('POST', '/sandboxes', { id: 'one', ruleset: 'spare-posted', users: [{ id: 'ada' }] });
    await first.stop();
    const { ask } = await served('--db', db);
    expect((await ask('GET', '/rulesets/spare-posted')).body).toMatchObject({ data: sparing });
    const verdict = await ask('POST', '/sandboxes/one/explain', { user: 'ada' });
    expect(JSON.stringify(verdict.body)).toContain('"reason":"set-aside"');
    expect((await ask('POST', '/rulesets', sparing)).status).toBe(403);
  });

  test('too-many-rulesets: the number of received rulesets is limited', async () => {
    const received = new ReceivedRulesets(new RulesetRegistry(), memoryStorage(), true);
    for (let index = 0; index < receivedRulesetsMax; index += 1) {
      await received.add({ ...sparing, ruleset: `posted-${index}` });
    }
    await expect(received.add(sparing)).rejects.toMatchObject({ code: 'too-many-rulesets' });
    await expect(received.add({ ...sparing, ruleset: 'posted-0' })).resolves.toMatchObject({ isNew: false });
  });

  test('two servers of one store know the rulesets of each other, and one id is given once', async () => {
    const storage = memoryStorage();
    const one = new ReceivedRulesets(new RulesetRegistry(), storage, true);
    const two = new ReceivedRulesets(new RulesetRegistry(), storage, true);
    const { loaded } = await one.add(sparing);
    expect(two.registry.find('spare-posted')).toBeUndefined();
    await two.refresh();
    expect(two.registry.find('spare-posted')?.digest).toBe(loaded.digest);
    await expect(two.add({ ...sparing, title: 'Another' })).rejects.toMatchObject({ code: 'ruleset-exists' });
    const race = await Promise.allSettled([
      one.add({ ...sparing, ruleset: 'raced', title: 'One' }),
      two.add({ ...sparing, ruleset: 'raced', title: 'Two' }),
    ]);
    expect(race.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
