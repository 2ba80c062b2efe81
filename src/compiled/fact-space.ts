import type { Facts } from '../../machines/vocabulary.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';

/** One value of an axis: its name, and what it sets, by paths into the facts such as `attempt.os`. */
export interface AxisValue {
  readonly name: string;
  readonly sets: Readonly<Record<string, unknown>>;
}

/** One thing that varies from combination to combination. */
export interface FactAxis {
  readonly name: string;
  readonly values: readonly AxisValue[];
}

/** Combinations that a space may have, so that their numbers stay whole and a table of them fits into memory. */
const combinationsMax = 2 ** 31;

/**
 * A finite space of facts: some facts, and axes that each set a part of them. A combination takes one value of every axis; its
 * number counts through the values, those of the last axis fastest.
 */
export class FactSpace {
  readonly base: Facts;
  readonly axes: readonly FactAxis[];
  readonly size: number;
  /** What one value more of each axis adds to the number of a combination. */
  readonly strides: readonly number[];

  /**
   * Takes the facts that no axis sets, the axes, and how many combinations there may be where they are not all walked. Throws `facts-invalid` for an axis without values, for two axes that set
   * one part of the facts, and for too many combinations.
   */
  constructor(base: Facts, axes: readonly FactAxis[], sizeMax = combinationsMax) {
    const problems = [...emptyAxes(axes), ...overlaps(axes)];
    if (problems.length > 0) throw new NudgeLabError('facts-invalid', { problems });
    this.base = base;
    this.axes = axes;
    const strides: number[] = [];
    let size = 1;
    for (const { values } of axes.toReversed()) {
      strides.unshift(size);
      size *= values.length;
    }
    if (size > sizeMax) {
      throw new NudgeLabError('facts-invalid', {
        message: `The axes have ${size} combinations; there may be ${sizeMax}.`,
      });
    }
    this.strides = strides;
    this.size = size;
  }

  /** The number of a combination. Takes the place of its value on each axis, in their order. */
  numberOf(places: ArrayLike<number>): number {
    return this.strides.reduce((sum, stride, axis) => sum + stride * (places[axis] ?? 0), 0);
  }

  /** The places of a combination's values, from its number. */
  placesOf(number: number): number[] {
    return this.strides.map((stride, axis) => Math.floor(number / stride) % (this.axes[axis]?.values.length ?? 1));
  }

  /** The facts of a combination. Takes the place of its value on each axis; facts that no axis sets are shared. */
  factsAt(places: ArrayLike<number>): Facts {
    let facts: unknown = this.base;
    this.axes.forEach(({ values }, axis) => {
      for (const [path, value] of Object.entries(values[places[axis] ?? 0]?.sets ?? {})) {
        facts = withValueAt(facts, path.split('.'), value);
      }
    });
    return facts as Facts;
  }
}

/** A copy with one value replaced; what is not on the way to it is shared. */
function withValueAt(held: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const object = (held ?? {}) as Readonly<Record<string, unknown>>;
  return { ...object, [key]: withValueAt(object[key], rest, value) };
}

/** Whether one of two paths leads to, or through, what the other one names. */
export function pathsMeet(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

function emptyAxes(axes: readonly FactAxis[]): readonly ValidationProblem[] {
  return axes
    .filter(({ values }) => values.length === 0)
    .map(({ name }) => ({ location: name, message: 'has no values; give it one at least' }));
}

function overlaps(axes: readonly FactAxis[]): readonly ValidationProblem[] {
  const paths = axes.map(({ values }) => [...new Set(values.flatMap(({ sets }) => Object.keys(sets)))]);
  return axes.flatMap(({ name }, axis) =>
    axes.slice(0, axis).flatMap((earlier, other) => {
      const met = paths[axis]?.find((path) => paths[other]?.some((taken) => pathsMeet(path, taken)));
      return met === undefined
        ? []
        : [{ location: name, message: `sets ${met}, as ${earlier.name} does; let one do it` }];
    }),
  );
}
