import { relative, sep } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import type { Generation, MachineSuite, SizeProof } from '../../generate/generation.ts';
import type { ScenarioData } from '../../generate/journey.ts';
import { arrayCsv } from '../../generate/write/array-csv.ts';
import { type Artefact, createSlug, type Heading } from '../../generate/write/artefact.ts';
import { gherkinFeatures } from '../../generate/write/gherkin-feature.ts';
import { machineSpec } from '../../generate/write/machine-spec.ts';
import { playwrightSpecs } from '../../generate/write/playwright-spec.ts';
import { scenarioArtifacts } from '../../generate/write/scenario-files.ts';
import { vitestSpecs } from '../../generate/write/vitest-spec.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { type FormatWord, formatWords } from './generate-options.ts';

/** What is written of a suite. */
export interface SuiteToWrite {
  readonly suite: Generation;
  /** Its journeys with what they lead to. */
  readonly scenarios: readonly ScenarioData[];
  readonly sizeProof: SizeProof;
  readonly heading: Heading;
  readonly fixtures: FixtureLibrary;
  /** Full path of the module of the user's machine. */
  readonly module: string | null;
  /** Full path of the folder that the files go to. */
  readonly folder: string;
}

/** The formats that each kind of suite can be written as; the first is that without --format. */
const formatsOf: { readonly [K in 'journeys' | 'array']: readonly FormatWord[] } = {
  journeys: ['scenarios', 'vitest', 'playwright', 'gherkin', 'json'],
  array: ['scenarios', 'vitest', 'playwright', 'gherkin', 'csv', 'json'],
};

/**
 * The formats that are wanted. Takes what was written behind --format, the suite, and whether the machine is the user's own, whose
 * specs can name its module. Throws `usage-invalid` for a format that there is not, or that the suite cannot have.
 */
export function wantedFormats(named: readonly string[], suite: Generation, hasModule: boolean): readonly FormatWord[] {
  const possible = possibleFormats(suite, hasModule);
  if (named.length === 0) return possible.slice(0, 1);
  return [...new Set(named)].map((name) => {
    const format = formatWords.find((word) => word === name);
    if (format !== undefined && possible.includes(format)) return format;
    throw new NudgeLabError('usage-invalid', {
      message: `--format ${name} is not possible for this; possible: ${possible.join(', ')}.`,
    });
  });
}

function possibleFormats({ kind }: Generation, hasModule: boolean): readonly FormatWord[] {
  if (kind === 'machine') return hasModule ? ['vitest', 'json'] : ['json'];
  // The rows of someone else's factors are no sign-ins.
  return kind === 'array' && hasModule ? ['csv', 'json'] : formatsOf[kind];
}

/** The files of a suite in a format. */
export function createFiles(format: FormatWord, given: SuiteToWrite): readonly Artefact[] {
  const { suite, scenarios, heading, fixtures } = given;
  switch (format) {
    case 'scenarios':
      return scenarioArtifacts(scenarios, heading);
    case 'playwright':
      return playwrightSpecs(scenarios, heading, fixtures);
    case 'gherkin':
      return gherkinFeatures(scenarios, heading);
    case 'vitest':
      return suite.kind === 'machine'
        ? [machineSpec({ ...suite, module: moduleFrom(given) }, heading)]
        : vitestSpecs(scenarios, heading, fixtures);
    case 'csv':
      return suite.kind === 'array' ? [arrayCsv(suite.array, heading)] : [];
    case 'json':
      return [jsonFile(given)];
  }
}

/** The module of the user's machine as a file in the folder imports it. */
function moduleFrom({ module, folder }: SuiteToWrite): string {
  const path = relative(folder, module ?? folder)
    .split(sep)
    .join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

function jsonFile({ suite, scenarios, sizeProof, heading }: SuiteToWrite): Artefact {
  const data = {
    title: heading.title,
    sizeProof,
    ...(suite.kind === 'machine' ? machineData(suite) : { scenarios }),
    ...(suite.kind === 'array' ? { array: suite.array, impossible: suite.found.impossible } : {}),
  };
  return { path: `${createSlug(heading.title)}.json`, text: `${JSON.stringify(data, null, 2)}\n` };
}

function machineData({ model, tests }: MachineSuite): object {
  return { machine: model.name, tests };
}
