import type { BoundAction } from '../../generate/exploration/bound-action.ts';
import type { PackedPart } from '../../generate/exploration/equivalence-classes.ts';
import type { RowBuilder } from '../../generate/exploration/packed-tables.ts';
import type { ModelStep } from '../models/property-model.ts';

/** Steps of a group of actions: the difference of the packed code, and the class of the step. */
export interface StepTable {
  /** Offset of the first step of each row, followed by the total number. */
  readonly offsets: Uint32Array;
  readonly deltas: Int32Array;
  readonly labels: Uint16Array;
}

/** Assigns a number to each class of steps that no property distinguishes. */
export class StepLabels {
  /** A step of each class. */
  readonly steps: ModelStep[] = [];
  readonly #getSignature: (step: ModelStep) => string;
  readonly #bySignature = new Map<string, number>();
  readonly #byDecision = new Map<string, number>();

  /** Creates the labels. Steps with equal signatures are one class. */
  constructor(getSignature: (step: ModelStep) => string) {
    this.#getSignature = getSignature;
  }

  /** Returns the class of a step. `key` identifies the step; equal keys mean equal steps. */
  getNumber(key: string, create: () => ModelStep): number {
    const known = this.#byDecision.get(key);
    if (known !== undefined) return known;
    const step = create();
    const signature = this.#getSignature(step);
    const number = this.#bySignature.get(signature) ?? this.steps.push(step) - 1;
    this.#bySignature.set(signature, number);
    this.#byDecision.set(key, number);
    return number;
  }
}

/** Fills the rows of a table of steps. Equal steps of a row are listed once. */
export class StepTableBuilder implements RowBuilder<StepTable> {
  readonly #group: readonly BoundAction[];
  readonly #names: readonly string[];
  readonly #parts: readonly PackedPart[];
  readonly #known: StepLabels;
  readonly #offsets: Uint32Array;
  readonly #deltas: number[] = [];
  readonly #labels: number[] = [];
  readonly #classes: number[] = [];

  /** Creates a builder for the actions of one table. `names` has the names of all actions by number. */
  constructor(
    group: readonly BoundAction[],
    rows: number,
    names: readonly string[],
    parts: readonly PackedPart[],
    labels: StepLabels,
  ) {
    this.#group = group;
    this.#names = names;
    this.#parts = parts;
    this.#known = labels;
    this.#offsets = new Uint32Array(rows + 1);
  }

  addRow(row: number, place: readonly number[]): void {
    const start = this.#deltas.length;
    for (const action of this.#group) {
      const { touched } = action;
      for (let at = 0; at < touched.length; at += 1) {
        const value = place[at] as number;
        const one = touched[at] as BoundAction['touched'][number];
        this.#classes[at] = one.moved ? (one.classes.classOf[value] as number) : value;
      }
      this.#addStep(action, place, action.decide(this.#classes).sent, start);
    }
    this.#offsets[row + 1] = this.#deltas.length;
  }

  arrays(): StepTable {
    return {
      offsets: this.#offsets,
      deltas: Int32Array.from(this.#deltas),
      labels: Uint16Array.from(this.#labels),
    };
  }

  #addStep(
    action: BoundAction,
    place: readonly number[],
    sent: readonly { readonly part: number; readonly event: number }[],
    start: number,
  ): void {
    let delta = 0;
    let key = String(action.number);
    for (const { part, event } of sent) {
      const { compiled, stride } = this.#parts[part] as PackedPart;
      const state = place[action.touched.findIndex((one) => one.part === part)] as number;
      delta += (compiled.target(state, event) - state) * stride;
      key += ` ${part} ${event}`;
    }
    const label = this.#known.getNumber(key, () => ({
      action: this.#names[action.number] ?? '',
      events: sent.map(({ part, event }) => this.#parts[part]?.compiled.events[event] as { readonly type: string }),
    }));
    for (let at = start; at < this.#deltas.length; at += 1) {
      if (this.#deltas[at] === delta && this.#labels[at] === label) return;
    }
    this.#deltas.push(delta);
    this.#labels.push(label);
  }
}
