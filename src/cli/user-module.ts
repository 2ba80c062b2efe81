import { type LoadHookContext, registerHooks } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NudgeLabError } from '../core/errors.ts';
import { dataBytesMax, textAtMost, tooLarge } from '../scenario/data-file.ts';

type Exports = Readonly<Record<string, unknown>>;

/**
 * Loads a module or a JSON file that the user wrote. Takes its full path. Returns what it exports, or the JSON's value.
 * Throws `config-invalid` with what went wrong inside it.
 */
export async function loadUserModule(path: string): Promise<Exports> {
  try {
    if (extname(path) === '.json') return { default: jsonIn(path) };
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
 * Imports a file as its package says, else as a module: `npm init` writes `"type": "commonjs"`, and what it holds from then on
 * no one's suite should have to know. What failed once is remembered by its address, so the second try has another one.
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

/** Takes the user's own files for modules, those that the first one imports too. */
function asModule(url: string, context: LoadHookContext): LoadHookContext {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return context;
  const format = { commonjs: 'module', 'commonjs-typescript': 'module-typescript' }[String(context.format)];
  return format === undefined ? context : { ...context, format };
}
