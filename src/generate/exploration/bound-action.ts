import type { Classifier, PackedPart, PartClasses } from './equivalence-classes.ts';
import type { Action, Move, ProductInvariant, Reading } from './product.ts';

/** Action that violates an invariant in some states. */
export interface InvariantViolation {
  readonly action: number;
  readonly invariant: ProductInvariant;
}

/** Effect of an action for one combination of the values that it reads. */
export interface Decision {
  /** Events by part, as numbers in the part's alphabet. */
  readonly sent: readonly { readonly part: number; readonly event: number }[];
  readonly breaches: readonly InvariantViolation[];
}

/** Part that an action reads or moves. */
export interface Touched {
  readonly part: number;
  readonly moved: boolean;
  readonly classes: PartClasses;
}

/**
 * Action with the classes of values that it and its invariants read. It decides once per combination of classes and
 * caches the decision, so a rule is evaluated once per class of facts and not once per product state.
 */
export class BoundAction {
  readonly number: number;
  /** Touched parts, in part order. */
  readonly touched: readonly Touched[];
  /** Group key, equal for actions whose tables have the same rows. */
  readonly group: string;
  readonly #action: Action;
  readonly #watchers: readonly ProductInvariant[];
  readonly #readings: readonly (readonly Reading[])[];
  readonly #alphabets: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly #events: ReadonlyMap<string, readonly { readonly type: string }[]>;
  readonly #parts: readonly PackedPart[];
  readonly #known: Decision[] = [];

  /**
   * Creates a bound action from the action and its number, the invariants that check it, the parts and their classes.
   */
  constructor(
    action: Action,
    number: number,
    watchers: readonly ProductInvariant[],
    parts: readonly PackedPart[],
    classifier: Classifier,
  ) {
    this.#action = action;
    this.number = number;
    this.#watchers = watchers;
    this.#parts = parts;
    const readings = [
      ...new Set([...action.moves.flatMap(({ reads }) => reads), ...watchers.flatMap(({ reads }) => reads)]),
    ];
    const moved = new Set(action.moves.map(({ part }) => classifier.getPart(part)));
    const numbers = new Set([...moved, ...readings.map(({ part }) => classifier.getPart(part))]);
    const ordered = [...numbers].toSorted((a, b) => a - b);
    this.#readings = ordered.map((part) => readings.filter((reading) => classifier.getPart(reading.part) === part));
    this.touched = ordered.map((part, place) => ({
      part,
      moved: moved.has(part),
      classes: classifier.getClasses(part, this.#readings[place] ?? []),
    }));
    this.group = this.touched
      .map((one, place) => `${one.part}${one.moved ? 'moved' : classifier.formatName(this.#readings[place] ?? [])}`)
      .join(' ');
    this.#events = new Map(
      action.moves.map(({ part }) => [part, parts[classifier.getPart(part)]?.compiled.events ?? []]),
    );
    this.#alphabets = new Map(
      [...this.#events].map(([part, events]) => [
        part,
        new Map(events.map((event, at) => [JSON.stringify(event), at])),
      ]),
    );
  }

  /** Returns the effect of the action. `classes` has the class of each touched part, in order. */
  decide(classes: readonly number[]): Decision {
    let key = 0;
    for (const [place, { classes: of }] of this.touched.entries()) key = key * of.views.length + (classes[place] ?? 0);
    const known = this.#known[key];
    if (known !== undefined) return known;
    const decision = this.#decideAgain(classes);
    this.#known[key] = decision;
    return decision;
  }

  #decideAgain(classes: readonly number[]): Decision {
    const seen = new Map<Reading, unknown>();
    for (const [place, { classes: of }] of this.touched.entries()) {
      const views = of.views[classes[place] ?? 0] ?? [];
      for (const [at, reading] of (this.#readings[place] ?? []).entries()) seen.set(reading, views[at]);
    }
    const sent = this.#action.moves.flatMap((move) => this.#sentBy(move, seen));
    const events = new Map(
      sent.map(({ part, event }) => {
        const { name, compiled } = this.#parts[part] as PackedPart;
        return [name, compiled.events[event] as { readonly type: string }];
      }),
    );
    const breaches = this.#watchers
      .filter(
        ({ reads, holds }) =>
          !holds(
            reads.map((reading) => seen.get(reading)),
            events,
          ),
      )
      .map((invariant) => ({ action: this.number, invariant }));
    return { sent, breaches };
  }

  #sentBy(move: Move, seen: ReadonlyMap<Reading, unknown>): Decision['sent'] {
    const sent = move.event(move.reads.map((reading) => seen.get(reading)));
    if (sent === null) return [];
    const event = this.#alphabets.get(move.part)?.get(JSON.stringify(sent));
    if (event === undefined) throw new TypeError(`${JSON.stringify(sent)} is not in the alphabet of ${move.part}.`);
    return [{ part: this.#parts.findIndex(({ name }) => name === move.part), event }];
  }
}
