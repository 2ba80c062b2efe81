import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ruleCatalogue } from '../../src/contract/rule-catalogue.ts';
import { apiBodyBytesMax, toolMessageBytesMax } from '../../src/core/limits.ts';
import { runHere } from './command-context.ts';
import { connectHere } from './mcp-client.ts';
import { failing, passing, suiteFolder } from './suite-folder.ts';

const readers = [
  'explain',
  'validate_scenario',
  'run_scenarios',
  'list_rules',
  'list_fixtures',
  'get_schema',
  'generate_suite',
  'score_suite',
];

function suite(): string {
  return suiteFolder({ 'scenarios/good.yaml': passing, 'scenarios/deep/bad.yaml': failing });
}

describe('tools for agents', () => {
  it('every tool only reads, unless writing is allowed', async () => {
    const { client } = await connectHere(suite());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(readers);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const writer = await connectHere(suite(), { allowScenarioEdits: true });
    const more = (await writer.client.listTools()).tools;
    expect(more.map(({ name }) => name)).toEqual([...readers, 'save_scenario']);
    expect(more.at(-1)?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  it('the instructions name the tools and explain how to use their results', async () => {
    const { client } = await connectHere(suite());
    expect(client.getServerVersion()).toMatchObject({ name: 'nudgelab' });
    expect(client.getInstructions()).toMatch(/oracle[\s\S]*explain[\s\S]*validate_scenario[\s\S]*score_suite/);
  });

  it('explain gives the same verdict for fixtures as the command, with a sentence for every rule', async () => {
    const cwd = suite();
    const { ask } = await connectHere(cwd);
    const output = await ask('explain', {
      user: 'keychain-holder',
      tenant: 'passkey-enabled',
      attempt: { os: 'macos' },
    });
    expect(output).toMatchObject({ outcome: 'none', reason: 'local-passkey', decidedBy: 'R11.3' });
    const argv = ['explain', '--user', 'keychain-holder', '--tenant', 'passkey-enabled', '--os', 'macos'];
    const { stdout } = await runHere(argv, { cwd });
    expect(stdout.split('\n')[0]).toContain(output['headline']);
    const rules = output['rules'] as readonly { readonly id: string; readonly sentence: string }[];
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.filter(({ sentence }) => !sentence.endsWith('.'))).toEqual([]);
  });

  it('explain evaluates a fixture with changed facts, and complete facts', async () => {
    const { ask } = await connectHere(suite());
    const snooze = { count: 3, snoozedAtMs: null };
    const changed = await ask('explain', { user: { extends: 'sms-user', snooze } });
    expect(changed).toMatchObject({ outcome: 'required', reason: null, decidedBy: null });
    const facts = { tenant: {}, user: { id: 'ada' } };
    expect(await ask('explain', { facts })).toMatchObject({ ruleset: 'seed', outcome: 'skippable' });
    expect(await ask('explain', { facts: { ...facts, ruleset: '2026-09' } })).toMatchObject({ ruleset: '2026-09' });
  });

  it.each([
    ['fixture-not-found', { user: 'nobody' }, []],
    ['bad-request', {}, ['input.user']],
    ['bad-request', { user: 'sms-user', facts: {} }, ['input.user']],
    ['bad-request', { user: 'sms-user', attempt: { os: 'beos' } }, ['input.attempt.os']],
    ['bad-request', { user: 'sms-user', mode: 'fast' }, ['input']],
    ['bad-request', { user: 'sms-user', ruleset: '1999' }, ['input.ruleset']],
    ['facts-invalid', { facts: { tenant: {}, user: {} } }, ['facts.user.id']],
    ['facts-invalid', { facts: { tenant: {}, user: { id: 'ada' }, ruleset: 'old' } }, ['facts.ruleset']],
    ['payload-too-large', { user: 'a'.repeat(apiBodyBytesMax) }, []],
  ])('%s: explain rejects an invalid input', async (code, input, locations) => {
    const { refused } = await connectHere(suite());
    const error = await refused('explain', input);
    expect({ code: error.code, locations: error.problems.map(({ location }) => location) }).toEqual({
      code,
      locations,
    });
    expect(error.action).not.toBe('');
  });

  it('list_rules lists every rule, or those that are named', async () => {
    const { ask, refused } = await connectHere(suite());
    expect((await ask('list_rules', {}))['rules']).toHaveLength(ruleCatalogue.length);
    const { rules } = await ask('list_rules', { ids: ['R5', 'M1'] });
    expect(rules).toMatchObject([
      { id: 'R5', reasonCodes: ['snoozed'], rulesets: ['seed', '2026-09', 'announced'] },
      { id: 'M1', rulesets: ['2026-09', 'announced'] },
    ]);
    expect(await refused('list_rules', { ids: ['R99'] })).toMatchObject({ code: 'bad-request' });
  });

  it('list_fixtures lists names, and returns the facts of one with its base', async () => {
    const { ask, refused } = await connectHere(
      suiteFolder({
        'scenarios/a.yaml': passing,
        'fixtures/users/zoe.yaml': 'extends: sms-user\nuserType: guest\n',
      }),
    );
    expect((await ask('list_fixtures', { kind: 'users' }))['fixtures']).toContainEqual({ kind: 'users', name: 'zoe' });
    const { fixtures } = await ask('list_fixtures', { kind: 'users', name: 'zoe' });
    expect(fixtures).toEqual([{ kind: 'users', name: 'zoe', facts: { methods: ['sms'], userType: 'guest' } }]);
    expect(await refused('list_fixtures', { name: 'zoe' })).toMatchObject({ code: 'bad-request' });
  });

  it('get_schema returns the documents of the command schema', async () => {
    const { ask, refused } = await connectHere(suite());
    const { stdout } = await runHere(['schema', 'scenario']);
    expect((await ask('get_schema', { name: 'scenario' }))['schema']).toEqual(JSON.parse(stdout));
    expect(await refused('get_schema', { name: 'nothing' })).toMatchObject({ code: 'bad-request' });
  });

  it('an unknown tool is an error of the protocol', async () => {
    const { client } = await connectHere(suite());
    await expect(client.callTool({ name: 'delete_everything', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  it('suite-read-only: without permission nothing is saved', { timeout: 60_000 }, async () => {
    const cwd = suite();
    const { refused } = await connectHere(cwd);
    expect(await refused('save_scenario', { path: 'new.yaml', text: passing })).toMatchObject({
      code: 'suite-read-only',
    });
    expect(existsSync(join(cwd, 'scenarios/new.yaml'))).toBe(false);
  });

  it('payload-too-large: a message that never ends stops the command', async () => {
    const { code, stderr } = await runHere(['mcp'], { cwd: suite(), stdin: ['x'.repeat(toolMessageBytesMax), 'xx'] });
    expect({ code, first: stderr.split('\n')[0] }).toMatchObject({
      code: 2,
      first: expect.stringMatching(/^error payload-too-large: /),
    });
  });

  it('a line that is not a message is rejected, and the next one gets a response', async () => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const { code, stdout, stderr } = await runHere(['mcp'], {
      cwd: suite(),
      stdin: ['nonsense\n\n', ping.slice(0, 9), `${ping.slice(9)}\n`],
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^message rejected: /);
    expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('file-unreadable: --scenarios must name a folder', async () => {
    const { code, stderr } = await runHere(['mcp', '--scenarios', 'nowhere'], { cwd: suite() });
    expect({ code, error: stderr.startsWith('error file-unreadable: ') }).toEqual({ code: 2, error: true });
  });
});

describe('save_scenario', { timeout: 120_000 }, () => {
  it('saves a valid scenario, and replaces it only on request', async () => {
    const cwd = suite();
    const { ask, refused } = await connectHere(cwd, { allowScenarioEdits: true });
    const saved = await ask('save_scenario', { path: 'new/one.yaml', text: passing });
    expect(saved).toEqual({ path: 'scenarios/new/one.yaml', created: true, scenarios: 1 });
    const other = passing.replace('A user is asked', 'Another name');
    expect(await refused('save_scenario', { path: 'new/one.yaml', text: other })).toMatchObject({
      code: 'precondition-failed',
    });
    expect(readFileSync(join(cwd, 'scenarios/new/one.yaml'), 'utf8')).toBe(passing);
    expect(await ask('save_scenario', { path: 'new/one.yaml', text: other, overwrite: true })).toMatchObject({
      created: false,
    });
    expect(readFileSync(join(cwd, 'scenarios/new/one.yaml'), 'utf8')).toBe(other);
    expect(await refused('save_scenario', { path: 'bad.yaml', text: 'name: nothing\n' })).toMatchObject({
      code: 'scenario-invalid',
    });
  });

  it('bad-request: no path and no link leads out of the folder', async () => {
    const cwd = suite();
    mkdirSync(join(cwd, 'outside'));
    symlinkSync(join(cwd, 'outside'), join(cwd, 'scenarios/link'));
    symlinkSync(join(cwd, 'outside/target.yaml'), join(cwd, 'scenarios/file-link.yaml'));
    const { refused } = await connectHere(cwd, { allowScenarioEdits: true });
    const paths = [
      '../out.yaml',
      'a/../../out.yaml',
      `${cwd}/out.yaml`,
      'link/out.yaml',
      'file-link.yaml',
      'fixtures/a.yaml',
      'a.ts',
    ];
    const codes: string[] = [];
    for (const path of paths)
      codes.push((await refused('save_scenario', { path, text: passing, overwrite: true })).code);
    expect(codes).toEqual(paths.map(() => 'bad-request'));
    expect([
      existsSync(join(cwd, 'out.yaml')),
      existsSync(join(cwd, 'outside/out.yaml')),
      existsSync(join(cwd, 'outside/target.yaml')),
    ]).toEqual([false, false, false]);
  });
});
