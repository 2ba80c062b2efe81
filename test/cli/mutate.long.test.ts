import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';

/** Creates an empty folder for one test. */
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'nudgelab-mutate-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const failing = `name: Two snoozes
covers: []
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
  - next: {}
  - failRegistration: {}
  - skipError: {}
  - signIn: { user: ada }
  - skip: {}
    expect: { snoozes: 0 }
`;

describe('mutate', () => {
  it('reports the scenario and step that killed each mutant, with scores by rule and operator', async () => {
    const ended = await runHere([
      'mutate',
      'scenarios/snooze',
      '--rule',
      'R6',
      '--skip-equivalence',
      '--threshold',
      '1',
      '--json',
    ]);
    expect(ended.code).toBe(0);
    const report = parseOutput(ended) as Record<string, never>;
    expect(report).toMatchObject({
      complete: true,
      failing: [],
      summary: { mutants: expect.any(Number), killed: expect.any(Number), score: expect.any(Number) },
    });
    expect(report['byRule']).toContainEqual(expect.objectContaining({ of: 'R6' }));
    expect(report['mutants']).toContainEqual(
      expect.objectContaining({
        id: 'limit snoozeLimit: one more',
        verdict: 'killed',
        kill: expect.objectContaining({ scenario: expect.stringMatching(/^scenarios\/snooze\/.*yaml/) }),
      }),
    );
  }, 60_000);

  it('finds the shortest journey that kills a surviving mutant, and writes a scenario that kills it', async () => {
    const written = folder();
    const only = ['--filter', 'asks R13.5 before R13.4', '--operator', 'gates-swapped', '--json'];
    const first = await runHere(['mutate', 'scenarios/scope', ...only, '--out', written]);
    expect(first.code).toBe(1);
    const [file = ''] = readdirSync(written);
    expect(readFileSync(join(written, file), 'utf8')).toContain('asks R13.5 before R13.4');
    const again = await runHere(['mutate', written, ...only]);
    expect(again.code).toBe(0);
    expect(parseOutput(again)).toMatchObject({ summary: { survived: 0, undecided: 0, score: 1 } });
  }, 120_000);

  it('keeps partial results when the time limit ends and marks them as incomplete', async () => {
    const ended = await runHere(['mutate', 'scenarios/scope', '--time-limit', '1', '--max-state-pairs', '1', '--json']);
    expect(ended.code).toBe(1);
    expect(parseOutput(ended)).toMatchObject({ complete: expect.any(Boolean), scenarios: expect.any(Number) });
  }, 60_000);

  it('usage-invalid: an unknown operator and a rule without mutants are rejected', async () => {
    expect((await runHere(['mutate', '--operator', 'guard-painted'])).code).toBe(2);
    expect((await runHere(['mutate', '--rule', 'R99'])).code).toBe(2);
  });

  it('usage-invalid: --machine rejects the lifecycle machine and unknown machines', async () => {
    for (const name of ['nudge', 'elevator']) expect((await runHere(['mutate', '--machine', name])).code).toBe(2);
    expect((await runHere(['mutate', '--machine', 'document'])).code).toBe(0);
  });
});

describe('shrink', () => {
  it('saves the shortest scenario that fails in the same way and prints the command that repeats it', async () => {
    const here = folder();
    writeFileSync(join(here, 'failing.yaml'), failing);
    const ended = await runHere(['shrink', 'failing.yaml', '--json'], { cwd: here });
    expect(ended.code).toBe(0);
    expect(parseOutput(ended)).toMatchObject({
      from: 6,
      to: 2,
      isShortest: true,
      against: 'expectation',
      file: 'failing.shrunk.yaml',
    });
    expect((await runHere(['run', 'failing.shrunk.yaml'], { cwd: here })).code).toBe(1);
  }, 60_000);

  it('exits with 1 if nothing fails, and with 2 without a file', async () => {
    const here = folder();
    writeFileSync(join(here, 'passing.yaml'), failing.replace('snoozes: 0', 'snoozes: 1'));
    expect((await runHere(['shrink', 'passing.yaml'], { cwd: here })).code).toBe(1);
    expect((await runHere(['shrink'], { cwd: here })).code).toBe(2);
    expect((await runHere(['shrink', 'none.yaml'], { cwd: here })).code).toBe(2);
  }, 60_000);
});

describe('fuzz', () => {
  it('runs random walks on the model and on a mock server that it starts', async () => {
    const here = folder();
    const model = await runHere(['fuzz', '--driver', 'model', '--runs', '10', '--json'], { cwd: here });
    expect([model.code, parseOutput(model)]).toMatchObject([0, { passed: 10, failure: null, complete: true }]);
    const http = await runHere(['fuzz', '--runs', '3', '--json'], { cwd: here });
    expect([http.code, parseOutput(http)]).toMatchObject([0, { driver: 'http', passed: 3, failure: null }]);
  }, 60_000);

  it('driver-not-found, server-unreachable: an unknown driver or server exits with 2', async () => {
    expect((await runHere(['fuzz', '--driver', 'carrier-pigeon'])).code).toBe(2);
    expect((await runHere(['fuzz', '--url', 'http://localhost:1'])).code).toBe(2);
  }, 60_000);
});
