import { type Command, commonOptions } from '../command.ts';
import type { OptionSpec } from '../option.ts';

/** What may stand after an option, or as an operand. */
export type CompletedValue =
  | { readonly kind: 'none' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'path' }
  | { readonly kind: 'other' };

/** An option as a shell completes it. */
export interface CompletedOption {
  /** The name with its two dashes. */
  readonly long: string;
  /** The letter with its dash; `null` for none. */
  readonly short: string | null;
  readonly description: string;
  readonly value: CompletedValue;
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly operand: CompletedValue;
}

/** Names of values that are files or folders. */
const pathNames = /^(file|files|folder|paths?|module|config|scenario|suite)\b/;

/** A command as shells complete it, from the data that its help is made of. */
export function completedCommand({ name, summary, operands, options }: Command): CompletedCommand {
  return {
    name,
    summary,
    options: [
      ...Object.values({ ...options, ...commonOptions }).map(completedOption),
      { long: '--help', short: '-h', description: 'show this help', value: { kind: 'none' } },
    ],
    operand: operands === null ? { kind: 'none' } : completedValue(operands.syntax, operands.words ?? [], 'path'),
  };
}

function completedOption({ flags, description, choices, suggestions = [] }: OptionSpec<unknown>): CompletedOption {
  const named = flags.split(/[ ,]+/);
  return {
    long: named.find((word) => word.startsWith('--')) ?? flags,
    short: named.find((word) => /^-\w$/.test(word)) ?? null,
    description,
    value: completedValue(flags, choices ?? suggestions, 'other'),
  };
}

function completedValue(syntax: string, words: readonly string[], unknown: 'path' | 'other'): CompletedValue {
  const name = /[<[]([^<[>\]]{1,200})[>\]]/.exec(syntax)?.[1];
  if (name === undefined) return { kind: 'none' };
  if (words.length > 0) return { kind: 'words', words };
  return { kind: pathNames.test(name) ? 'path' : unknown };
}
