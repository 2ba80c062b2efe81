import { NudgeLabError } from '../../core/errors.ts';
import type { Hypothesis } from '../model/hypothesis.ts';
import type { LifecycleTable } from '../model/lifecycle-table.ts';

/** Maximum number of users of a log. */
const logUsersMax = 4_000_000;

const initialUsers = 1_024;

/** Columns of times, and of whole numbers. */
const times = 7;
const numbers = 4;

/** Values of the column of the shape without one: nothing stored, or stored apart. */
const nothing = -1;
const apart = -2;

/**
 * States of the users of a log. Nearly every user has one hypothesis with at most one open prompt, which is a row of
 * numbers; the others are stored apart. So a log of millions of users needs 72 bytes for each besides its id, and leaves
 * few objects to the garbage collector.
 */
export class UserStore {
  readonly #lifecycle: LifecycleTable;
  readonly #rows = new Map<string, number>();
  readonly #apart = new Map<number, readonly Hypothesis[]>();
  #times = new Float64Array(initialUsers * times);
  #numbers = new Int32Array(initialUsers * numbers);

  constructor(lifecycle: LifecycleTable) {
    this.#lifecycle = lifecycle;
  }

  /** Number of users. */
  get size(): number {
    return this.#rows.size;
  }

  /**
   * Returns the row of a user, which is added if it is new.
   * @throws NudgeLabError `log-too-large` above the limit of users
   */
  row(user: string): number {
    const known = this.#rows.get(user);
    if (known !== undefined) return known;
    const row = this.#rows.size;
    if (row >= logUsersMax) {
      throw new NudgeLabError('log-too-large', { message: `The log has more than ${logUsersMax} users.` });
    }
    if (row * numbers >= this.#numbers.length) this.#grow();
    this.#rows.set(user, row);
    this.#numbers[row * numbers] = nothing;
    return row;
  }

  /** Returns the hypotheses of a row; `null` if none were stored. */
  get(row: number): readonly Hypothesis[] | null {
    const at = row * numbers;
    const shapeNumber = this.#numbers[at] as number;
    if (shapeNumber === nothing) return null;
    if (shapeNumber === apart) return this.#apart.get(row) ?? null;
    const from = row * times;
    const time = (column: number): number => this.#times[from + column] as number;
    const shape = this.#lifecycle.shape(shapeNumber);
    const prompt = { id: null, shownLo: time(3), shownHi: time(4), leftLo: time(5), leftHi: time(6) };
    return [
      {
        shape,
        count: this.#numbers[at + 1] as number,
        isCountOpen: ((this.#numbers[at + 2] as number) & 1) === 1,
        snoozeLo: time(0),
        snoozeHi: time(1),
        prompts: shape.prompts.length === 0 ? [] : [prompt],
        fromMs: time(2),
        missing: (this.#numbers[at + 2] as number) >> 1,
      },
    ];
  }

  /** Stores the hypotheses of a row. */
  set(row: number, hypotheses: readonly Hypothesis[]): void {
    const at = row * numbers;
    if (this.#numbers[at] === apart) this.#apart.delete(row);
    const [first] = hypotheses;
    const prompt = first?.prompts[0];
    if (first === undefined || hypotheses.length > 1 || first.prompts.length > 1 || (prompt?.id ?? null) !== null) {
      this.#numbers[at] = apart;
      this.#apart.set(row, hypotheses);
      return;
    }
    this.#numbers[at] = first.shape.number;
    this.#numbers[at + 1] = first.count;
    this.#numbers[at + 2] = (first.missing << 1) | (first.isCountOpen ? 1 : 0);
    const columns = this.#times;
    const from = row * times;
    columns[from] = first.snoozeLo;
    columns[from + 1] = first.snoozeHi;
    columns[from + 2] = first.fromMs;
    if (prompt === undefined) return;
    columns[from + 3] = prompt.shownLo;
    columns[from + 4] = prompt.shownHi;
    columns[from + 5] = prompt.leftLo;
    columns[from + 6] = prompt.leftHi;
  }

  /** Replaces the hypotheses of all users. */
  update(change: (hypotheses: readonly Hypothesis[]) => readonly Hypothesis[]): void {
    for (let row = 0; row < this.#rows.size; row += 1) {
      const set = this.get(row);
      if (set !== null) this.set(row, change(set));
    }
  }

  /** Counts an impossible event of a row. Returns `true` if it is the first one. */
  countMisfit(row: number): boolean {
    const at = row * numbers + 3;
    const before = this.#numbers[at] as number;
    if (before < countedMax) this.#numbers[at] = before + 1;
    return before === 0;
  }

  #grow(): void {
    const grownTimes = new Float64Array(this.#times.length * 2);
    grownTimes.set(this.#times);
    this.#times = grownTimes;
    const grownNumbers = new Int32Array(this.#numbers.length * 2);
    grownNumbers.set(this.#numbers);
    this.#numbers = grownNumbers;
  }
}

/** Largest number of impossible events of a user that is counted apart. */
const countedMax = 2_147_483_647;
