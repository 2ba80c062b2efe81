import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type ForecastDescription, forecastSchema } from '../../contract/forecast.schema.ts';
import { listProblems } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { dataBytesMax } from '../../scenario/data-file.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';

/** Command-line values that override the file; `null` keeps the value of the file. */
export type DescriptionOverrides = Readonly<
  Record<'users' | 'days' | 'seed', number | null> & { readonly ruleset: string | null }
>;

/**
 * Reads the description of a tenant in YAML or JSON.
 * @param path - path of the file
 * @param cwd - folder that displayed paths are relative to
 * @param overrides - values that replace those of the file
 * @throws `file-unreadable`, and `forecast-invalid` with file, line and column of every problem
 */
export function readDescription(path: string, cwd: string, overrides: DescriptionOverrides): ForecastDescription {
  const full = resolve(cwd, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) {
    throw new NudgeLabError('file-unreadable', { message: `The file ${path} does not exist.` });
  }
  const source = YamlSource.ofFile(full, relative(cwd, full) || full, dataBytesMax);
  if (source.problems.length > 0) throw new NudgeLabError('forecast-invalid', { problems: source.problems });
  const given = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== null));
  const result = forecastSchema.safeParse(isPlainObject(source.data) ? { ...source.data, ...given } : source.data);
  if (result.success) return result.data;
  const messages = listProblems(forecastSchema, result.error, source.data, 'description');
  throw new NudgeLabError('forecast-invalid', {
    problems: result.error.issues.map((issue, at) => ({
      location: source.place(issue.path),
      message: `${issue.path.join('.') || 'description'}: ${messages[at]?.message ?? issue.message}`,
    })),
  });
}
