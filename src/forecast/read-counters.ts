import { reasonCodes } from '../../machines/vocabulary.ts';
import type { ForecastDay, ForecastSegment, PromptCounts } from '../contract/forecast-report.ts';
import { toInstant } from '../core/clock.ts';
import { answerPaths } from './action-paths.ts';
import { countedStates, counterLayout, promptCounters, promptHistogram, segmentCounters } from './counters.ts';

const dayMs = 86_400_000;

/** Meaning of the counters in a row. */
export interface CounterMeaning {
  /** Base-2 logarithm of the number of counters in a row; the default of the layout if it is not given. */
  readonly rowBits?: number;
  readonly paths: readonly { readonly name: string; readonly answer?: string | null; readonly failures: number }[];
  /** Reasons by their numbers, from 1 on. */
  readonly reasons: readonly string[];
  readonly columns: Readonly<
    Record<'snoozed' | 'firstPrompted' | 'firstRequired' | 'firstRegistered' | 'stocks', number>
  >;
}

/** Meaning of the counters of the built-in rulesets. */
export const builtInMeaning: CounterMeaning = { paths: answerPaths, reasons: reasonCodes, columns: promptCounters };

/** Reader that converts the counters of one random seed to daily results. */
export class CountedDays {
  readonly #counters: Float64Array;
  readonly #layout: ReturnType<typeof counterLayout>;
  readonly #days: number;
  readonly #segments: readonly string[];
  readonly #meaning: CounterMeaning;
  readonly #rowCounters: number;

  /** Creates a reader from the counters, the number of days, the names of the segments and the meaning of a row. */
  constructor(counters: Float64Array, days: number, segments: readonly string[], meaning = builtInMeaning) {
    this.#counters = counters;
    this.#layout = counterLayout(days, segments.length, meaning.rowBits);
    this.#days = days;
    this.#segments = segments;
    this.#meaning = meaning;
    this.#rowCounters = 2 ** this.#layout.rowBits;
  }

  /** Returns every day in order. `firstDayMs` is the start of the first day in milliseconds since the epoch. */
  daily(firstDayMs: number): readonly ForecastDay[] {
    const { prompts, unreached, startStocks } = this.#layout;
    const { columns } = this.#meaning;
    const rowCounters = this.#rowCounters;
    const so = { reached: 0, required: 0, registered: 0 };
    const stocks = countedStates.map((_, stock) => this.#at(startStocks + stock));
    const never = Array.from({ length: rowCounters }, () => 0);
    never[0] = this.users;
    return Array.from({ length: this.#days }, (_, day) => {
      const row = prompts + day * rowCounters;
      so.reached += this.#at(row + columns.firstPrompted);
      so.required += this.#at(row + columns.firstRequired);
      so.registered += this.#at(row + columns.firstRegistered);
      for (const stock of stocks.keys()) stocks[stock] = (stocks[stock] ?? 0) + this.#at(row + columns.stocks + stock);
      for (const reason of never.keys()) {
        never[reason] = (never[reason] ?? 0) + this.#at(unreached + day * rowCounters + reason);
      }
      const [notPrompted = 0, snoozed = 0, registrationRequired = 0, registered = 0] = stocks;
      return {
        day,
        date: toInstant(firstDayMs + day * dayMs).slice(0, 10),
        ...this.#counts(day, day + 1),
        promptedUsers: so.reached,
        requiredUsers: so.required,
        registeredUsers: so.registered,
        users: { notPrompted, snoozed, registrationRequired, registered },
        neverPromptedByReason: named(never, (number) =>
          number === 0 ? 'no-sign-in' : this.#meaning.reasons[number - 1],
        ),
      };
    });
  }

  /** Returns the totals of all days. */
  totals(): PromptCounts {
    return this.#counts(0, this.#days);
  }

  /** Number of simulated users. */
  get users(): number {
    return this.segments().reduce((sum, { users }) => sum + users, 0);
  }

  /** Returns the result of each segment. */
  segments(): readonly ForecastSegment[] {
    return this.#segments.map((name, segment) => {
      const at = this.#layout.segments + segment * segmentCounters.size;
      return {
        name,
        users: this.#at(at + segmentCounters.users),
        reached: this.#at(at + segmentCounters.reached),
        required: this.#at(at + segmentCounters.required),
        registered: this.#at(at + segmentCounters.registered),
        prompts: this.#at(at + segmentCounters.prompts),
      };
    });
  }

  /** Returns the number of users with 0, 1, 2 … prompts, up to the highest number that occurred. */
  promptCountHistogram(): readonly number[] {
    const times = Array.from({ length: promptHistogram }, (_, promptCount) =>
      this.#at(this.#layout.promptsPerUser + promptCount),
    );
    return times.slice(0, times.findLastIndex((users) => users > 0) + 1);
  }

  #at(place: number): number {
    return this.#counters[place] ?? 0;
  }

  #counts(from: number, to: number): PromptCounts {
    const { paths: allPaths, reasons: codes, columns } = this.#meaning;
    const reasons = this.#summed(this.#layout.reasons, from, to);
    const row = this.#summed(this.#layout.prompts, from, to);
    const paths = allPaths.length;
    const at = (path: number): number => (row[path] ?? 0) + (row[path + paths] ?? 0);
    const of = (name: string): number => sum(allPaths.map((one, path) => (one.name === name ? at(path) : 0)));
    const answers = allPaths.flatMap(({ answer }, path) =>
      answer === undefined || answer === null ? [] : [[answer, at(path)] as const],
    );
    const skippable = sum(row.slice(0, paths));
    const required = sum(row.slice(paths, 2 * paths));
    return {
      attempts: sum(reasons) + skippable + required,
      prompts: skippable + required,
      skippable,
      required,
      snoozed: row[columns.snoozed] ?? 0,
      skipped: of('skipped') + sum(answers.map(([, count]) => count)),
      closed: of('closed'),
      expired: of('expired'),
      closedDuringSetup: of('closedDuringSetup'),
      registered: of('registered') + of('retriedAndRegistered'),
      failed: sum(allPaths.map(({ failures }, path) => failures * at(path))),
      errorScreensSkipped: of('failedThenSkipped') + of('retriedThenSkipped'),
      errorsClosed: of('failedThenClosed') + of('retriedThenClosed'),
      notPromptedByReason: named(reasons, (number) => codes[number - 1]),
      ...(answers.length === 0 ? {} : { answers: Object.fromEntries(answers) }),
    };
  }

  #summed(part: number, from: number, to: number): readonly number[] {
    const sums = Array.from({ length: this.#rowCounters }, () => 0);
    for (let day = from; day < to; day += 1) {
      for (const place of sums.keys())
        sums[place] = (sums[place] ?? 0) + this.#at(part + day * this.#rowCounters + place);
    }
    return sums;
  }
}

/** Returns the counts other than 0 by name. */
function named(
  counts: readonly number[],
  nameOf: (number: number) => string | undefined,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    counts.flatMap((count, number) => {
      const name = nameOf(number);
      return count === 0 || name === undefined ? [] : [[name, count]];
    }),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
