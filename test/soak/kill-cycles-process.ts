import { parseArgs } from 'node:util';
import { killCycles } from './kill-cycles.ts';
import { soakStore, withoutPostgres } from './soak-store.ts';

/** Kills servers under load repeatedly, on a separate store: `--store sqlite` or `--store postgres`. */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    cycles: { type: 'string', default: '10' },
    servers: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const store = await soakStore(values.store);
try {
  if (store?.db === undefined) say(withoutPostgres);
  else {
    const [cycles, servers, seed] = [Number(values.cycles), Number(values.servers), Number(values.seed)];
    const killed = await killCycles({ db: store.db, cycles, seed, servers, heard: say });
    const full =
      killed.fullDisks === 0 ? '' : `; ${killed.fullDisks} full disks with ${killed.refusedOnFullDisk} refusals`;
    const who = servers === 1 ? 'kills' : `times ${servers} servers killed one by one`;
    say(`${killed.cycles} ${who}: ${killed.acknowledged} acknowledged writes, 0 lost, 0 doubled${full}`);
  }
} catch (error) {
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
} finally {
  store?.end();
}
