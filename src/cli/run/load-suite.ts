import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { NudgeLabError, type Problem } from '../../core/errors.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { loadScenarios, scenarioFiles } from '../../scenario/load.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { Config } from '../config.ts';

/** Where a suite stands. */
export interface SuitePlaces {
  readonly asked: readonly AskedPath[];
  readonly files: readonly string[];
  /** Folders of fixtures: those of the configuration, and the `fixtures/` of folders that are asked for. */
  readonly fixtureFolders: readonly string[];
  /** Folders and files whose change is a change of the suite. */
  readonly sources: readonly string[];
}

/** The scenarios that are asked for, and what is wrong with any of the files. */
export interface Suite {
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly Problem[];
  readonly files: readonly string[];
}

/** A path of the command line; `row` counts the examples of a file from 1. */
interface AskedPath {
  readonly path: string;
  readonly row: number | null;
}

/**
 * Finds the files of the given paths, or of the configuration where none is given. Takes paths relative to `cwd`; one that
 * ends in `#3` stands for that row alone. A folder's own `fixtures/` holds fixtures, not scenarios.
 * Throws `file-unreadable` for a path that leads nowhere.
 */
export function locateSuite(operands: readonly string[], config: Config, cwd: string): SuitePlaces {
  const asked = operands.length > 0 ? operands.map((operand) => askedPath(operand, cwd)) : configured(config);
  const paths = asked.map(({ path }) => path);
  const fixtureFolders = [
    ...new Set([...config.fixtures, ...paths.map((path) => join(path, 'fixtures')).filter(isFolder)]),
  ];
  const isFixture = (file: string): boolean => fixtureFolders.some((folder) => file.startsWith(folder + sep));
  return {
    asked,
    files: scenarioFiles(paths, cwd).filter((file) => !isFixture(file)),
    fixtureFolders,
    sources: [...paths, ...fixtureFolders].filter((path) => existsSync(path)),
  };
}

/** Loads the scenarios of a suite. Throws `usage-invalid` for a row that a file does not have. */
export function loadSuite({ asked, files, fixtureFolders }: SuitePlaces, cwd: string): Suite {
  const { scenarios, problems } = loadScenarios(files, new FixtureLibrary(fixtureFolders), cwd);
  return { scenarios: problems.length > 0 ? scenarios : withRows(scenarios, asked, cwd), problems, files };
}

function configured({ scenarios, file }: Config): readonly AskedPath[] {
  const missing = scenarios.find((path) => !existsSync(path));
  if (missing !== undefined) {
    const where = file === null ? 'and no configuration names another' : `which ${file} names`;
    throw new NudgeLabError('file-unreadable', {
      message: `There is no ${missing}, ${where}. Name a path, or write a first suite with \`nudgelab init\`.`,
    });
  }
  return scenarios.map((path) => ({ path, row: null }));
}

function askedPath(operand: string, cwd: string): AskedPath {
  const full = resolve(cwd, operand);
  const [, file, row] = /^(.+)#(\d+)$/.exec(full) ?? [];
  if (existsSync(full) || file === undefined) return { path: full, row: null };
  return { path: file, row: Number(row) };
}

/** Leaves of files that were asked for by row those rows only, unless the whole file was asked for as well. */
function withRows(scenarios: readonly Scenario[], asked: readonly AskedPath[], cwd: string): readonly Scenario[] {
  const rows = asked.filter(({ row }) => row !== null);
  if (rows.length === 0) return scenarios;
  const shown = (path: string): string => relative(cwd, path) || path;
  const ids = new Set(rows.map(({ path, row }) => `${shown(path)}#${row}`));
  const missing = [...ids].filter((id) => !scenarios.some((scenario) => scenario.id === id));
  if (missing.length > 0) {
    throw new NudgeLabError('usage-invalid', {
      problems: missing.map((id) => ({ place: id, message: 'the file has no such row of examples' })),
    });
  }
  const byRow = new Set(rows.map(({ path }) => shown(path)));
  const whole = asked.filter(({ row }) => row === null).map(({ path }) => shown(path));
  const isWhole = (file: string): boolean => whole.some((path) => file === path || file.startsWith(path + sep));
  return scenarios.filter(({ id, file }) => !byRow.has(file) || ids.has(id) || isWhole(file));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
