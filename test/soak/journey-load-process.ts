import { parseArgs } from 'node:util';
import { loadJourneys } from './journey-load.ts';
import { soakStore, withoutPostgres } from './soak-store.ts';

/** Maximum growth of the memory from the second quarter of the duration to the last one, as a fraction. */
const growthMax = 0.25;

/** Loads a server with whole sign-ins on a separate store: memory, sqlite or postgres. */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'memory' },
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '25' },
    users: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
  },
});
const store = await soakStore(values.store);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  if (store === null) say(withoutPostgres);
  else await load(store.db);
} finally {
  store?.end();
}

async function load(db: string | undefined): Promise<void> {
  const seen = await loadJourneys({
    db,
    seconds: Number(values.seconds),
    perSecond: Number(values.rate),
    users: Number(values.users),
    seed: Number(values.seed),
    heard: say,
  });
  const { journeyMs, pageMs, residentMib, errors, wrongStatuses } = seen;
  for (const line of [...errors, ...wrongStatuses.slice(0, 20)]) say(line);
  const growth = residentMib.late / residentMib.early - 1;
  const memory = `${residentMib.early.toFixed(0)} to ${residentMib.late.toFixed(0)} MiB`;
  say(
    `${seen.journeys} journeys at ${values.rate} a second: ${errors.length} errors, ${seen.snoozes} snoozes, ${wrongStatuses.length} wrong nudge statuses; ` +
      `journey p50 ${journeyMs.p50.toFixed(0)} ms, p99 ${journeyMs.p99.toFixed(0)} ms; page p50 ${pageMs.p50.toFixed(1)} ms, p99 ${pageMs.p99.toFixed(1)} ms; ` +
      `memory ${memory} (${(growth * 100).toFixed(0)} %)`,
  );
  if (growth > growthMax) say(`Memory has grown by more than ${growthMax * 100} %.`);
  process.exitCode = errors.length + wrongStatuses.length > 0 || growth > growthMax || seen.journeys === 0 ? 1 : 0;
}
