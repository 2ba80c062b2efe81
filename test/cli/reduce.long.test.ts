import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { failing, passing, suiteFolder } from './suite-folder.ts';

/** Scenario that does what `passing` does, and skips the prompt as well. */
const longer = `name: A user is asked and skips
covers: [R1]
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt }
  - skip: {}
    expect: { page: signed-in, snoozes: 1 }
`;

/** Scenario of the lookup API, which no mutant changes. */
const lookup = `name: An unknown address
given: { tenant: app-enabled }
steps:
  - lookup: { type: email, query: a@example.test, tool: all }
    expect: { status: 200 }
`;

const suite = { 'scenarios/a.yaml': passing, 'scenarios/b.yaml': longer, 'scenarios/c.yaml': passing };
const ofRules = ['--rule', 'R1,R13.1'];

describe('nudgelab reduce', () => {
  it('lists what is not needed, proves the minimum, and writes a list that run accepts', async () => {
    const cwd = suiteFolder(suite);
    const { code, stdout } = await runHere(['reduce', ...ofRules, '--out', 'needed.txt'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Not needed\n {2}scenarios\/a\.yaml\n {2}scenarios\/c\.yaml\n\n1 scenario of 3 needed: proven minimal\n/,
    );
    expect(readFileSync(join(cwd, 'needed.txt'), 'utf8')).toBe('scenarios/b.yaml\n');
    const ran = parseOutput(await runHere(['run', '--list', 'needed.txt', '--json'], { cwd }));
    expect(ran).toMatchObject({ summary: { passed: 1 }, results: [{ id: 'scenarios/b.yaml' }] });
  });

  it('--json has the proof, and the same goals before and after', async () => {
    const cwd = suiteFolder(suite);
    const whole = parseOutput(await runHere(['reduce', ...ofRules, '--json'], { cwd })) as Record<string, unknown>;
    expect(whole).toMatchObject({ complete: true, by: 'scenarios', before: 3, after: 1, lowerBound: 1, minimal: true });
    const kept = parseOutput(await runHere(['reduce', 'scenarios/b.yaml', ...ofRules, '--json'], { cwd }));
    const { coveragePoints, killedMutants } = whole;
    expect(kept).toMatchObject({ coveragePoints, killedMutants, before: 1, after: 1 });
    expect(killedMutants).toBeGreaterThan(0);
  });

  it('keeps scenarios that cannot be measured, and fails with scenarios that fail on the model', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing, 'scenarios/bad.yaml': failing, 'scenarios/l.yaml': lookup });
    const { code, stdout } = await runHere(['reduce', ...ofRules], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('1 scenario that no mutant or driver can measure here: kept');
    expect(stdout).toContain('fails on the model itself, so it was left out: scenarios/bad.yaml');
  });

  it('an unknown rule, a folder without scenarios and a path that cannot be written are errors', async () => {
    const cwd = suiteFolder({ ...suite, 'empty/readme.txt': '' });
    const error = async (...argv: readonly string[]) => (await runHere(['reduce', ...argv], { cwd })).stderr;
    expect(await error('--rule', 'R99')).toMatch(/No mutant matches/);
    expect(await error('empty')).toMatch(/No scenarios were found/);
    expect(await error(...ofRules, '--out', 'missing/needed.txt')).toMatch(/cannot be written to missing\/needed\.txt/);
  });
});

describe('nudgelab prioritize', () => {
  it('orders by faults per step, and writes the order for run', async () => {
    const cwd = suiteFolder(suite);
    const { code, stdout } = await runHere(['prioritize', ...ofRules, '--out', 'order.txt'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ 1\. scenarios\/a\.yaml {2}\+\d+\n/);
    expect(stdout).toMatch(/ 100 % after \d+ steps, before \d+\n/);
    const order = readFileSync(join(cwd, 'order.txt'), 'utf8').trim().split('\n');
    expect(order.toSorted()).toEqual(['scenarios/a.yaml', 'scenarios/b.yaml', 'scenarios/c.yaml']);
    const { results } = parseOutput(await runHere(['run', '--list', 'order.txt', '--json'], { cwd })) as {
      readonly results: readonly { readonly id: string }[];
    };
    expect(results.map(({ id }) => id)).toEqual(order);
  });

  it('--times takes the durations of a report, so a slow scenario comes later', async () => {
    const cwd = suiteFolder(suite);
    await runHere(['run', '--report', 'report'], { cwd });
    const { stdout } = await runHere(['prioritize', ...ofRules, '--times', 'report/report.json', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ unit: 'ms', complete: true });
    const missing = await runHere(['prioritize', '--times', 'none.json'], { cwd });
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('none.json cannot be used for durations'),
    });
  });
});

describe('run --list', () => {
  it.each([
    [
      'scenarios/a.yml\n',
      /list\.txt:1 the suite has no scenario scenarios\/a\.yml; did you mean "scenarios\/a\.yaml"\?/,
    ],
    ['scenarios/a.yaml\n# twice\nscenarios/a.yaml\n', /list\.txt:3 scenarios\/a\.yaml is listed twice/],
  ])('the list %j is an error that names the line', async (text, message) => {
    const cwd = suiteFolder({ ...suite, 'list.txt': text });
    const { code, stderr } = await runHere(['run', '--list', 'list.txt'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('an empty list runs nothing, which is an error', async () => {
    const cwd = suiteFolder({ ...suite, 'list.txt': '\n' });
    const { code, stderr } = await runHere(['run', '--list', 'list.txt'], { cwd });
    expect({ code, named: stderr.includes('None of 3 scenarios matches --list list.txt') }).toEqual({
      code: 1,
      named: true,
    });
  });

  it('a missing list is an error', async () => {
    const { code, stderr } = await runHere(['run', '--list', 'none.txt'], { cwd: suiteFolder(suite) });
    expect({ code, named: stderr.includes('none.txt') }).toEqual({ code: 2, named: true });
  });
});
