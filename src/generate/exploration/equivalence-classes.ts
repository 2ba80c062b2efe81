import type { CompiledMachine } from '../../compiled/compiled-machine.ts';
import { ClassIndex } from './class-index.ts';
import type { Reading } from './product.ts';

/** Part of a product with its compiled machine and its stride in the packed state code. */
export interface PackedPart {
  readonly name: string;
  readonly compiled: CompiledMachine;
  readonly size: number;
  /** Increment of the code per state number of this part. */
  readonly stride: number;
}

/** States of a part, grouped into classes with equal results of some functions. */
export interface PartClasses {
  /** Class of each state. */
  readonly classOf: Uint32Array;
  /** Values of the readings for each class, in reading order. */
  readonly views: readonly (readonly unknown[])[];
}

/** Groups the states of parts by their readings; each reading of a state is computed once. */
export class Classifier {
  readonly #parts: readonly PackedPart[];
  readonly #single = new Map<Reading, PartClasses>();
  readonly #joint = new Map<string, PartClasses>();
  readonly #ids = new Map<Reading, number>();

  constructor(parts: readonly PackedPart[]) {
    this.#parts = parts;
  }

  /** Returns the number of the part with a name. */
  getPart(name: string): number {
    return this.#parts.findIndex((part) => part.name === name);
  }

  /** Returns a name for a list of readings; equal lists have equal names. */
  formatName(readings: readonly Reading[]): string {
    return readings.map((reading) => this.#ids.get(reading) ?? this.#newId(reading)).join(',');
  }

  /** Returns the classes of a part's states for some readings. */
  getClasses(part: number, readings: readonly Reading[]): PartClasses {
    const name = `${part}:${this.formatName(readings)}`;
    const known = this.#joint.get(name);
    if (known !== undefined) return known;
    const singles = readings.map((reading) => this.#getReading(reading, part));
    const index = new ClassIndex();
    const classOf = Uint32Array.from({ length: this.#parts[part]?.size ?? 0 }, (_, state) =>
      index.getNumber(singles.map((single) => single.classOf[state])),
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

  #getReading(reading: Reading, part: number): PartClasses {
    const known = this.#single.get(reading);
    if (known !== undefined) return known;
    const index = new ClassIndex();
    const states = this.#parts[part]?.compiled.states ?? [];
    const classOf = Uint32Array.from(states, (state) => index.getNumber(reading.view(state)));
    const classes = { classOf, views: index.values.map((value) => [value]) };
    this.#single.set(reading, classes);
    return classes;
  }
}
