import { relative } from 'node:path';
import { isPlainObject } from '../core/merge-patch.ts';
import { NotCompiled } from '../forecast/own/not-compiled.ts';
import { dataBytesMax } from '../scenario/data-file.ts';
import { YamlSource } from '../scenario/yaml-source.ts';

/** Ruleset file that is compiled, and what works if it cannot be. */
interface CompiledFile {
  readonly path: string;
  readonly cwd: string;
  readonly fallback: string;
}

/** Converts the cause for which a ruleset is not compiled to an error with its line in the file. */
export function compiledOr<T>(file: CompiledFile, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw locateCause(file, error);
  }
}

/** Converts the cause that a run of the tables finds, as `compiledOr` does. */
export async function ranOr<T>(file: CompiledFile, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw locateCause(file, error);
  }
}

/** Returns the error with the line of a cause for which there are no tables, or any other error itself. */
function locateCause({ path, cwd, fallback }: CompiledFile, error: unknown): unknown {
  if (!(error instanceof NotCompiled)) return error;
  const source = YamlSource.ofFile(path, relative(cwd, path) || path, dataBytesMax);
  return error.toError((keys) => source.place(writtenPath(keys, source.data)), fallback);
}

/** Replaces the id of a gate by its position in the file. */
function writtenPath([key, id, ...rest]: readonly string[], data: unknown): readonly PropertyKey[] {
  const gates = isPlainObject(data) ? data['gates'] : null;
  if (key !== 'gates' || !Array.isArray(gates)) return [key, id, ...rest].filter((part) => part !== undefined);
  const index = gates.findIndex((gate) => isPlainObject(gate) && gate['id'] === id);
  return index < 0 ? ['gates'] : ['gates', index, ...rest];
}
