import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FixtureLibrary } from '../src/scenario/fixture-library.ts';
import { loadScenarios } from '../src/scenario/load.ts';
import type { Scenario } from '../src/scenario/scenario.ts';
import { scenarioFiles } from '../src/scenario/scenario-files.ts';
import { installPeers, peersFolder, publishedProgram } from './install-peers.ts';
import {
  atMost,
  type BenchRow,
  type CommandTime,
  mainFile,
  measureCommand,
  measurePeakMib,
  pairedAtLeast,
  type Rounds,
  root,
  startServer,
} from './measure.ts';

/**
 * Compares the http driver with Cucumber.js on the same 50 shipped scenarios, with the same client code, the same
 * server and two workers each. Whole commands of the published programs are measured. Cucumber.js is installed into a
 * folder that git ignores. Rounds are interleaved after one that is not counted, which fills the compile caches and warms up
 * the server, and the figures are medians.
 */

const rounds = 5;
const scenarioCount = 50;
const cucumberVersion = '13.3.0';

/** Measures the rows of the http driver. */
export async function benchHttpDriver(): Promise<readonly BenchRow[]> {
  installPeers({ '@cucumber/cucumber': cucumberVersion });
  const chosen = chooseScenarios();
  const features = writeFeatures(chosen);
  const server = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  try {
    const paths = chosen.map(({ id }) => id);
    const ourArgs = [
      publishedProgram(),
      'run',
      ...paths,
      '--driver',
      'http',
      '--url',
      server.baseUrl,
      '--workers',
      '2',
    ];
    const theirArgs = cucumberArgs(features);
    process.env['CONTROL_URL'] = server.controlUrl;
    const ours: CommandTime[] = [];
    const theirs: CommandTime[] = [];
    await measureCommand(ourArgs);
    await measureCommand(theirArgs);
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await measureCommand(ourArgs));
      theirs.push(await measureCommand(theirArgs));
    }
    const toRates = (pick: (time: CommandTime) => number): Rounds => {
      const toRate = (time: CommandTime): number => scenarioCount / (pick(time) / 1000);
      return { ours: ours.map(toRate), theirs: theirs.map(toRate) };
    };
    return [
      pairedAtLeast(
        2.5,
        'http driver against Cucumber.js, 50 scenarios',
        toRates(({ wallMs }) => wallMs),
        'scenarios/s',
      ),
      pairedAtLeast(
        4,
        'the same in processor time, without the server',
        toRates(({ processorMs }) => processorMs),
        'scenarios/s',
      ),
      atMost(
        1,
        'memory at most against Cucumber.js with its workers',
        await measurePeakMib(ourArgs),
        await measurePeakMib(theirArgs),
        'MiB',
      ),
    ];
  } finally {
    await server.stop();
  }
}

/**
 * Selects scenarios at regular intervals, so all areas are represented. The steps of Cucumber.js look up the nudge status of
 * the last user who signed in, so scenarios of several users are left out.
 */
function chooseScenarios(): readonly Scenario[] {
  const { scenarios: all } = loadScenarios(
    scenarioFiles(['scenarios'], root),
    new FixtureLibrary([`${root}/fixtures`]),
    root,
  );
  const scenarios = all.filter(({ plan }) => plan.users.length === 1);
  const every = Math.floor(scenarios.length / scenarioCount);
  return scenarios.filter((_, index) => index % every === 0).slice(0, scenarioCount);
}

function writeFeatures(scenarios: readonly Scenario[]): string {
  const folder = join(peersFolder, 'features');
  mkdirSync(folder, { recursive: true });
  // The steps are copied because Cucumber.js resolves its own package from there. The sources are the same number of
  // folders up.
  copyFileSync(join(root, 'bench', 'cucumber', 'steps.ts'), join(peersFolder, 'steps.ts'));
  const blocks = scenarios.map(({ id, plan, steps: list }) =>
    [
      `  Scenario: ${id}`,
      doc('Given a sandbox', plan),
      ...list.flatMap((step) => [
        doc('When the step', step),
        ...(step.expect === null ? [] : [doc('Then it shows', step.expect)]),
      ]),
    ].join('\n'),
  );
  const file = join(folder, 'suite.feature');
  writeFileSync(file, `Feature: shipped scenarios\n\n${blocks.join('\n\n')}\n`);
  return file;
}

function doc(line: string, value: unknown): string {
  return `    ${line}\n      """\n      ${JSON.stringify(value)}\n      """`;
}

function cucumberArgs(features: string): readonly string[] {
  const main = join(peersFolder, 'node_modules', '@cucumber', 'cucumber', 'bin', 'cucumber.js');
  return [main, features, '--import', join(peersFolder, 'steps.ts'), '--parallel', '2', '--format', 'summary'];
}
