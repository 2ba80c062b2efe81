import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NudgeLabError } from '../core/errors.ts';

/**
 * Loads a module or a JSON file that the user wrote. Takes its full path. Returns what it exports, or the JSON's value.
 * Throws `config-invalid` with what went wrong inside it.
 */
export async function loadUserModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    if (extname(path) === '.json') return { default: JSON.parse(readFileSync(path, 'utf8')) as unknown };
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new NudgeLabError('config-invalid', { problems: [{ place: path, message }], cause: error });
  }
}
