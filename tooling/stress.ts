/**
 * `npm run test:stress`: runs all tests in several rounds while other processes keep every core busy. It prints
 * each test that did not pass in every round. The exit code is 1 if there are any.
 *
 * The option `--rounds N` sets the number of rounds (5), and `--busy N` the number of busy processes (8). Arguments
 * after `--` are passed to the tests, such as a folder.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

interface TestResult {
  readonly fullName: string;
  readonly status: string;
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly TestResult[];
}

const top = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, busy: { type: 'string', default: '8' } },
  allowPositionals: true,
});
const [rounds, busy] = [values.rounds, values.busy].map((text) => {
  if (!/^[1-9]\d?$/.test(text)) throw new RangeError(`"${text}" is not a number from 1 to 99.`);
  return Number(text);
}) as [number, number];

const folder = mkdtempSync(join(tmpdir(), 'nudgelab-stress-'));
const others: ChildProcess[] = Array.from({ length: busy }, () =>
  spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2)'], { stdio: 'ignore' }),
);
process.on('exit', () => {
  for (const other of others) other.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Rounds in which each test failed, by file and title. */
const red = new Map<string, number[]>();
let least = Number.POSITIVE_INFINITY;
for (let round = 1; round <= rounds; round += 1) {
  const passed = runRound(round);
  least = Math.min(least, passed);
  console.log(`round ${round} of ${rounds}: ${passed} tests passed`);
}
for (const [title, inRounds] of red) console.log(`failed in round ${inRounds.join(', ')}: ${title}`);
console.log(
  `${red.size} tests failed in ${rounds} rounds with ${busy} busy processes; at least ${least} passed in each`,
);
process.exitCode = red.size === 0 && least > 0 ? 0 : 1;

/** Runs all tests once. Returns the number of passed tests. A round without passed tests is a failure. */
function runRound(round: number): number {
  const outputFile = join(folder, `${round}.json`);
  const options = ['--mode', 'all', '--project', '!doc-commands', '--reporter=json', `--outputFile=${outputFile}`];
  const { stderr } = spawnSync('vitest', ['run', ...options, ...positionals], { cwd: top, encoding: 'utf8' });
  const files = resultsIn(outputFile, stderr);
  let passed = 0;
  for (const { name, status, message, assertionResults } of files) {
    const path = relative(top, name);
    const failed = assertionResults.filter((result) => result.status === 'failed');
    for (const { fullName } of failed) noteRed(`${path} ${fullName}`, round);
    if (status === 'failed' && failed.length === 0) noteRed(`${path} ${message.split('\n')[0] ?? ''}`, round);
    passed += assertionResults.filter((result) => result.status === 'passed').length;
  }
  return passed;
}

function resultsIn(outputFile: string, stderr: string): readonly FileResult[] {
  try {
    return (JSON.parse(readFileSync(outputFile, 'utf8')) as { testResults: readonly FileResult[] }).testResults;
  } catch (error) {
    throw new Error(`The tests wrote no results:\n${stderr}`, { cause: error });
  }
}

function noteRed(title: string, round: number): void {
  red.set(title, [...(red.get(title) ?? []), round]);
}
