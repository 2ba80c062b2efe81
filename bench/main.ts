import { cpus, release } from 'node:os';
import { benchArrays } from './arrays.ts';
import { benchBrowserDriver } from './browser-driver.ts';
import { benchConsole } from './console.ts';
import { benchDocuments } from './documents.ts';
import { benchDurableEvents } from './durable-events.ts';
import { benchExplore } from './explore.ts';
import { benchForecast } from './forecast.ts';
import { benchHttpDriver } from './http-driver.ts';
import { benchImport } from './import.ts';
import { benchInstances } from './instances.ts';
import { benchJournal } from './journal-open.ts';
import { benchJourneys } from './journeys.ts';
import { benchLookupAll } from './lookup-all.ts';
import { type BenchRow, rowText } from './measure.ts';
import { benchPolicyGet, versionOf } from './policy-get.ts';
import { benchReplay } from './replay.ts';
import { benchSuite } from './suite.ts';
import { benchTokenEndpoint } from './token-endpoint.ts';

/** Runs the benchmarks that are named, or all of them, and ends with 1 when one misses its bar. */
const benchmarks: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
  suite: benchSuite,
  'http-driver': benchHttpDriver,
  'browser-driver': benchBrowserDriver,
  'policy-get': benchPolicyGet,
  'lookup-all': benchLookupAll,
  documents: benchDocuments,
  'token-endpoint': benchTokenEndpoint,
  journeys: benchJourneys,
  'durable-events': benchDurableEvents,
  instances: benchInstances,
  journal: benchJournal,
  replay: benchReplay,
  import: benchImport,
  explore: benchExplore,
  forecast: benchForecast,
  arrays: benchArrays,
  console: benchConsole,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(2);
}
const [cpu] = cpus();
console.log(
  `Node ${process.versions.node}, Express ${versionOf('express')}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, Linux ${release()}`,
);
let missed = 0;
for (const [name, bench] of Object.entries(benchmarks)) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.log(`\n${name}`);
  for (const row of await bench()) {
    console.log(rowText(row));
    if (!row.reached) missed += 1;
  }
}
process.exit(missed === 0 ? 0 : 1);
