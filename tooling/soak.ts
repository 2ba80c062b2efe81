/**
 * `npm run soak` runs the complete long-running checks, and `npm run soak:ci` runs the CI part of each. Arguments
 * select checks by name. On machines with at least two cores, two checks run in parallel. Checks that report times
 * run alone. Each check prints one line with its claim, what was checked and the duration. A failed check shows its
 * output and the command that repeats it. The results of a complete run are written to docs/benchmarks.md. The exit
 * code is 1 if a check failed.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type SoakCheck, soakChecks } from './soak-checks.ts';

/** Result of a check. */
interface Soaked {
  readonly check: SoakCheck;
  readonly passed: boolean;
  /** Last line of its output. */
  readonly seen: string;
  readonly minutes: number;
}

const top = fileURLToPath(new URL('..', import.meta.url));
const isCi = process.argv.includes('--ci');
const named = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const unknown = named.filter((name) => !soakChecks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. Available: ${soakChecks.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

/** Interval between two progress lines in milliseconds. */
const progressEveryMs = 30_000;

const chosen = soakChecks
  .filter(({ name }) => named.length === 0 || named.includes(name))
  .filter(({ ci }) => !isCi || ci !== null);
const startedMs = performance.now();
const besides = chosen.filter(({ alone }) => !alone);
const lanesMax = 2;
const lanes = Array.from({ length: Math.min(lanesMax, availableParallelism()) }, async () => {
  const done: Soaked[] = [];
  for (let check = besides.shift(); check !== undefined; check = besides.shift()) done.push(await soak(check));
  return done;
});
const soaked = (await Promise.all(lanes)).flat();
for (const check of chosen.filter(({ alone }) => alone)) soaked.push(await soak(check));
soaked.sort((a, b) => chosen.indexOf(a.check) - chosen.indexOf(b.check));
const failed = soaked.filter(({ passed }) => !passed);
const minutes = (performance.now() - startedMs) / 60_000;
console.log(
  `\n${soaked.length - failed.length} checks passed, ${failed.length} failed, in ${minutes.toFixed(1)} minutes`,
);
if (!isCi && named.length === 0) keepFigures(soaked);
process.exitCode = failed.length === 0 ? 0 : 1;

async function soak(check: SoakCheck): Promise<Soaked> {
  const [program = '', ...args] = [...check.command, ...((isCi ? check.ci : null) ?? check.whole)];
  console.log(`begins  ${check.name}${isCi ? `, ${check.part}` : ''}`);
  const startMs = performance.now();
  const PATH = `${join(top, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn(program, args, { cwd: top, env: { ...process.env, PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let saidMs = startMs;
  const hear = (line: string): void => {
    lines.push(line);
    if (performance.now() - saidMs < progressEveryMs) return;
    saidMs = performance.now();
    console.log(`        ${check.name}, ${((saidMs - startMs) / 60_000).toFixed(1)} min: ${line}`);
  };
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', hear);
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  const code = await promise;
  const spent = (performance.now() - startMs) / 60_000;
  const seen = lines.at(-1) ?? '';
  // A check without output has checked nothing.
  const passed = code === 0 && seen !== '';
  console.log(`${passed ? 'passed' : 'FAILED'}  ${check.sentence} (${spent.toFixed(1)} min)`);
  if (passed) console.log(`        ${check.name}: ${seen}`);
  else {
    console.log(lines.slice(-40).join('\n').replace(/^/gm, '        '));
    console.log(`        Run it again: npx ${[program, ...args].join(' ')}`);
  }
  return { check, passed, seen, minutes: spent };
}

/** Writes the results of a complete run between their markers. */
function keepFigures(all: readonly Soaked[]): void {
  const file = join(top, 'docs', 'benchmarks.md');
  const [cpu] = cpus();
  const today = new Date().toISOString().slice(0, 10);
  const rows = all.map(
    ({ check, passed, seen, minutes: spent }) =>
      `| \`${check.name}\` | ${seen.replaceAll('|', '\\|')} | ${spent.toFixed(1)} min | ${passed ? 'passed' : '**failed**'} |`,
  );
  const text = [
    '<!-- soak: begin -->',
    `\`npm run soak\` of ${today}, Node ${process.versions.node}, ${cpus().length} × ${cpu?.model ?? 'unknown'}.`,
    '',
    '| check | seen | took | |',
    '|---|---|---|---|',
    ...rows,
    '<!-- soak: end -->',
  ].join('\n');
  const before = readFileSync(file, 'utf8');
  const [begin, end] = ['<!-- soak: begin -->', '<!-- soak: end -->'].map((mark) => before.indexOf(mark));
  const hasMarks = begin !== undefined && end !== undefined && begin !== -1 && end > begin;
  const after = hasMarks
    ? `${before.slice(0, begin)}${text}${before.slice(end + '<!-- soak: end -->'.length)}`
    : before;
  if (after === before && !before.includes(text)) throw new Error(`${file} has no markers for the soak test results.`);
  writeFileSync(file, after);
}
