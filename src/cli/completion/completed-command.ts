import { type Command, commonOptions } from '../command.ts';
import type { OptionSpec } from '../option.ts';

/** Value that can follow an option or be an operand. */
export type CompletedValue =
  | { readonly kind: 'none' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'path' }
  | { readonly kind: 'other' };

/** Option in the form that shell completion needs. */
export interface CompletedOption {
  /** Name with its two dashes. */
  readonly long: string;
  /** Letter with its dash; `null` if the option has no short form. */
  readonly short: string | null;
  readonly description: string;
  readonly value: CompletedValue;
}

/** Command in the form that shell completion needs. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly operand: CompletedValue;
}

/** Pattern for names of values that are files or folders. */
const pathNames = /^(file|files|folder|paths?|module|config|scenario|suite)\b/;

/** Converts a command to the form that shell completion needs, from the same data as its help. */
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
