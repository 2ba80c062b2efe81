import { cpus, release } from 'node:os';
import { benchArrays } from './arrays.ts';
import { benchBrowserDriver } from './browser-driver.ts';
import { calibrate, referenceLoopsPerSecond } from './calibrate.ts';
import { benchConform } from './conform.ts';
import { benchConsole } from './console.ts';
import { benchDirectory } from './directory.ts';
import { benchDocuments } from './documents.ts';
import { benchDurableEvents } from './durable-events.ts';
import { benchExplore } from './explore.ts';
import { benchForecast } from './forecast.ts';
import { benchHttpDriver } from './http-driver.ts';
import { benchImport } from './import.ts';
import { benchInstances } from './instances.ts';
import { benchJournal } from './journal-open.ts';
import { benchJourneys } from './journeys.ts';
import { benchLearn } from './learn.ts';
import { benchLookupAll } from './lookup-all.ts';
import { type BenchRow, findDecision, median, rowText } from './measure.ts';
import { benchMockedEndpoints } from './mocked-endpoints.ts';
import { benchMutants } from './mutants.ts';
import { benchOwnCampaigns } from './own-campaigns.ts';
import { benchPolicyGet, readVersion } from './policy-get.ts';
import { benchProperties } from './properties.ts';
import { benchReplay } from './replay.ts';
import { benchSuite } from './suite.ts';
import { benchTokenEndpoint } from './token-endpoint.ts';
import { type Figures, writeFigures } from './write-figures.ts';

/**
 * Runs the named benchmarks, or all of them. The exit code is 1 if one misses its target; rows that the noise leaves
 * undecided do not count. `--write` stores the figures.
 */
const benchmarks: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
  suite: benchSuite,
  'http-driver': benchHttpDriver,
  'browser-driver': benchBrowserDriver,
  'policy-get': benchPolicyGet,
  'mocked-endpoints': benchMockedEndpoints,
  'lookup-all': benchLookupAll,
  directory: benchDirectory,
  documents: benchDocuments,
  'token-endpoint': benchTokenEndpoint,
  journeys: benchJourneys,
  'durable-events': benchDurableEvents,
  instances: benchInstances,
  journal: benchJournal,
  replay: benchReplay,
  import: benchImport,
  explore: benchExplore,
  properties: benchProperties,
  conform: benchConform,
  learn: benchLearn,
  forecast: benchForecast,
  'own-campaigns': benchOwnCampaigns,
  arrays: benchArrays,
  console: benchConsole,
  mutants: benchMutants,
};

const writes = process.argv.includes('--write');
const named = process.argv.slice(2).filter((arg) => arg !== '--write');
const unknown = named.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(2);
}
const [cpu] = cpus();
const on = `Node ${process.versions.node}, Express ${readVersion('express')}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, Linux ${release()}`;
console.log(on);
const figures: Figures[] = [];
const speeds: number[] = [];
let missed = 0;
let undecided = 0;
for (const [name, bench] of Object.entries(benchmarks)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const speed = calibrate();
  speeds.push(speed);
  console.log(`\n${name} (machine: ${Math.round(speed)} calibration loops per second of processor time)`);
  const rows = await bench();
  figures.push({ name, rows });
  for (const row of rows) {
    console.log(rowText(row));
    if (findDecision(row) === 'missed') missed += 1;
    if (findDecision(row) === 'undecided') undecided += 1;
  }
}
const names = Object.keys(benchmarks);
const speed = `${Math.round(median(speeds))} calibration loops per second of processor time (reference: ${referenceLoopsPerSecond})`;
console.log(`\n${missed} missed, ${undecided} undecided, ${speed}`);
const machine = `${on}; ${speed}`;
if (writes) writeFigures(figures, { today: new Date().toISOString().slice(0, 10), on: machine, names });
process.exit(missed === 0 ? 0 : 1);
