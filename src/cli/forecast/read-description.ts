import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { z } from 'zod';
import { type ForecastDescription, forecastSchema } from '../../contract/forecast.schema.ts';
import { type OwnForecastDescription, ownForecastSchema } from '../../contract/own-forecast.schema.ts';
import { listProblems } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { dataBytesMax } from '../../scenario/data-file.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';

/** Command-line values that override the file; `null` keeps the value of the file. */
export type DescriptionOverrides = Readonly<Record<'users' | 'days' | 'seed', number | null>>;

/** Description of a forecast before it is checked. */
export interface DescriptionFile {
  readonly source: YamlSource;
  /** Data of the file with the values of the command line. */
  readonly data: unknown;
  /** Absolute path of the file. */
  readonly path: string;
}

/**
 * Reads the file that describes a tenant, in YAML or JSON.
 * @param path - path of the file
 * @param cwd - folder that displayed paths are relative to
 * @param overrides - values that replace those of the file
 * @throws `file-unreadable`, and `forecast-invalid` for a file that is not YAML
 */
export function readDescriptionFile(path: string, cwd: string, overrides: DescriptionOverrides): DescriptionFile {
  const full = resolve(cwd, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) {
    throw new NudgeLabError('file-unreadable', { message: `The file ${path} does not exist.` });
  }
  const source = YamlSource.ofFile(full, relative(cwd, full) || full, dataBytesMax);
  if (source.problems.length > 0) throw new NudgeLabError('forecast-invalid', { problems: source.problems });
  const given = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== null));
  return { source, data: isPlainObject(source.data) ? { ...source.data, ...given } : source.data, path: full };
}

/** Checks the description of a tenant for a built-in ruleset. Throws `forecast-invalid` with the place of every problem. */
export function parseDescription(file: DescriptionFile): ForecastDescription {
  return parseFile(forecastSchema, file);
}

/** Checks the description of a tenant for an own ruleset. Throws `forecast-invalid` with the place of every problem. */
export function parseOwnDescription(file: DescriptionFile): OwnForecastDescription {
  return parseFile(ownForecastSchema, file);
}

function parseFile<S extends typeof forecastSchema | typeof ownForecastSchema>(
  schema: S,
  { source, data }: DescriptionFile,
): z.output<S> {
  const result = schema.safeParse(data);
  if (result.success) return result.data as z.output<S>;
  const messages = listProblems(schema, result.error, source.data, 'description');
  throw new NudgeLabError('forecast-invalid', {
    problems: result.error.issues.map((issue, at) => ({
      location: source.place(issue.path),
      message: `${issue.path.join('.') || 'description'}: ${messages[at]?.message ?? issue.message}`,
    })),
  });
}

/** Runs a task whose errors about the description get the line and column of the file. */
export function located<T>({ source }: DescriptionFile, task: () => T): T {
  try {
    return task();
  } catch (error) {
    if (!(error instanceof NudgeLabError) || error.code !== 'forecast-invalid') throw error;
    const problems = error.problems.map(({ location, message }) => ({
      location: source.place(location.split('.').map((part) => (/^[0-9]+$/.test(part) ? Number(part) : part))),
      message: `${location}: ${message}`,
    }));
    throw new NudgeLabError('forecast-invalid', { problems, cause: error });
  }
}
