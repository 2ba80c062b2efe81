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

/** Suite and output settings to write. */
export interface SuiteToWrite {
  readonly suite: Generation;
  /** Journeys of the suite with their expected results. */
  readonly scenarios: readonly ScenarioData[];
  readonly sizeProof: SizeProof;
  readonly heading: Heading;
  readonly fixtures: FixtureLibrary;
  /** Absolute path of the module of the user's machine; `null` if there is none. */
  readonly module: string | null;
  /** Absolute path of the output folder. */
  readonly folder: string;
}

/** Supported formats by type of suite. The first one is the default of `--format`. */
const formatsOf: { readonly [K in 'journeys' | 'array']: readonly FormatWord[] } = {
  journeys: ['scenarios', 'vitest', 'playwright', 'gherkin', 'json'],
  array: ['scenarios', 'vitest', 'playwright', 'gherkin', 'csv', 'json'],
};

/**
 * Determines the formats to write.
 * @param named - values of `--format`
 * @param suite - suite to write
 * @param hasModule - true if the machine comes from the user's module, which specs can import
 * @throws `usage-invalid` for an unknown format or one that the suite does not support
 */
export function wantedFormats(named: readonly string[], suite: Generation, hasModule: boolean): readonly FormatWord[] {
  const possible = possibleFormats(suite, hasModule);
  if (named.length === 0) return possible.slice(0, 1);
  return [...new Set(named)].map((name) => {
    const format = formatWords.find((word) => word === name);
    if (format !== undefined && possible.includes(format)) return format;
    throw new NudgeLabError('usage-invalid', {
      message: `--format ${name} is not available for this suite; use ${possible.join(', ')}.`,
    });
  });
}

function possibleFormats({ kind }: Generation, hasModule: boolean): readonly FormatWord[] {
  if (kind === 'machine') return hasModule ? ['vitest', 'json'] : ['json'];
  // Rows of custom parameters are not sign-ins, so they have no scenario format.
  return kind === 'array' && hasModule ? ['csv', 'json'] : formatsOf[kind];
}

/** Creates the files of a suite in one format. */
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

/** Returns the import path of the user's machine module for a file in the output folder. */
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
