import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { NudgeLabError } from '../core/errors.ts';
import { isRulesetFile } from '../scenario/rulesets/ruleset-file.ts';
import { shippedFixturesFolder } from '../scenario/shipped.ts';
import type { configSchema } from './config.schema.ts';
import { reportFormats } from './config-values.ts';
import { loadUserModule } from './user-module.ts';

const fileNames = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json'].map((extension) => `nudgelab.config.${extension}`);

/** Effective configuration with absolute paths. */
export interface Config extends Omit<z.output<typeof configSchema>, 'scenarios' | 'fixtures' | 'rulesets'> {
  /** Path of the configuration file; `null` if there is none. */
  readonly file: string | null;
  /** Files and folders that contain scenarios. */
  readonly scenarios: readonly string[];
  /** Folders that contain fixtures, the built-in ones first. Later folders override earlier ones. */
  readonly fixtures: readonly string[];
  /** Paths and patterns of ruleset files, with the folder that they are relative to. */
  readonly rulesetFiles?: { readonly patterns: readonly string[]; readonly folder: string };
}

/**
 * Result of the schema for an empty configuration. It is written out because most runs have no configuration and
 * then need no schema.
 */
export const nothingConfigured: z.output<typeof configSchema> = {
  drivers: {},
  reports: { formats: [...reportFormats] },
  redaction: { keys: [], values: [] },
};

/**
 * Loads the configuration.
 * @param named - file named by the caller; `null` if the file in `cwd` is used, if any
 * @throws `file-unreadable` if the named file does not exist, and `config-invalid` with every invalid key
 */
export async function loadConfig(named: string | null, cwd: string): Promise<Config> {
  const file = named === null ? found(cwd) : resolve(cwd, named);
  if (file === null) return complete(nothingConfigured, null, cwd);
  if (!existsSync(file)) throw new NudgeLabError('file-unreadable', { message: `The file ${named} does not exist.` });
  const exported = (await loadUserModule(file))['default'];
  if (exported === undefined) {
    throw new NudgeLabError('config-invalid', { problems: [{ location: file, message: 'it has no default export' }] });
  }
  const [{ parseOr }, { configSchema }] = await Promise.all([
    import('../contract/parse.ts'),
    import('./config.schema.ts'),
  ]);
  return complete(parseOr('config-invalid', configSchema, exported, 'config'), file, dirname(file));
}

function found(cwd: string): string | null {
  return fileNames.map((name) => join(cwd, name)).find((path) => existsSync(path)) ?? null;
}

function complete(config: z.output<typeof configSchema>, file: string | null, folder: string): Config {
  const missing = (config.fixtures ?? []).filter((path) => !existsSync(resolve(folder, path)));
  if (missing.length > 0) {
    throw new NudgeLabError('config-invalid', {
      problems: missing.map((path) => ({ location: 'config.fixtures', message: `the folder ${path} does not exist` })),
    });
  }
  const { dir } = config.reports;
  const own = (config.fixtures ?? ['fixtures']).map((path) => resolve(folder, path));
  return {
    ...config,
    file,
    rulesetFiles: { patterns: config.rulesets ?? [], folder },
    ...(config.ruleset !== undefined && isRulesetFile(config.ruleset)
      ? { ruleset: resolve(folder, config.ruleset) }
      : {}),
    scenarios: (config.scenarios ?? ['scenarios']).map((path) => resolve(folder, path)),
    fixtures: [...new Set([shippedFixturesFolder, ...own])],
    reports: { ...config.reports, ...(dir === undefined ? {} : { dir: resolve(folder, dir) }) },
  };
}
