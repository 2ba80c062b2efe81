import type { Facts } from '../../machines/vocabulary.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';

/** Value of an axis: its name, and the facts that it sets by path, such as `attempt.os`. */
export interface AxisValue {
  readonly name: string;
  readonly sets: Readonly<Record<string, unknown>>;
}

/** Property that varies between combinations. */
export interface FactAxis {
  readonly name: string;
  readonly values: readonly AxisValue[];
}

/**
 * Maximum number of combinations in a space. Up to this limit, combination numbers stay exact and a table of them
 * fits into memory.
 */
const combinationsMax = 2 ** 31;

/**
 * Finite space of facts, made of base facts and axes that each set a part of them. A combination has one value per
 * axis. Combinations are numbered with the values of the last axis changing fastest.
 */
export class FactSpace {
  readonly base: Facts;
  readonly axes: readonly FactAxis[];
  readonly size: number;
  /** Difference between the numbers of combinations with consecutive values of each axis. */
  readonly strides: readonly number[];

  /**
   * Creates a space.
   * @param base - facts that no axis sets
   * @param axes - axes with their values
   * @param sizeMax - maximum number of combinations; it can be higher if not all of them are evaluated
   * @throws `facts-invalid` if an axis has no values, two axes set the same fact, or there are too many combinations
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
        message: `The axes have ${size} combinations; the maximum is ${sizeMax}.`,
      });
    }
    this.strides = strides;
    this.size = size;
  }

  /** Returns the number of a combination. `places` contains the value index of each axis, in axis order. */
  toNumber(places: ArrayLike<number>): number {
    return this.strides.reduce((sum, stride, axis) => sum + stride * (places[axis] ?? 0), 0);
  }

  /** Returns the value indexes of a combination from its number. */
  toPlaces(number: number): number[] {
    return this.strides.map((stride, axis) => Math.floor(number / stride) % (this.axes[axis]?.values.length ?? 1));
  }

  /**
   * Returns the facts of a combination. `places` contains the value index of each axis. Facts that no axis sets are
   * shared objects.
   */
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

/** Copies a value with one nested value replaced. Parts outside of the path are shared with the original. */
function withValueAt(held: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const object = (held ?? {}) as Readonly<Record<string, unknown>>;
  return { ...object, [key]: withValueAt(object[key], rest, value) };
}

/** Checks whether two paths are equal or one contains the other. */
export function pathsMeet(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

function emptyAxes(axes: readonly FactAxis[]): readonly ValidationProblem[] {
  return axes
    .filter(({ values }) => values.length === 0)
    .map(({ name }) => ({ location: name, message: 'must have at least one value' }));
}

function overlaps(axes: readonly FactAxis[]): readonly ValidationProblem[] {
  const paths = axes.map(({ values }) => [...new Set(values.flatMap(({ sets }) => Object.keys(sets)))]);
  return axes.flatMap(({ name }, axis) =>
    axes.slice(0, axis).flatMap((earlier, other) => {
      const met = paths[axis]?.find((path) => paths[other]?.some((taken) => pathsMeet(path, taken)));
      return met === undefined
        ? []
        : [{ location: name, message: `sets ${met}, which ${earlier.name} also sets; set it in only one of them` }];
    }),
  );
}
