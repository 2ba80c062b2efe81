import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killCycles } from './kill-cycles.ts';

/** Kills a server under load as often as it is told, on an SQLite file of its own or on the database of `--db`. */
const { values } = parseArgs({
  options: {
    db: { type: 'string' },
    cycles: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'nudgelab-kill-'));
const cycles = Number(values.cycles);
try {
  const db = values.db ?? join(folder, 'store.sqlite');
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const killed = await killCycles({ db, cycles, seed: Number(values.seed), heard: say });
  const full = `${killed.fullDisks} full disks with ${killed.refusedOnFullDisk} refusals`;
  say(`${killed.cycles} kills: ${killed.acknowledged} acknowledged writes, 0 lost, 0 doubled; ${full}`);
} catch (error) {
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
