import type { CompiledMachine } from '../../compiled/compiled-machine.ts';
import { ClassIndex } from './class-index.ts';
import type { Reading } from './product.ts';

/** A part of a product with its compiled machine and its place in the packed code of a state. */
export interface PackedPart {
  readonly name: string;
  readonly compiled: CompiledMachine;
  readonly size: number;
  /** What one state more of this part adds to the code. */
  readonly stride: number;
}

/** The states of a part told apart by what some readings see of them. */
export interface PartClasses {
  /** The class of each state. */
  readonly classOf: Uint32Array;
  /** For each class what the readings saw, in their order. */
  readonly views: readonly (readonly unknown[])[];
}

/** Sorts the states of parts by what is read of them, each reading of each state done once. */
export class Classifier {
  readonly #parts: readonly PackedPart[];
  readonly #single = new Map<Reading, PartClasses>();
  readonly #joint = new Map<string, PartClasses>();
  readonly #ids = new Map<Reading, number>();

  constructor(parts: readonly PackedPart[]) {
    this.#parts = parts;
  }

  /** The number of the part of a name. */
  partOf(name: string): number {
    return this.#parts.findIndex((part) => part.name === name);
  }

  /** Names a list of readings: equal lists have equal names. */
  nameOf(readings: readonly Reading[]): string {
    return readings.map((reading) => this.#ids.get(reading) ?? this.#newId(reading)).join(',');
  }

  /** The classes of a part's states by some readings of it. */
  classesOf(part: number, readings: readonly Reading[]): PartClasses {
    const name = `${part}:${this.nameOf(readings)}`;
    const known = this.#joint.get(name);
    if (known !== undefined) return known;
    const singles = readings.map((reading) => this.#readingOf(reading, part));
    const index = new ClassIndex();
    const classOf = Uint32Array.from({ length: this.#parts[part]?.size ?? 0 }, (_, state) =>
      index.numberOf(singles.map((single) => single.classOf[state])),
    );
    const views = (index.values as readonly (readonly number[])[]).map((classes) =>
      classes.map((number, place) => singles[place]?.views[number]?.[0]),
    );
    const classes = { classOf, views };
    this.#joint.set(name, classes);
    return classes;
  }

  #newId(reading: Reading): number {
    const id = this.#ids.size;
    this.#ids.set(reading, id);
    return id;
  }

  #readingOf(reading: Reading, part: number): PartClasses {
    const known = this.#single.get(reading);
    if (known !== undefined) return known;
    const index = new ClassIndex();
    const states = this.#parts[part]?.compiled.states ?? [];
    const classOf = Uint32Array.from(states, (state) => index.numberOf(reading.view(state)));
    const classes = { classOf, views: index.values.map((value) => [value]) };
    this.#single.set(reading, classes);
    return classes;
  }
}
