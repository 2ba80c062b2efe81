import { basename } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';

/** What a variant can be named by. */
export interface NameSource {
  /** Usual name, such as the id of a ruleset. */
  readonly usual: string;
  /** File or id as the command line names it. */
  readonly given: string;
}

/**
 * Names variants so that no two have one name: by the usual name, by the name of the file if others have the same usual
 * name, or by the path of the file if others have the same file name, too.
 *
 * @param sources - what each variant can be named by
 * @returns the names, in the order of the variants
 */
export function nameApart(sources: readonly NameSource[]): readonly string[] {
  const levels: readonly ((source: NameSource) => string)[] = [({ usual }) => usual, ({ given }) => basename(given)];
  return sources.map((source) => {
    const level = levels.find((name) => sources.filter((other) => name(other) === name(source)).length === 1);
    return level?.(source) ?? source.given;
  });
}

/**
 * Refuses a value that an option repeats, because two variants would have one name.
 *
 * @param option - option of the command line, such as `--policy`
 * @param values - values of the option
 * @throws NudgeLabError `usage-invalid` with every repeated value
 */
export function refuseRepeated(option: string, values: readonly string[]): void {
  const repeated = new Set(values.filter((value, index) => values.indexOf(value) < index));
  if (repeated.size === 0) return;
  const problems = [...repeated].map((value) => ({
    location: option,
    message: `${JSON.stringify(value)} is repeated; name each variant once`,
  }));
  throw new NudgeLabError('usage-invalid', { problems });
}
