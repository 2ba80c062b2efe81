import type { ConventionRule } from './convention-rule.ts';
import { docComments } from './doc-comments.ts';
import { fileLength } from './file-length.ts';
import { fileNames, noCatchAlls } from './file-names.ts';
import { finished } from './finished.ts';
import { glossaryTerms } from './glossary-terms.ts';
import { loopsRun } from './loops-run.ts';
import { noDefaultExports } from './no-default-exports.ts';
import { oneClient } from './one-client.ts';
import { oneWriter } from './one-writer.ts';
import { ownedGlobals } from './owned-globals.ts';
import { plainNames } from './plain-names.ts';
import { portablePlaces } from './portable-places.ts';
import { providerNames } from './provider-names.ts';
import { testsAssert, testsRun } from './tests-run.ts';

/** Conventions that the whole repository is checked against. */
export const conventionRules: readonly ConventionRule[] = [
  fileNames,
  noCatchAlls,
  fileLength,
  finished,
  ownedGlobals,
  oneWriter,
  oneClient,
  noDefaultExports,
  docComments,
  glossaryTerms,
  plainNames,
  testsRun,
  testsAssert,
  loopsRun,
  portablePlaces,
  providerNames,
];
