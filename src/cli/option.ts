import { parseInstant } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { suggestName } from '../core/nearest-name.ts';

/** Largest random seed: 32 bits. */
const seedMax = 4_294_967_295;

/** One option of a command: its flags, its description, and how a command line sets its value. */
export interface OptionSpec<T> {
  /** Syntax shown in the help, such as `--port <number>`. */
  readonly flags: string;
  /** Purpose of the option; the help appends the choices and the default. */
  readonly description: string;
  /** Value if the command line lacks the option. */
  readonly initial: T;
  /** Default as the help shows it; `null` if the option has none. */
  readonly defaultText: string | null;
  /** All allowed values, if they are known; the help and shell completion list them. */
  readonly choices?: readonly string[];
  /** Usual values of an option that accepts others too; shell completion lists them. */
  readonly suggestions?: readonly string[];
  /** Parses the text and merges it with the value so far; a switch has no text. Throws `usage-invalid`. */
  parse?(text: string, soFar: T): T;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec<unknown>>>;

/** Values of a set of options by name. */
export type ValuesOf<O extends OptionSpecs> = {
  readonly [K in keyof O]: O[K] extends OptionSpec<infer T> ? T : never;
};

/** Behavior of an option that the command line lacks. Without `default`, its value is `null`. */
interface Omission<D> {
  readonly default?: D;
  /** Shown as the default if it depends on something else, such as the configuration. */
  readonly whenOmitted?: string;
}

function omission<T, D extends T | null>({
  default: initial,
  whenOmitted,
}: Omission<D>): Pick<OptionSpec<T | D>, 'initial' | 'defaultText'> {
  return {
    initial: (initial ?? null) as T | D,
    defaultText: whenOmitted ?? (initial === undefined || initial === null ? null : String(initial)),
  };
}

/** A switch that is off by default. */
export function flag(flags: string, description: string, whenOmitted: string | null = null): OptionSpec<boolean> {
  return { flags, description, initial: false, defaultText: whenOmitted };
}

/** A switch that is on unless the command line has its `--no-…` form. */
export function negatedFlag(flags: string, description: string): OptionSpec<boolean> {
  return { flags, description, initial: true, defaultText: null };
}

/** A text. */
export function text<const D extends string | null = null>(
  flags: string,
  description: string,
  { suggestions, ...settings }: Omission<D> & { readonly suggestions?: readonly string[] } = {},
): OptionSpec<string | D> {
  return {
    flags,
    description,
    ...omission<string, D>(settings),
    ...(suggestions === undefined ? {} : { suggestions }),
    parse: (value) => value,
  };
}

/** Texts: repeated options, or one option with commas. The first one replaces the default. */
export function list(
  flags: string,
  description: string,
  settings: Omission<readonly string[]> & { readonly suggestions?: readonly string[] } = {},
): OptionSpec<readonly string[]> {
  const { default: initial = [], whenOmitted, suggestions } = settings;
  return {
    flags,
    description,
    initial,
    defaultText: whenOmitted ?? (initial.length === 0 ? null : initial.join()),
    ...(suggestions === undefined ? {} : { suggestions }),
    parse: (value, soFar) => [
      ...(soFar === initial ? [] : soFar),
      ...value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    ],
  };
}

/** Name with a value, as `name=value` states them. */
export interface Assignment {
  readonly name: string;
  readonly value: string;
}

/** Names with values: repeated options. A later one replaces an earlier one with the same name. */
export function assignments(flags: string, description: string): OptionSpec<readonly Assignment[]> {
  return {
    flags,
    description,
    initial: [],
    defaultText: null,
    parse: (given, soFar) => {
      const [, name, value] = /^([A-Za-z][A-Za-z0-9_-]{0,63})=(.{0,1024})$/s.exec(given) ?? [];
      if (name === undefined || value === undefined)
        throw badValue(flags, given, 'a name and a value, such as window=7d');
      return [...soFar.filter((one) => one.name !== name), { name, value }];
    },
  };
}

/** One of some words. Throws `usage-invalid` for any other word. */
export function choice<W extends string, const D extends NoInfer<W> | null = null>(
  flags: string,
  description: string,
  choices: readonly W[],
  settings: Omission<D> = {},
): OptionSpec<W | D> {
  return {
    flags,
    description,
    ...omission<W, D>(settings),
    choices,
    parse: (value) => {
      const word = choices.find((allowed) => allowed === value);
      if (word === undefined)
        throw badValue(flags, value, `one of ${choices.join(', ')}${suggestName(value, choices)}`);
      return word;
    },
  };
}

/**
 * Some of the given words: repeated options, or one option with commas. Without the option, all of them. Throws
 * `usage-invalid` for any other word.
 */
export function choices<const W extends string>(
  flags: string,
  description: string,
  words: readonly W[],
): OptionSpec<readonly W[]> {
  const { parse: parseList, ...spec } = list(flags, description);
  return {
    ...spec,
    initial: words,
    defaultText: 'all',
    choices: words,
    parse: (value, soFar) => {
      const given = parseList?.(value, soFar === words ? [] : soFar) ?? [];
      return given.map((item) => {
        const word = words.find((allowed) => allowed === item);
        if (word === undefined) throw badValue(flags, item, `one of ${words.join(', ')}`);
        return word;
      });
    },
  };
}

/** A whole number within an inclusive range. Throws `usage-invalid` for any other text. */
export function integer<const D extends number | null = null>(
  flags: string,
  description: string,
  { min, max, ...settings }: { readonly min: number; readonly max: number } & Omission<D>,
): OptionSpec<number | D> {
  return {
    flags,
    description,
    ...omission<number, D>(settings),
    parse: (value) => {
      const number = Number(value);
      if (!/^\d+$/.test(value) || number < min || number > max) {
        throw badValue(flags, value, `a whole number from ${min} to ${max}`);
      }
      return number;
    },
  };
}

/** A random seed: 32 bits. */
export function seedOption<const D extends number | null = null>(
  description: string,
  settings: Omission<D> = {},
): OptionSpec<number | D> {
  return integer('--seed <number>', description, { min: 0, max: seedMax, ...settings });
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as `500ms`, `10s`, `2m` or `90` (seconds), in ms; `null` by default. Throws `usage-invalid` for any other text. */
export function timeLimitOption(effect: string): OptionSpec<number | null> {
  const flags = '--time-limit <time>';
  return {
    flags,
    description: `time limit, such as 500ms, 90s or 2m; ${effect}`,
    initial: null,
    defaultText: null,
    parse: (value) => {
      const [, number, unit = 's'] = /^(\d{1,9}(?:\.\d+)?)(ms|s|m|h)?$/.exec(value) ?? [];
      const spanMs = Number(number) * (unitsMs[unit] ?? Number.NaN);
      if (!(spanMs > 0)) throw badValue(flags, value, 'a duration such as 500ms, 10s or 2m');
      return spanMs;
    },
  };
}

/**
 * A duration with a unit such as `500ms`, `10s` or `2m`, in ms. A number without a unit is rejected, because durations
 * of other tools differ in their unit. Throws `usage-invalid`.
 */
export function timeoutOption<const D extends number | null = null>(
  description: string,
  { maxMs, ...settings }: { readonly maxMs: number } & Omission<D>,
): OptionSpec<number | D> {
  const flags = '--timeout <time>';
  return {
    flags,
    description: `${description}, such as 500ms, 10s or 2m`,
    ...omission<number, D>(settings),
    parse: (value) => {
      const [, number, unit = ''] = /^(\d{1,9})(ms|s|m|h)$/.exec(value) ?? [];
      const spanMs = Number(number) * (unitsMs[unit] ?? Number.NaN);
      if (spanMs > 0 && spanMs <= maxMs) return spanMs;
      throw badValue(flags, value, `a duration with a unit, such as 500ms, 10s or 2m, of at most ${maxMs / 1_000}s`);
    },
  };
}

/** An instant in milliseconds since the epoch; `null` by default. Throws `usage-invalid` for any other text. */
export function instant(flags: string, description: string, whenOmitted: string): OptionSpec<number | null> {
  return {
    flags,
    description,
    initial: null,
    defaultText: whenOmitted,
    parse: (value) => {
      const atMs = parseInstant(value);
      if (atMs === null) throw badValue(flags, value, 'an ISO 8601 instant such as 2026-01-05T09:00:00.000Z');
      return atMs;
    },
  };
}

/** One shard of a suite, such as `1/4`; `null` by default. Throws `usage-invalid` for any other text. */
export function shard(
  flags: string,
  description: string,
): OptionSpec<{ readonly index: number; readonly count: number } | null> {
  return {
    flags,
    description,
    initial: null,
    defaultText: null,
    parse: (value) => {
      const [, index, count] = (/^(\d{1,4})\/(\d{1,4})$/.exec(value) ?? []).map(Number);
      if (index === undefined || count === undefined || index < 1 || index > count) {
        throw badValue(flags, value, 'a shard such as 1/4');
      }
      return { index, count };
    },
  };
}

/** Creates the error for an invalid option value. It contains the value and the allowed values. */
function badValue(flags: string, value: string, allowed: string): NudgeLabError {
  const name = flags.split(/[ ,]/).find((word) => word.startsWith('--')) ?? flags;
  return new NudgeLabError('usage-invalid', {
    problems: [{ location: name, message: `${JSON.stringify(value)} is not ${allowed}` }],
  });
}
