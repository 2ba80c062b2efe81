import { type LoadHookContext, registerHooks } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NudgeLabError } from '../core/errors.ts';
import { dataBytesMax, textAtMost, tooLarge } from '../scenario/data-file.ts';
import { shareRunningModules } from './running-modules.ts';

type Exports = Readonly<Record<string, unknown>>;

/**
 * Loads the user's module or JSON file from an absolute path. Returns the exports of the module, or the JSON value
 * as the default export. Throws `config-invalid` with the underlying error.
 */
export async function loadUserModule(path: string): Promise<Exports> {
  try {
    if (extname(path) === '.json') return { default: jsonIn(path) };
    shareRunningModules();
    return await importEither(pathToFileURL(path).href);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new NudgeLabError('config-invalid', { problems: [{ location: path, message }], cause: error });
  }
}

function jsonIn(path: string): unknown {
  const text = textAtMost(path, dataBytesMax);
  if (text === null) throw new RangeError(tooLarge(dataBytesMax));
  return JSON.parse(text);
}

/**
 * Imports a file with the module type of its package, then as an ES module if that fails. `npm init` writes
 * `"type": "commonjs"`, and a suite must work there too. A failed import is cached by URL, so the second attempt
 * uses another URL.
 */
async function importEither(address: string): Promise<Exports> {
  try {
    return (await import(address)) as Exports;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const hooks = registerHooks({ load: (url, context, next) => next(url, asModule(url, context)) });
    try {
      return (await import(`${address}?module`)) as Exports;
    } finally {
      hooks.deregister();
    }
  }
}

/** Treats the user's own files as ES modules, including those that the first file imports. */
function asModule(url: string, context: LoadHookContext): LoadHookContext {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return context;
  const format = { commonjs: 'module', 'commonjs-typescript': 'module-typescript' }[String(context.format)];
  return format === undefined ? context : { ...context, format };
}
