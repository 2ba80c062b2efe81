import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resultRows } from '../../src/cli/mcp/result-rows.ts';
import { tools } from '../../src/cli/mcp/tools.ts';
import { failing, passing, rows, suiteFolder } from './suite-folder.ts';

/** Folder with one scenario that passes and one that fails. */
function suite(files: Readonly<Record<string, string>> = {}): string {
  return suiteFolder({ 'scenarios/good.yaml': passing, 'scenarios/deep/bad.yaml': failing, ...files });
}

/** Runs a tool without a thread. Returns its output, which must match its schema. */
async function call(
  name: string,
  input: Readonly<Record<string, unknown>>,
  { cwd = suite(), values = [] as string[], ruleset = null as string | null } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`The tool ${name} does not exist.`);
  const setting = {
    cwd,
    root: join(cwd, 'scenarios'),
    fixtures: ['fixtures'],
    redaction: { keys: [], values },
    program: 'npx nudgelab',
    writer: 1,
    allowScenarioEdits: false,
    ...(ruleset === null ? {} : { rulesets: { ruleset: join(cwd, ruleset) } }),
  };
  return tool.output.parse(await tool.run(tool.input.parse(input), setting)) as Readonly<Record<string, unknown>>;
}

describe('run_scenarios', () => {
  it.each([
    [{}, { passed: 1, failed: 1 }],
    [{ paths: ['good.yaml'] }, { passed: 1, failed: 0 }],
    [{ paths: ['scenarios/good.yaml'] }, { passed: 1, failed: 0 }],
    [{ paths: ['deep/'] }, { passed: 0, failed: 1 }],
    [{ paths: ['deep', 'good.yaml'] }, { passed: 1, failed: 1 }],
    [{ covers: ['R1'] }, { passed: 1, failed: 0 }],
    [{ filter: 'at once' }, { passed: 0, failed: 1 }],
    [{ text: rows }, { passed: 2, failed: 1 }],
    [
      { text: rows, tags: ['rows'] },
      { passed: 2, failed: 1 },
    ],
  ])('the input %j runs %j', async (input, summary) => {
    expect(await call('run_scenarios', input)).toMatchObject({ complete: true, omitted: 0, summary });
  });

  it.each([
    ['scenario-empty', { paths: ['goo'] }],
    ['scenario-empty', { paths: ['good.yaml', 'none.yaml'] }],
    ['scenario-empty', { paths: ['../scenarios'] }],
    ['scenario-empty', { text: rows, tags: ['other'] }],
    ['scenario-invalid', { text: 'a: [' }],
    ['bad-request', { covers: ['R1', 'R99'] }],
    ['bad-request', { text: passing, paths: ['good.yaml'] }],
  ])('%s: the input %j is rejected', async (code, input) => {
    await expect(call('run_scenarios', input)).rejects.toMatchObject({ code });
  });

  it('a failure has its step, the rule that decided it, and the command that repeats it', async () => {
    const { results, coverage } = await call('run_scenarios', {});
    const [bad, good] = results as readonly Readonly<Record<string, unknown>>[];
    expect(bad).toMatchObject({ id: 'scenarios/deep/bad.yaml', status: 'failed' });
    expect(bad?.['command']).toMatch(/^npx nudgelab run scenarios\/deep\/bad\.yaml --driver model$/);
    expect(String(bad?.['failure'])).toMatch(/expected "prompt"[\s\S]*Stopped R5/);
    expect(good).toMatchObject({ id: 'scenarios/good.yaml', status: 'passed', unconfirmedClaims: [] });
    expect(good).not.toHaveProperty('failure');
    const { rulesShown } = coverage as { rulesShown: readonly string[] };
    expect([rulesShown.includes('R1'), rulesShown.includes('R5')]).toEqual([true, false]);
    const [inline] = (await call('run_scenarios', { text: failing }))['results'] as readonly object[];
    expect(inline).not.toHaveProperty('command');
  });

  it('values of the configuration are redacted in every result', async () => {
    const output = await call('run_scenarios', {}, { values: ['not-nudged'] });
    expect(output).toMatchObject({ summary: { passed: 1, failed: 1 } });
    expect(JSON.stringify(output)).not.toContain('not-nudged');
  });

  it('a scenario with an impossible step has failed with a reason, and the others run', async () => {
    const never = passing.replace('app-enabled', 'disabled').replace('{ page: prompt }', '{ page: not-nudged }');
    const cwd = suite({ 'scenarios/never.yaml': `${never}  - skip: {}\n` });
    const output = await call('run_scenarios', { paths: ['never.yaml', 'good.yaml'] }, { cwd });
    expect(output).toMatchObject({ complete: true, summary: { passed: 1, failed: 1, skipped: 0 } });
    expect(output['results']).toContainEqual(
      expect.objectContaining({ id: 'scenarios/never.yaml', status: 'failed', message: expect.stringMatching(/\w/) }),
    );
  });
});

describe('explain', () => {
  const firstWeek = `ruleset: first-week
version: 1.0.0
format: 1
title: After the first week
methods: { totp: { label: one-time codes, kind: totp } }
gates:
  - { id: G1, summary: The system is mobile., when: { fact: attempt.os, in: [ios, android] }, stop: not-mobile }
reasons: { not-mobile: 'The system {saw.os} is not mobile.' }
deadline: { ends: [{ after: 7d, since: created }], before: none }
`;
  const inOwn = async (input: Readonly<Record<string, unknown>>) =>
    call('explain', input, { cwd: suite({ 'a.ruleset.yaml': firstWeek }), ruleset: 'a.ruleset.yaml' });

  it('OC47: a sign-in of an own campaign has its words, and when and under which other facts it would prompt', async () => {
    const waiting = await inOwn({ user: 'sms-user', attempt: { os: 'ios' } });
    expect(waiting).toMatchObject({ ruleset: 'first-week', outcome: 'none', decidedBy: 'X.window' });
    expect(waiting['counterfactual']).toEqual({
      promptedFrom: '2026-01-12T09:00:00.000Z',
      promptedIf: [],
      complete: true,
      sentences: ['Prompted from 2026-01-12T09:00:00.000Z on, if only the time changes.'],
    });
    const other = await inOwn({ user: 'sms-user', ruleset: 'first-week' });
    expect(other).toMatchObject({ reason: 'not-mobile', headline: 'Not prompted: the system windows is not mobile.' });
    expect((other['rules'] as readonly object[])[1]).toMatchObject({ sentence: 'The system windows is not mobile.' });
  });

  it('OC47: a prompt and a registration campaign have no counterfactual', async () => {
    const prompted = await call(
      'explain',
      { user: 'sms-user' },
      {
        cwd: suite({
          'a.ruleset.yaml': firstWeek.replace(', before: none', '').replace('[ios, android]', '[windows]'),
        }),
        ruleset: 'a.ruleset.yaml',
      },
    );
    expect(prompted).toMatchObject({ outcome: 'skippable', decidedBy: null });
    expect(prompted).not.toHaveProperty('counterfactual');
    expect(await inOwn({ user: 'sms-user', ruleset: 'seed' })).not.toHaveProperty('counterfactual');
  });

  it('bad-request: an unknown ruleset is rejected, and facts need a registration campaign', async () => {
    await expect(inOwn({ user: 'sms-user', ruleset: 'first-wek' })).rejects.toMatchObject({ code: 'bad-request' });
    const facts = { tenant: {}, user: { id: 'ada' }, attempt: {} };
    await expect(inOwn({ facts })).rejects.toMatchObject({ code: 'usage-invalid' });
  });

  it('OC34: a gate of a ruleset file over a registration campaign has its own sentence', async () => {
    const offices = `ruleset: offices
version: 1.0.0
format: 1
title: Offices
base: seed
facts: { user: { office: { type: enum, values: [berlin, lima], default: berlin } } }
gates: { O1: { after: C1, summary: The office takes part., when: { fact: user.facts.office, is: lima }, stop: office-out } }
reasons: { office-out: 'The office {saw.office} does not take part.' }
`;
    const input = { user: 'sms-user', tenant: 'app-enabled' };
    const output = await call('explain', input, {
      cwd: suite({ 'b.ruleset.yaml': offices }),
      ruleset: 'b.ruleset.yaml',
    });
    expect(output['rules']).toContainEqual(
      expect.objectContaining({ id: 'O1', sentence: 'The office berlin does not take part.' }),
    );
  });
});

describe('validate_scenario', () => {
  it.each([
    [passing, true, []],
    [failing, false, []],
    [passing.replace('page: prompt', 'page: popup'), false, [{ line: 6, column: 21 }]],
  ])('a scenario is valid only if it has no problems and passes', async (text, valid, problems) => {
    expect(await call('validate_scenario', { text })).toMatchObject({ valid, problems });
  });
});

describe('generate_suite', () => {
  it.each([
    [{ coverage: 'reasons' }, 'generate --coverage reasons'],
    [{ strength: 1 }, 'generate --strength 1'],
  ])('%j returns scenarios, the number of the others, and the command for all of them', async (input, command) => {
    const output = await call('generate_suite', { ...input, filesMax: 1 });
    const { files, omitted, tests, complete } = output as Readonly<{
      files: readonly { path: string; text: string }[];
      omitted: number;
      tests: number;
      complete: boolean;
    }>;
    expect([files.length, complete, output['command']]).toEqual([1, true, `npx nudgelab ${command}`]);
    expect(files[0]?.text).toContain(`Generated by: npx nudgelab ${command}\n`);
    const all = await call('generate_suite', { ...input, filesMax: 100 });
    expect((all['files'] as readonly unknown[]).length).toBe(omitted + 1);
    expect([all['omitted'], all['tests']]).toEqual([0, tests]);
  });
});

describe('score_suite', () => {
  it('the score counts the mutants that the scenarios detect, and lists at most the requested survivors', async () => {
    const input = { paths: ['good.yaml'], rules: ['R1', 'R5'], decide: false, survivorsMax: 1 };
    const output = await call('score_suite', input);
    const { mutants, killed, survived } = output as { mutants: number; killed: number; survived: number };
    expect(output).toMatchObject({ scenarios: 1, complete: true, failing: [], mutants: killed + survived });
    expect(output['survivors']).toMatchObject([{ id: expect.any(String), scenario: null }]);
    expect([mutants > killed, killed > 0]).toEqual([true, true]);
  });

  it('scenarios that fail on the original model are reported', async () => {
    const output = await call('score_suite', { rules: ['R13.1'], decide: false });
    expect(output['failing']).toEqual(['scenarios/deep/bad.yaml']);
  });
});

describe('results of a tool', () => {
  const result = (id: number, status: string): never =>
    ({ id: `s${id}`, name: 'n', status, steps: [], unconfirmedClaims: [], command: `nudgelab run s${id}` }) as never;

  it('at most 20 failures and 500 results are returned, failures first, and the others are counted', () => {
    const results = [
      ...Array.from({ length: 490 }, (_, at) => result(at, 'passed')),
      ...Array.from({ length: 25 }, (_, at) => result(1_000 + at, 'failed')),
    ];
    const { results: listed, omitted } = resultRows(results, 'npx nudgelab');
    expect([listed.length, omitted]).toEqual([500, 15]);
    expect(listed.map(({ status }) => status).lastIndexOf('failed')).toBe(19);
    expect(listed[0]?.command).toBe('npx nudgelab run s1000');
    expect(resultRows(results.slice(0, 3), null)).toMatchObject({ results: [{ id: 's0' }, {}, {}], omitted: 0 });
  });
});
