import type { CompiledEvaluator, GateTable } from '../../compiled/compiled-evaluator.ts';
import type { FactSpace } from '../../compiled/fact-space.ts';

/** Constraint on facts, with the axes that it depends on. */
export interface FactsConstraint {
  readonly axes: readonly number[];
  /** Predicate on the value indexes of all axes; the constraint's axes are always set. */
  readonly holds: (places: readonly number[]) => boolean;
}

/** Maximum number of assignments in one search. */
const settingsMax = 20_000;

/**
 * Finds facts that satisfy the constraints and otherwise have usual values. The axes of the constraints are set first,
 * and each axis tries its first values first.
 * @returns the value index of each axis; `null` if there are no such facts or the search reaches its limit
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

/** Returns the table row that contains the facts. */
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

/** Lists the axes that a table depends on, directly or through derived facts. */
export function axesOfGate({ derived }: CompiledEvaluator, { rows }: Pick<GateTable, 'rows'>): readonly number[] {
  const own = rows.axes.map(({ of }) => of);
  return [
    ...new Set([...own, ...rows.derived.flatMap(({ of }) => derived[of]?.rows.axes.map((axis) => axis.of) ?? [])]),
  ];
}

/** Creates the constraints for a table row: one for each class that defines the row. */
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

/**
 * Splits a row number into its classes.
 * @param sizes - number of classes per column
 */
export function splitRow(row: number, sizes: readonly number[]): readonly number[] {
  let rest = row;
  return sizes.map((size) => {
    const part = rest % size;
    rest = Math.floor(rest / size);
    return part;
  });
}
