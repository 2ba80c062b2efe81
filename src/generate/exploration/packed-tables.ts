import { NudgeLabError } from '../../core/errors.ts';
import { BoundAction } from './bound-action.ts';
import { Classifier, type PackedPart } from './equivalence-classes.ts';
import type { Axis, PackedTable } from './packed-table.ts';
import type { Action, ProductInvariant } from './product.ts';
import { TableBuilder } from './table-builder.ts';

/** Maximum number of combinations in one table. */
const rowsMax = 8_000_000;

/** Builds the tables of some actions, one per group. */
export function packedTables(
  parts: readonly PackedPart[],
  actions: readonly Action[],
  invariants: readonly ProductInvariant[],
): readonly PackedTable[] {
  const bound = bindActions(parts, actions, invariants);
  return buildTables(parts, bound, (group, rows) => new TableBuilder(group, parts, rows));
}

/** Binds actions to the classes of values that they and the invariants read. */
export function bindActions(
  parts: readonly PackedPart[],
  actions: readonly Action[],
  invariants: readonly ProductInvariant[],
): readonly BoundAction[] {
  const classifier = new Classifier(parts);
  return actions.map((action, number) => {
    const watchers = invariants.filter((invariant) => invariant.actions.includes(action.name));
    return new BoundAction(action, number, watchers, parts, classifier);
  });
}

/** Fills the rows of one table in order. */
export interface RowBuilder<T> {
  /** Adds the next row. `place` has, for each touched part, its state if it is moved and otherwise its class. */
  readonly addRow: (row: number, place: readonly number[]) => void;
  /** Returns the arrays of the finished table. */
  readonly arrays: () => T;
}

/**
 * Builds a table for each group of actions that read and move the same parts.
 * @param create - creates the builder of the rows of one group
 */
export function buildTables<T>(
  parts: readonly PackedPart[],
  bound: readonly BoundAction[],
  create: (group: readonly BoundAction[], rows: number) => RowBuilder<T>,
): readonly (T & { readonly axes: readonly Axis[] })[] {
  return [...Map.groupBy(bound, ({ group }) => group).values()].map((group) => createTable(group, parts, create));
}

function createTable<T>(
  group: readonly BoundAction[],
  parts: readonly PackedPart[],
  create: (group: readonly BoundAction[], rows: number) => RowBuilder<T>,
): T & { readonly axes: readonly Axis[] } {
  const touched = group[0]?.touched ?? [];
  const sizes = touched.map(({ part, moved, classes }) => (moved ? (parts[part]?.size ?? 1) : classes.views.length));
  const rows = sizes.reduce((all, size) => all * size, 1);
  if (rows > rowsMax) {
    const names = touched.map(({ part }) => parts[part]?.name).join(' × ');
    throw new NudgeLabError('state-space-too-large', {
      message: `A table over ${names} would have ${rows} rows; the maximum is ${rowsMax}.`,
    });
  }
  const builder = create(group, rows);
  const place = sizes.map(() => 0);
  for (let row = 0; row < rows; row += 1) {
    builder.addRow(row, place);
    advance(place, sizes);
  }
  return { axes: createAxes(touched, sizes, parts), ...builder.arrays() };
}

/** Advances to the next combination; the first index varies fastest. */
function advance(place: number[], sizes: readonly number[]): void {
  for (let at = 0; at < place.length; at += 1) {
    place[at] = ((place[at] ?? 0) + 1) % (sizes[at] ?? 1);
    if (place[at] !== 0) return;
  }
}

function createAxes(
  touched: BoundAction['touched'],
  sizes: readonly number[],
  parts: readonly PackedPart[],
): readonly Axis[] {
  let factor = 1;
  return touched.map(({ part, moved, classes }, at) => {
    const by = factor;
    factor *= sizes[at] ?? 1;
    const rowOf = Uint32Array.from({ length: parts[part]?.size ?? 0 }, (_, state) => {
      return by * (moved ? state : (classes.classOf[state] ?? 0));
    });
    return { part, rowOf };
  });
}
