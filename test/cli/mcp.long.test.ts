import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { CallThreads } from '../../src/cli/mcp/call-threads.ts';
import { toolCallsWaitingMax, toolThreadsMax } from '../../src/core/limits.ts';
import { nonEmpty } from '../non-empty.ts';
import { connect, connectHere } from './mcp-client.ts';
import { failing, passing, rows, suiteFolder } from './suite-folder.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

function suite(): string {
  return suiteFolder({ 'scenarios/good.yaml': passing, 'scenarios/deep/bad.yaml': failing });
}

function start(cwd: string, ...options: readonly string[]) {
  return connect(new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', ...options], cwd }));
}

describe('nudgelab mcp in this process', () => {
  it('validate_scenario reports problems with line and column, and failures with the rules', {
    timeout: 60_000,
  }, async () => {
    const { ask } = await connectHere(suite());
    const broken = await ask('validate_scenario', { text: passing.replace('page: prompt', 'page: popup') });
    expect(broken).toMatchObject({ valid: false, problems: [{ line: 6, column: 21 }], results: [] });
    const failed = await ask('validate_scenario', { text: failing, path: 'mine.yaml' });
    expect(failed).toMatchObject({ valid: false, problems: [], results: [{ id: 'mine.yaml', status: 'failed' }] });
    expect(JSON.stringify(failed)).toMatch(/Stopped R5/);
    expect(await ask('validate_scenario', { text: passing })).toMatchObject({ valid: true, scenarios: 1, omitted: 0 });
  });
});

describe('nudgelab mcp as a child process', { timeout: 300_000 }, () => {
  it('every tool returns what its schema promises', async () => {
    const { ask, client } = await start(suite(), '--allow-scenario-edits');
    const inputs: Readonly<Record<string, object>> = {
      explain: { user: 'sms-user' },
      validate_scenario: { text: rows },
      run_scenarios: { text: rows },
      list_rules: {},
      list_fixtures: {},
      get_schema: { name: 'control-openapi' },
      generate_suite: { coverage: 'reasons', filesMax: 2 },
      score_suite: { paths: ['good.yaml'], rules: ['R1'], decide: false },
      save_scenario: { path: 'rows.yaml', text: rows },
    };
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(Object.keys(inputs));
    for (const [name, input] of nonEmpty(Object.entries(inputs)))
      expect(Object.keys(await ask(name, { ...input }))).not.toEqual([]);
    expect(await ask('run_scenarios', { paths: ['rows.yaml'] })).toMatchObject({ summary: { passed: 2, failed: 1 } });
  });

  it('run_scenarios runs named files and folders, and explains each failure', async () => {
    const { ask, refused } = await start(suite());
    const all = await ask('run_scenarios', {});
    expect(all).toMatchObject({ complete: true, summary: { passed: 1, failed: 1, skipped: 0 } });
    const [failed] = all['results'] as readonly {
      readonly id: string;
      readonly failure: readonly string[];
      readonly command: string;
    }[];
    expect(failed?.id).toBe('scenarios/deep/bad.yaml');
    expect(failed?.failure.join('\n')).toMatch(/expected "prompt"[\s\S]*actual {3}"not-nudged"[\s\S]*Stopped R5/);
    expect(failed?.command).toMatch(/run scenarios\/deep\/bad\.yaml --driver model$/);
    const one = { summary: { passed: 1, failed: 0, skipped: 0 } };
    expect(await ask('run_scenarios', { paths: ['good.yaml'] })).toMatchObject(one);
    expect(await ask('run_scenarios', { paths: ['scenarios/good.yaml'] })).toMatchObject(one);
    expect(await ask('run_scenarios', { covers: ['R1'] })).toMatchObject(one);
    expect(await ask('run_scenarios', { paths: ['deep/'] })).toMatchObject({ summary: { passed: 0, failed: 1 } });
    for (const path of ['../scenarios', '/etc/passwd', 'nothing.yaml']) {
      expect(await refused('run_scenarios', { paths: [path] })).toMatchObject({ code: 'scenario-empty' });
    }
    expect(await refused('run_scenarios', { covers: ['R99'] })).toMatchObject({ code: 'bad-request' });
    expect(await refused('run_scenarios', { text: passing, paths: ['good.yaml'] })).toMatchObject({
      code: 'bad-request',
    });
    expect(await refused('run_scenarios', { text: 'a: [' })).toMatchObject({ code: 'scenario-invalid' });
  });

  it('score_suite finds the faults that a suite misses, and scenarios that detect them', async () => {
    const { ask } = await start(suite());
    const weak = await ask('score_suite', { paths: ['good.yaml'], filter: 'snoozed', timeLimitSeconds: 20 });
    expect(weak['mutants']).toBeGreaterThan(0);
    expect(weak['scenarios']).toBe(1);
    expect(weak['failing']).toEqual([]);
    const broken = await ask('score_suite', { paths: ['deep'], rules: ['R13.1'], decide: false });
    expect(broken['failing']).toEqual(['scenarios/deep/bad.yaml']);
  });

  it('generate_suite returns scenarios that pass, up to the requested number', async () => {
    const { ask } = await start(suite());
    const made = await ask('generate_suite', { coverage: 'reasons', filesMax: 1 });
    const [file] = made['files'] as readonly { readonly text: string }[];
    expect(made['omitted']).toBeGreaterThan(0);
    expect(await ask('validate_scenario', { text: file?.text ?? '' })).toMatchObject({ valid: true });
  });

  it('concurrent calls do not affect each other', async () => {
    const { ask } = await start(suite());
    const calls = Array.from({ length: 6 }, (_, index) =>
      ask('validate_scenario', { text: index % 2 === 0 ? passing : failing }),
    );
    expect((await Promise.all(calls)).map(({ valid }) => valid)).toEqual([true, false, true, false, true, false]);
  });

  it('tool-limit-exceeded: a call ends at its time limit, when it is canceled, and if too many wait', async () => {
    const setting = {
      cwd: suite(),
      root: null,
      fixtures: [],
      redaction: { keys: [], values: [] },
      program: 'nudgelab',
      writer: 1,
      allowScenarioEdits: false,
    };
    const endless = {
      tool: 'generate_suite',
      input: { coverage: 'pairs', filesMax: 1, timeLimitSeconds: 600 },
      setting,
    };
    const threads = new CallThreads();
    const never = new AbortController();
    await expect(threads.run(endless, 50, never.signal)).rejects.toMatchObject({
      code: 'tool-limit-exceeded',
      message: expect.stringContaining('0.05 seconds'),
    });
    const cancel = new AbortController();
    const full = Array.from({ length: toolThreadsMax + toolCallsWaitingMax }, () =>
      threads.run(endless, 600_000, cancel.signal),
    );
    await expect(threads.run(endless, 600_000, cancel.signal)).rejects.toMatchObject({ code: 'tool-limit-exceeded' });
    cancel.abort();
    const ended = await Promise.allSettled(full);
    expect(ended.map(({ status }) => status)).toEqual(full.map(() => 'rejected'));
  });

  it('a canceled request frees its thread', async () => {
    const { client, ask } = await connectHere(suite());
    const aborted = new AbortController();
    const input = { coverage: 'pairs', timeLimitSeconds: 600 };
    const long = client.callTool({ name: 'generate_suite', arguments: input }, undefined, { signal: aborted.signal });
    aborted.abort('enough');
    await expect(long).rejects.toThrow('enough');
    expect(await ask('validate_scenario', { text: passing })).toMatchObject({ valid: true });
  });
});
