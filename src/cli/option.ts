import { parseInstant } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';

/** The largest seed: 32 bits. */
export const seedMax = 4_294_967_295;

/** One option of a command: how it is written, what it does, and the value that the command is given. */
export interface OptionSpec<T> {
  /** As the help shows it, such as `--port <number>`. */
  readonly flags: string;
  readonly description: string;
  /** The value without the option. */
  readonly initial: T;
  /** The words that it takes, where those are known; shells complete them. */
  readonly words?: readonly string[];
  /** Reads what was written; a switch has none. Takes the text and the value so far. Throws `usage-invalid`. */
  parse?(text: string, soFar: T): T;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec<unknown>>>;

/** The values of a set of options, by name. */
export type ValuesOf<O extends OptionSpecs> = {
  readonly [K in keyof O]: O[K] extends OptionSpec<infer T> ? T : never;
};

/** A switch that is off unless it is written. */
export function flag(flags: string, description: string): OptionSpec<boolean> {
  return { flags, description, initial: false };
}

/** A switch that is on unless its `--no-…` form is written. */
export function negatedFlag(flags: string, description: string): OptionSpec<boolean> {
  return { flags, description, initial: true };
}

/** A text; `null` when it is not written. */
export function text(flags: string, description: string): OptionSpec<string | null> {
  return { flags, description, initial: null, parse: (value) => value };
}

/** Texts, by repeating the option or by commas. */
export function list(flags: string, description: string): OptionSpec<readonly string[]> {
  return {
    flags,
    description,
    initial: [],
    parse: (value, soFar) => [...soFar, ...value.split(',').map((item) => item.trim())].filter((item) => item !== ''),
  };
}

/** One of some words; `null` when it is not written, which the help explains. Another word is `usage-invalid`. */
export function choice<W extends string>(
  flags: string,
  description: string,
  words: readonly W[],
  withoutIt: string,
): OptionSpec<W | null> {
  return {
    flags,
    description: `${description}: ${words.join(', ')} (default: ${withoutIt})`,
    initial: null,
    words,
    parse: (value) => {
      const word = words.find((allowed) => allowed === value);
      if (word === undefined) throw badValue(flags, value, `one of ${words.join(', ')}`);
      return word;
    },
  };
}

/** A whole number between two, both included; `null` when it is not written. Another value is `usage-invalid`. */
export function integer(
  flags: string,
  description: string,
  range: { readonly min: number; readonly max: number },
): OptionSpec<number | null> {
  return {
    flags,
    description,
    initial: null,
    parse: (value) => {
      const number = Number(value);
      if (!/^\d+$/.test(value) || number < range.min || number > range.max) {
        throw badValue(flags, value, `a whole number from ${range.min} to ${range.max}`);
      }
      return number;
    },
  };
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A span of time as ms, such as `500ms`, `10s` or `2m`; `null` when it is not written. Another text is `usage-invalid`. */
export function duration(flags: string, description: string): OptionSpec<number | null> {
  return {
    flags,
    description,
    initial: null,
    parse: (value) => {
      const [, number, unit = ''] = /^(\d{1,9}(?:\.\d+)?)(ms|s|m|h)$/.exec(value) ?? [];
      const spanMs = Number(number) * (unitsMs[unit] ?? Number.NaN);
      if (!(spanMs > 0)) throw badValue(flags, value, 'a span of time such as 500ms, 10s or 2m');
      return spanMs;
    },
  };
}

/** An instant as ms since the epoch; `null` when it is not written. Another text is `usage-invalid`. */
export function instant(flags: string, description: string): OptionSpec<number | null> {
  return {
    flags,
    description,
    initial: null,
    parse: (value) => {
      const atMs = parseInstant(value);
      if (atMs === null) throw badValue(flags, value, 'an ISO 8601 instant such as 2026-01-05T09:00:00.000Z');
      return atMs;
    },
  };
}

/** The part of a suite that `1/4` names. Another text is `usage-invalid`. */
export function shard(
  flags: string,
  description: string,
): OptionSpec<{ readonly index: number; readonly count: number } | null> {
  return {
    flags,
    description,
    initial: null,
    parse: (value) => {
      const [, index, count] = (/^(\d{1,4})\/(\d{1,4})$/.exec(value) ?? []).map(Number);
      if (index === undefined || count === undefined || index < 1 || index > count) {
        throw badValue(flags, value, 'a part and a whole such as 1/4');
      }
      return { index, count };
    },
  };
}

/** The error for an option's value: what stands there and what is allowed. */
function badValue(flags: string, value: string, allowed: string): NudgeLabError {
  const name = flags.split(/[ ,]/).find((word) => word.startsWith('--')) ?? flags;
  return new NudgeLabError('usage-invalid', {
    problems: [{ location: name, message: `${JSON.stringify(value)} is not ${allowed}` }],
  });
}
