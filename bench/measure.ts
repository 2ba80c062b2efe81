import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

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
}

/** Computes the median of the given figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Environment that enables the compile cache, so a reference server reads TypeScript from this repository as fast as
 * ours.
 */
const cached = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'nudgelab', 'modules') };

/** Runs a command and returns its wall time in milliseconds. Throws if the exit code is not 0. */
export async function timeCommand(args: readonly string[]): Promise<number> {
  const startMs = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...cached },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${Buffer.concat(errors).toString('utf8')}`);
  return performance.now() - startMs;
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

/** Formats a row for a terminal. */
export function rowText({ what, ours, theirs, unit, ratio, bar, reached }: BenchRow): string {
  const against = theirs === null || ratio === null ? '' : ` against ${formatFigure(theirs)}: ${ratio.toFixed(2)} ×`;
  return `${reached ? 'reached' : 'MISSED '}  ${what}: ${formatFigure(ours)} ${unit}${against} (bar ${bar})`;
}

function formatFigure(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString('en-GB') : figure.toPrecision(3);
}
