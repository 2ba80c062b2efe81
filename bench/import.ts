import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atRate, type BenchRow, mainFile, residentMib, root, stated, withinLimit } from './measure.ts';

/**
 * Measures the import of a synthetic sign-in log and the comparison of its policy with another one, end to end: two
 * commands with all processes, reads and writes. The export is generated beforehand. No other tool does the same, so
 * the targets are rates.
 */

const parquetRows = 2_000_000;
const jsonRows = 400_000;
const manyRows = 10_000_000;
const memoryMaxMib = 2_048;
const sampleMs = 50;

const passkeys = {
  registrationEnforcement: {
    authenticationMethodsRegistrationCampaign: {
      state: 'enabled',
      snoozeDurationInDays: 3,
      includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' }],
    },
  },
};

/** Measures rows per second from Parquet and from JSON, bytes per row, and the memory for ten million rows. */
export async function benchImport(): Promise<readonly BenchRow[]> {
  const parquet = await measured(parquetRows, 'parquet');
  const json = await measured(jsonRows, 'ndjson');
  const many = await measured(manyRows, 'parquet');
  return [
    rateRow(300_000, 'import and compare from Parquet', parquet),
    rateRow(60_000, 'import and compare from JSON', json),
    rateRow(300_000, 'the same from Parquet, ten million rows', many),
    withinLimit(memoryMaxMib, `memory at most, ${many.rows.toLocaleString('en-GB')} rows`, many.memoryMib, 'MiB'),
    stated('from Parquet, by processor time', parquet.rows / parquet.cpuSeconds, 'rows/s of one core'),
    stated('from JSON, by processor time', json.rows / json.cpuSeconds, 'rows/s of one core'),
    stated('an export of JSON', json.bytes / json.rows, 'bytes a row'),
    stated('an export of Parquet', parquet.bytes / parquet.rows, 'bytes a row'),
    stated('what an import keeps', parquet.kept / parquet.rows, 'bytes a row'),
  ];
}

interface Measured {
  readonly rows: number;
  readonly ms: number;
  readonly memoryMib: number;
  /** Processor time in seconds, summed over all cores, which other load on the machine does not affect. */
  readonly cpuSeconds: number;
  /** Sizes of the sign-in log and of the import, in bytes. */
  readonly bytes: number;
  readonly kept: number;
}

async function measured(rows: number, form: string): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-bench-'));
  const [made, tenant, policy] = [join(folder, 'made'), join(folder, 'tenant'), join(folder, 'passkeys.json')];
  const log = join(made, `sign-ins.${form}`);
  try {
    writeFileSync(policy, JSON.stringify(passkeys));
    await ran(['import', '--synthesize', String(rows), '--format', form, '--out', made]);
    const others = ['--registrations', join(made, `registrations.${form}`), '--policy', join(made, 'policy.json')];
    const imported = await ran(['import', log, ...others, '--out', tenant, '--json']);
    const compared = await ran(['compare', tenant, '--policy', policy, '--json']);
    return {
      rows,
      ms: imported.ms + compared.ms,
      memoryMib: Math.max(imported.memoryMib, compared.memoryMib),
      cpuSeconds: imported.cpuSeconds + compared.cpuSeconds,
      bytes: statSync(log).size,
      kept: statSync(join(tenant, 'attempts.parquet')).size + statSync(join(tenant, 'users.parquet')).size,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command and returns its wall time and the highest memory and processor time that were sampled. */
async function ran(args: readonly string[]): Promise<Pick<Measured, 'ms' | 'memoryMib' | 'cpuSeconds'>> {
  const startMs = performance.now();
  const child: ChildProcess = spawn(process.execPath, [mainFile, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let memoryMib = 0;
  let cpuSeconds = 0;
  const sample = setInterval(() => {
    if (child.pid !== undefined && child.exitCode === null) {
      memoryMib = Math.max(memoryMib, readResidentBytes(child.pid));
      cpuSeconds = Math.max(cpuSeconds, readProcessorSeconds(child.pid));
    }
  }, sampleMs);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(sample);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`);
  return { ms: performance.now() - startMs, memoryMib, cpuSeconds };
}

/** Returns the resident memory of a process in MiB, or 0 if it has just exited. */
function readResidentBytes(pid: number): number {
  try {
    return residentMib(pid);
  } catch {
    return 0;
  }
}

/**
 * Returns the user and system processor time of a process in seconds, from the hundredths of a second that Linux
 * reports.
 */
function readProcessorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return 0;
  }
}

const ticksPerSecond = 100;

function rateRow(bar: number, what: string, { rows, ms }: Measured): BenchRow {
  const rate = (rows / ms) * 1000;
  return atRate(bar, `${what}, ${rows.toLocaleString('en-GB')} rows`, rate, 'rows/s');
}
