import type { CompiledEvaluator, GateTable } from '../../compiled/compiled-evaluator.ts';
import type { FactSpace } from '../../compiled/fact-space.ts';

/** Something that facts have to be like, and the axes that it looks at. */
export interface FactsConstraint {
  readonly axes: readonly number[];
  /** Takes the places of the values of all axes, of which those above are set. */
  readonly holds: (places: readonly number[]) => boolean;
}

/** Places that one search sets before it gives up. */
const settingsMax = 20_000;

/**
 * Facts that are as wanted, most of them as usual: axes are set in the order in which something can be held against them, the
 * first values first. `null` where there are none, or the search had to be given up. Takes the space and what is wanted.
 */
export function factsThat(space: FactSpace, wanted: readonly FactsConstraint[]): readonly number[] | null {
  const sizes = space.axes.map(({ values }) => values.length);
  const places = sizes.map(() => 0);
  const order: number[] = [];
  const checks: FactsConstraint[][] = [];
  const open = [...wanted];
  while (open.length > 0) {
    const more = open.map(({ axes }) => axes.filter((axis) => !order.includes(axis)).length);
    const [next] = open.splice(more.indexOf(Math.min(...more)), 1) as [FactsConstraint];
    order.push(...next.axes.filter((axis) => !order.includes(axis)));
    const at = Math.max(0, order.length - 1);
    checks[at] = [...(checks[at] ?? []), next];
  }
  let settings = 0;
  const search = (at: number): boolean => {
    const axis = order[at];
    if (axis === undefined) return true;
    for (let value = 0; value < (sizes[axis] ?? 1); value += 1) {
      settings += 1;
      if (settings > settingsMax) return false;
      places[axis] = value;
      if ((checks[at] ?? []).every((check) => check.holds(places)) && search(at + 1)) return true;
    }
    places[axis] = 0;
    return false;
  };
  return search(0) ? places : null;
}

/** The row of a table that facts are in. */
export function rowOfGate(
  { derived }: CompiledEvaluator,
  { rows }: Pick<GateTable, 'rows'>,
  places: readonly number[],
): number {
  return rows.rowAt(
    places,
    derived.map((table) => table.classOf[table.rows.rowAt(places, [])] ?? 0),
  );
}

/** The axes that a table's answers depend on, by what it reads or by what is derived of them. */
export function axesOfGate({ derived }: CompiledEvaluator, { rows }: Pick<GateTable, 'rows'>): readonly number[] {
  const own = rows.axes.map(({ of }) => of);
  return [
    ...new Set([...own, ...rows.derived.flatMap(({ of }) => derived[of]?.rows.axes.map((axis) => axis.of) ?? [])]),
  ];
}

/** Facts that are in a row of a table: one thing that they have to be like for each class that makes the row. */
export function inRow(
  evaluator: CompiledEvaluator,
  { rows }: Pick<GateTable, 'rows'>,
  row: number,
): readonly FactsConstraint[] {
  const parts = [...rows.axes, ...rows.derived];
  const sizes = parts.map(({ representatives }) => representatives.length);
  const classes = splitRow(row, sizes);
  return parts.map(({ of, rowOf, representatives }, at) => {
    const wanted = rowOf[representatives[classes[at] ?? 0] ?? 0];
    if (at < rows.axes.length) return { axes: [of], holds: (places) => rowOf[places[of] ?? 0] === wanted };
    const table = evaluator.derived[of];
    const axes = table?.rows.axes.map((axis) => axis.of) ?? [];
    const classAt = (places: readonly number[]) => table?.classOf[table.rows.rowAt(places, [])] ?? 0;
    return { axes, holds: (places) => rowOf[classAt(places)] === wanted };
  });
}

/** The classes that make a row of a table. Takes how many there are of each. */
export function splitRow(row: number, sizes: readonly number[]): readonly number[] {
  let rest = row;
  return sizes.map((size) => {
    const part = rest % size;
    rest = Math.floor(rest / size);
    return part;
  });
}
