import type { BoundAction, InvariantViolation } from './bound-action.ts';
import type { PackedPart } from './equivalence-classes.ts';
import type { PackedTable } from './packed-table.ts';

/** Fills the rows of one table, with each distinct step once per row. */
export class TableBuilder {
  readonly #group: readonly BoundAction[];
  readonly #parts: readonly PackedPart[];
  readonly #offsets: Uint32Array;
  readonly #deltas: number[] = [];
  readonly #actions: number[] = [];
  readonly #flags: Uint16Array;
  readonly #breaches = new Map<string, { readonly number: number; readonly set: readonly InvariantViolation[] }>();
  readonly #classes: number[] = [];

  /** Creates a builder for the actions of one table. */
  constructor(group: readonly BoundAction[], parts: readonly PackedPart[], rows: number) {
    this.#group = group;
    this.#parts = parts;
    this.#offsets = new Uint32Array(rows + 1);
    this.#flags = new Uint16Array(rows);
  }

  /** Adds the next row. `place` has, for each touched part, its state if it is moved and otherwise its class. */
  addRow(row: number, place: readonly number[]): void {
    const start = this.#deltas.length;
    let breaches: InvariantViolation[] | null = null;
    for (const action of this.#group) {
      const { touched } = action;
      for (let at = 0; at < touched.length; at += 1) {
        const value = place[at] as number;
        const one = touched[at] as BoundAction['touched'][number];
        this.#classes[at] = one.moved ? (one.classes.classOf[value] as number) : value;
      }
      const decision = action.decide(this.#classes);
      this.#addStep(action, place, decision.sent, start);
      if (decision.breaches.length > 0) breaches = [...(breaches ?? []), ...decision.breaches];
    }
    this.#offsets[row + 1] = this.#deltas.length;
    if (breaches !== null) this.#flags[row] = this.#getNumber(breaches);
  }

  /** Returns the arrays of the finished table. */
  arrays(): Omit<PackedTable, 'axes'> {
    return {
      offsets: this.#offsets,
      deltas: Int32Array.from(this.#deltas),
      actions: Uint16Array.from(this.#actions),
      flags: this.#breaches.size > 0 ? this.#flags : null,
      breaches: [...this.#breaches.values()].map(({ set }) => set),
    };
  }

  #addStep(
    action: BoundAction,
    place: readonly number[],
    sent: readonly { readonly part: number; readonly event: number }[],
    start: number,
  ): void {
    let delta = 0;
    for (const { part, event } of sent) {
      const { compiled, stride } = this.#parts[part] as PackedPart;
      const state = place[action.touched.findIndex((one) => one.part === part)] as number;
      delta += (compiled.target(state, event) - state) * stride;
    }
    if (delta === 0) return;
    for (let at = start; at < this.#deltas.length; at += 1) if (this.#deltas[at] === delta) return;
    this.#deltas.push(delta);
    this.#actions.push(action.number);
  }

  /** Returns the number of a set of violations; rows with equal sets share it. */
  #getNumber(set: readonly InvariantViolation[]): number {
    const key = set.map(({ action, invariant }) => `${action} ${invariant.id}`).join(', ');
    const known = this.#breaches.get(key);
    if (known !== undefined) return known.number;
    const number = this.#breaches.size + 1;
    this.#breaches.set(key, { number, set });
    return number;
  }
}
