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
  const classifier = new Classifier(parts);
  const bound = actions.map((action, number) => {
    const watchers = invariants.filter((invariant) => invariant.actions.includes(action.name));
    return new BoundAction(action, number, watchers, parts, classifier);
  });
  return [...Map.groupBy(bound, ({ group }) => group).values()].map((group) => createTable(group, parts));
}

function createTable(group: readonly BoundAction[], parts: readonly PackedPart[]): PackedTable {
  const touched = group[0]?.touched ?? [];
  const sizes = touched.map(({ part, moved, classes }) => (moved ? (parts[part]?.size ?? 1) : classes.views.length));
  const rows = sizes.reduce((all, size) => all * size, 1);
  if (rows > rowsMax) {
    const names = touched.map(({ part }) => parts[part]?.name).join(' × ');
    throw new NudgeLabError('state-space-too-large', {
      message: `A table over ${names} would have ${rows} rows; the maximum is ${rowsMax}.`,
    });
  }
  const builder = new TableBuilder(group, parts, rows);
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
