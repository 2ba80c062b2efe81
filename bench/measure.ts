import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { getRelativeSpeed } from './calibrate.ts';
import { computePairedRatio, type Decision, decide, type Interval, median } from './statistics.ts';

export { median };

/** Root folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));
/** Command-line entry point, as the npm scripts run it. */
export const mainFile = join(root, 'tooling', 'nudgelab.js');

/** Row of the benchmark table: a ratio measured in one run, and its target. */
export interface BenchRow {
  readonly what: string;
  /** Measured figure, in the unit of the row. `theirs` is the reference figure. */
  readonly ours: number;
  readonly theirs: number | null;
  readonly unit: string;
  readonly ratio: number | null;
  readonly bar: string;
  readonly reached: boolean;
  /** 95 % confidence interval of the ratio. Absent if the rounds are not paired. */
  readonly interval?: Interval | null;
  /** What the interval says about the target. Absent if `reached` decides. */
  readonly decision?: Decision;
}

/**
 * Environment that enables the compile cache, so a reference server reads TypeScript from this repository as fast as
 * ours.
 */
const cached = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'nudgelab', 'modules') };

/** Time that a command took. */
export interface CommandTime {
  readonly wallMs: number;
  /** Processor time of the command and the processes that it waited for. */
  readonly processorMs: number;
}

/** Prints the processor time of a command to a fourth stream after it has ended. */
const withTimes = '"$@" 3>&-; code=$?; times >&3; exit $code';

/** Runs a command and returns its wall time and its processor time. Throws if the exit code is not 0. */
export async function measureCommand(args: readonly string[]): Promise<CommandTime> {
  const startMs = performance.now();
  const child = spawn('/bin/sh', ['-c', withTimes, 'sh', process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, ...cached },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [errors, times]: [Buffer[], Buffer[]] = [[], []];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  (child.stdio[3] as Readable).on('data', (chunk: Buffer) => times.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  const wallMs = performance.now() - startMs;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${Buffer.concat(errors).toString('utf8')}`);
  return { wallMs, processorMs: parseTimes(Buffer.concat(times).toString('utf8')) };
}

/** Returns the processor time, in milliseconds, of the children of a shell from the output of its command `times`. */
export function parseTimes(output: string): number {
  const ofChildren = output.trim().split('\n')[1] ?? '';
  return ofChildren.split(' ').reduce((sum, part) => {
    const [minutes, seconds] = part.replace('s', '').split('m');
    return sum + (Number(minutes) * 60 + Number(seconds)) * 1_000;
  }, 0);
}

/** Server that runs in a separate process. */
export interface StartedServer {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly pid: number;
  /** Time from the start of the process until it reports that it is listening, in milliseconds. */
  readonly startedInMs: number;
  stop(): Promise<void>;
}

/** Starts a process that prints one JSON line with its `baseUrl` once it is listening. */
export async function startServer(args: readonly string[]): Promise<StartedServer> {
  const startMs = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const startedInMs = performance.now() - startMs;
  const { baseUrl, controlUrl = '' } = JSON.parse(line) as { baseUrl: string; controlUrl?: string };
  return { baseUrl, controlUrl, pid: child.pid ?? 0, startedInMs, stop: () => stopped(child) };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Returns the resident memory of a process in MiB, as Linux accounts it. Returns 0 for a zombie process. */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? 0 : Number(kib) / 1024;
}

/** Returns the processor time of all threads of a process in milliseconds, as Linux accounts it in ticks of 10 ms. */
export function readProcessorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

const msPerTick = 10;

/** Interval between memory samples of a command, in milliseconds. */
const lookEveryMs = 10;

/** Runs a command and returns the peak memory, in MiB, of the command and all processes that it starts. */
export async function measurePeakMib(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...cached }, stdio: 'ignore' });
  const { pid = 0 } = child;
  let peak = 0;
  const looking = setInterval(() => {
    peak = Math.max(peak, familyMib(pid));
  }, lookEveryMs);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(looking);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`);
  return peak;
}

/** Returns the memory of a process and its descendants in MiB. Processes that have exited count as 0. */
function familyMib(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return residentMib(pid) + children.reduce((sum, child) => sum + familyMib(Number(child)), 0);
  } catch {
    return 0;
  }
}

/** Runs a function with a temporary folder, which is removed afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a row whose ratio has a minimum as its target. */
export function atLeast(bar: number, what: string, ours: number, theirs: number, unit: string): BenchRow {
  const ratio = ours / theirs;
  return { what, ours, theirs, unit, ratio, bar: `≥ ${bar} ×`, reached: ratio >= bar };
}

/** Creates a row whose ratio has a maximum as its target. */
export function atMost(bar: number, what: string, ours: number, theirs: number, unit: string): BenchRow {
  const ratio = ours / theirs;
  return { what, ours, theirs, unit, ratio, bar: `≤ ${bar} ×`, reached: ratio <= bar };
}

/** Figures of the rounds of both programs, in the same order. */
export interface Rounds {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

/** Creates a row of paired rounds whose ratio has a minimum as its target. */
export function pairedAtLeast(bar: number, what: string, rounds: Rounds, unit: string): BenchRow {
  return pairedRow('≥', bar, { what, unit }, rounds);
}

/** Creates a row of paired rounds whose ratio has a maximum as its target. */
export function pairedAtMost(bar: number, what: string, rounds: Rounds, unit: string): BenchRow {
  return pairedRow('≤', bar, { what, unit }, rounds);
}

/** Creates a row of paired rounds without a target. */
export function pairedStated(what: string, { ours, theirs }: Rounds, unit: string): BenchRow {
  const paired = computePairedRatio(toPairs({ ours, theirs }));
  return { what, ours: median(ours), theirs: median(theirs), unit, ...paired, bar: noBar, reached: true };
}

function pairedRow(
  way: '≥' | '≤',
  bar: number,
  { what, unit }: Pick<BenchRow, 'what' | 'unit'>,
  rounds: Rounds,
): BenchRow {
  const paired = computePairedRatio(toPairs(rounds));
  const decision = decide(paired, way, bar);
  const [ours, theirs] = [median(rounds.ours), median(rounds.theirs)];
  return { what, ours, theirs, unit, ...paired, bar: `${way} ${bar} ×`, reached: decision === 'reached', decision };
}

function toPairs({ ours, theirs }: Rounds) {
  if (ours.length !== theirs.length) throw new Error(`${ours.length} rounds have ${theirs.length} counterparts.`);
  return ours.map((mine, index) => ({ ours: mine, theirs: theirs[index] ?? Number.NaN }));
}

/**
 * Creates a row with a maximum time. It was set on the reference machine, and applies to this one in proportion to its
 * speed in the calibration loop. The row states it.
 */
export function withinTime(referenceMax: number, what: string, ours: number, unit: string): BenchRow {
  const whose = `${what} (bar ${formatBar(referenceMax)} ${unit} at the speed of the reference machine)`;
  return atMost(1, whose, ours, referenceMax / getRelativeSpeed(), unit);
}

/** Creates a row with a minimum rate, which depends on the speed of the machine as in `withinTime`. */
export function atRate(referenceMin: number, what: string, ours: number, unit: string): BenchRow {
  const whose = `${what} (bar ${formatBar(referenceMin)} ${unit} at the speed of the reference machine)`;
  return atLeast(1, whose, ours, referenceMin * getRelativeSpeed(), unit);
}

/** Creates a row with a maximum that does not depend on the speed of the machine, such as memory. */
export function withinLimit(max: number, what: string, ours: number, unit: string): BenchRow {
  return atMost(1, `${what} (of ${formatBar(max)} ${unit})`, ours, max, unit);
}

/** Marks a row as missed if a condition on its work does not hold, such as a complete result. */
export function missedUnless(holds: boolean, row: BenchRow): BenchRow {
  return holds ? row : { ...row, reached: false, decision: 'missed' };
}

function formatBar(bar: number): string {
  return bar.toLocaleString('en-US');
}

/** Text of the target column in rows that are only reported. */
export const noBar = 'stated';

/** Creates a row that reports a figure without a target. */
export function stated(what: string, ours: number, unit: string): BenchRow {
  return { what, ours, theirs: null, unit, ratio: null, bar: noBar, reached: true };
}

/** Creates a row that reports a ratio without a target. */
export function statedAgainst(what: string, ours: number, theirs: number, unit: string): BenchRow {
  return { what, ours, theirs, unit, ratio: ours / theirs, bar: noBar, reached: true };
}

/** Returns what a row says about its target. */
export function findDecision({ decision, reached }: BenchRow): Decision {
  return decision ?? (reached ? 'reached' : 'missed');
}

/** Formats a row for a terminal. */
export function rowText(row: BenchRow): string {
  const { what, ours, theirs, unit, ratio, bar } = row;
  const against = theirs === null || ratio === null ? '' : ` against ${formatFigure(theirs)}: ${formatRatio(row)} ×`;
  const decision = findDecision(row);
  const shown = decision === 'missed' ? 'MISSED' : decision;
  return `${shown.padEnd(9)}  ${what}: ${formatFigure(ours)} ${unit}${against} (bar ${bar})`;
}

/** Formats the ratio of a row with its interval. */
export function formatRatio({ ratio, interval }: Pick<BenchRow, 'ratio' | 'interval'>): string {
  if (ratio === null) return '–';
  const format = (one: number): string => (one >= 100 ? Math.round(one).toLocaleString('en-GB') : one.toFixed(2));
  if (interval === undefined || interval === null) return format(ratio);
  return `${format(ratio)} (${format(interval.low)}–${format(interval.high)})`;
}

function formatFigure(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString('en-GB') : figure.toPrecision(3);
}
