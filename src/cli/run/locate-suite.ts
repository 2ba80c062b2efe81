import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { scenarioFiles, type WantedRows } from '../../scenario/scenario-files.ts';
import type { Config } from '../config.ts';

/** Paths of a suite. */
export interface SuitePlaces {
  readonly requested: readonly RequestedPath[];
  readonly files: readonly string[];
  /** Folders of fixtures from the configuration, and the `fixtures/` folders of the requested paths. */
  readonly fixtureFolders: readonly string[];
  /** Folders and files that are watched for changes of the suite. */
  readonly sources: readonly string[];
}

/** Path given on the command line. `row` is the number of an example in the file, from 1. */
export interface RequestedPath {
  readonly path: string;
  readonly row: number | null;
}

/**
 * Finds the files of the given paths, or of the configuration if there are none. A folder's own `fixtures/`
 * contains fixtures instead of scenarios.
 * @param operands - paths relative to `cwd`; the suffix `#3` selects only that row
 * @throws `file-unreadable` if a path does not exist
 */
export function locateSuite(operands: readonly string[], config: Config, cwd: string): SuitePlaces {
  const requested = operands.length > 0 ? operands.map((operand) => toRequestedPath(operand, cwd)) : configured(config);
  const paths = requested.map(({ path }) => path);
  const fixtureFolders = [...new Set([...config.fixtures, ...paths.flatMap((path) => ownFixtures(path, cwd))])];
  const isFixture = (file: string): boolean => fixtureFolders.some((folder) => file.startsWith(folder + sep));
  return {
    requested,
    files: scenarioFiles(paths, cwd).filter((file) => !isFixture(file)),
    fixtureFolders,
    sources: [...paths, ...fixtureFolders].filter((path) => existsSync(path)),
  };
}

/**
 * Lists the fixtures folders of a requested path: in the path itself, and in the folders between it and `cwd`, the
 * nearest one last. Outside `cwd`, the nearest one above the path counts. A file thus has the same fixtures alone as
 * in a run of its whole suite.
 */
function ownFixtures(path: string, cwd: string): readonly string[] {
  const own = [join(path, 'fixtures')].filter(isFolder);
  const above = dirname(path);
  if (above.startsWith(cwd + sep)) return [...ownFixtures(above, cwd), ...own];
  const isOutside = above !== cwd && above !== path && path !== cwd;
  return isOutside && own.length === 0 ? ownFixtures(above, cwd) : own;
}

function configured({ scenarios, file }: Config): readonly RequestedPath[] {
  const missing = scenarios.find((path) => !existsSync(path));
  if (missing !== undefined) {
    const where = file === null ? 'the default folder' : `which ${file} names`;
    throw new NudgeLabError('file-unreadable', {
      message: `Scenarios not found: ${missing}, ${where}. Name a path, or a configuration with --config, or create a suite with \`nudgelab init\`.`,
    });
  }
  return scenarios.map((path) => ({ path, row: null }));
}

function toRequestedPath(operand: string, cwd: string): RequestedPath {
  const full = resolve(cwd, operand);
  const [, file, row] = /^(.+)#(\d+)$/.exec(full) ?? [];
  if (existsSync(full) || file === undefined) return { path: full, row: null };
  return { path: file, row: Number(row) };
}

/** Determines the requested rows of each file. All rows are included if the whole file was requested as well. */
export function wantedRows(requested: readonly RequestedPath[], cwd: string): WantedRows {
  const ids = new Set(requested.flatMap((one) => rowIds(one, cwd)));
  const byRow = new Set(requested.filter(({ row }) => row !== null).map(({ path }) => shownFrom(cwd, path)));
  const whole = requested.filter(({ row }) => row === null).map(({ path }) => shownFrom(cwd, path));
  const isWhole = (file: string): boolean => whole.some((path) => file === path || file.startsWith(path + sep));
  return (file, row) => !byRow.has(file) || ids.has(`${file}#${row}`) || isWhole(file);
}

/** Throws `usage-invalid` if a requested row does not exist in its file. */
export function refuseMissingRows(
  scenarios: readonly Scenario[],
  requested: readonly RequestedPath[],
  cwd: string,
): void {
  const found = new Set(scenarios.map(({ id }) => id));
  const missing = new Set(requested.flatMap((one) => rowIds(one, cwd)).filter((id) => !found.has(id)));
  if (missing.size === 0) return;
  throw new NudgeLabError('usage-invalid', {
    problems: Array.from(missing, (id) => ({ location: id, message: 'the file has no such examples row' })),
  });
}

function rowIds({ path, row }: RequestedPath, cwd: string): readonly string[] {
  return row === null ? [] : [`${shownFrom(cwd, path)}#${row}`];
}

/** Formats a path for a user who started the program in `cwd`. */
export function shownFrom(cwd: string, path: string): string {
  return relative(cwd, path) || path;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
