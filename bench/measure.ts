import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));
/** The command line as the npm scripts run it. */
export const mainFile = join(root, 'tooling', 'nudgelab.js');

/** One line of the benchmark's table: a ratio taken in one run, and the bar it is held to. */
export interface BenchRow {
  readonly what: string;
  /** Ours and theirs in the unit of the row. */
  readonly ours: number;
  readonly theirs: number | null;
  readonly unit: string;
  readonly ratio: number | null;
  readonly bar: string;
  readonly reached: boolean;
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Lets a peer keep what it has compiled, and read our TypeScript from there, as ours does. */
const cached = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'nudgelab', 'modules') };

/** Runs a command to its end and returns the wall time in ms. Throws when it does not end with 0. */
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

/** A server that runs in a process of its own. */
export interface StartedServer {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly pid: number;
  /** From the start of the process to the line that says it listens, in ms. */
  readonly startedInMs: number;
  stop(): Promise<void>;
}

/** Starts a process that prints one JSON line with its `baseUrl` once it listens. */
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

/** Memory that a process holds now, in MiB, as Linux accounts it; 0 for one that has ended and is not yet taken away. */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? 0 : Number(kib) / 1024;
}

/** How often the memory of a command is looked at, in ms. */
const lookEveryMs = 10;

/** Runs a command to its end and returns the most memory that it held together with the processes it started, in MiB. */
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

/** A process and all that it has started; 0 for what has ended in the meantime. */
function familyMib(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return residentMib(pid) + children.reduce((sum, child) => sum + familyMib(Number(child)), 0);
  } catch {
    return 0;
  }
}

/** A folder for the time of some work; it is removed afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A row whose ratio is held to a bar from below. */
export function atLeast(bar: number, what: string, ours: number, theirs: number, unit: string): BenchRow {
  const ratio = ours / theirs;
  return { what, ours, theirs, unit, ratio, bar: `≥ ${bar} ×`, reached: ratio >= bar };
}

/** A row whose ratio is held to a bar from above. */
export function atMost(bar: number, what: string, ours: number, theirs: number, unit: string): BenchRow {
  const ratio = ours / theirs;
  return { what, ours, theirs, unit, ratio, bar: `≤ ${bar} ×`, reached: ratio <= bar };
}

/** What stands for the bar of a row that is told and held to nothing. */
export const noBar = 'stated';

/** A figure that is told without a bar. */
export function stated(what: string, ours: number, unit: string): BenchRow {
  return { what, ours, theirs: null, unit, ratio: null, bar: noBar, reached: true };
}

/** A ratio that is told without a bar. */
export function statedAgainst(what: string, ours: number, theirs: number, unit: string): BenchRow {
  return { what, ours, theirs, unit, ratio: ours / theirs, bar: noBar, reached: true };
}

/** Writes a row for a terminal. */
export function rowText({ what, ours, theirs, unit, ratio, bar, reached }: BenchRow): string {
  const against = theirs === null || ratio === null ? '' : ` against ${shown(theirs)}: ${ratio.toFixed(2)} ×`;
  return `${reached ? 'reached' : 'MISSED '}  ${what}: ${shown(ours)} ${unit}${against} (bar ${bar})`;
}

function shown(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString('en-GB') : figure.toPrecision(3);
}
