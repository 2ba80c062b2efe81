import type { OwnTables } from './own-tables.ts';

/** Tables that depend on the classes of users. */
export type ClassTables = Pick<
  OwnTables,
  | 'reasons'
  | 'segmentOf'
  | 'rowOf'
  | 'slotsOf'
  | 'stockOf'
  | 'statusOf'
  | 'cellTurn'
  | 'turnReason'
  | 'turnTarget'
  | 'turnMoves'
  | 'turnSnoozes'
  | 'moves'
  | 'boundsAt'
  | 'boundSlot'
  | 'boundOffset'
  | 'boundCalendar'
  | 'calendars'
  | 'boundTarget'
  | 'boundMoves'
  | 'boundSnoozes'
>;

/** Merged tables, with the merged class of each class. */
export interface MergedClasses {
  readonly tables: ClassTables;
  readonly classOf: Uint32Array;
}

/**
 * Merges classes that nothing distinguishes: their users have the same results, are counted the same, and change at the
 * same times into merged classes again, with the same instants. Small tables stay in the cache of the processor.
 *
 * @param tables - tables with a class for each user memory that the campaign could distinguish
 * @param paths - number of turns of a prompt, one for each path
 */
export function mergeClasses(tables: ClassTables, paths: number): MergedClasses {
  const { cells, turns, bounds } = describeClasses(tables, paths);
  const count = tables.rowOf.length;
  // Classes start together if their own values agree, and part where a turn or a bound leads to different ones.
  let groups = group(count, (one) => cells[one] as string);
  for (;;) {
    const { of } = groups;
    const target = (one: number): number => (one < 0 ? -1 : (of[one] as number));
    const refined = group(count, (one) => {
      const targets = [...(turns[one] as readonly number[]), ...(bounds[one] as readonly number[])].map(target);
      return `${of[one]} ${targets.join()}`;
    });
    if (refined.count === groups.count) break;
    groups = refined;
  }
  return { tables: writeTables(tables, groups, paths), classOf: groups.of };
}

interface Groups {
  readonly of: Uint32Array;
  readonly count: number;
  /** First class of each group. */
  readonly first: readonly number[];
}

function group(count: number, toKey: (one: number) => string): Groups {
  const known = new Map<string, number>();
  const of = new Uint32Array(count);
  const first: number[] = [];
  for (let one = 0; one < count; one += 1) {
    const key = toKey(one);
    let number = known.get(key);
    if (number === undefined) {
      number = known.size;
      known.set(key, number);
      first.push(one);
    }
    of[one] = number;
  }
  return { of, count: known.size, first };
}

/** Values of each class without its targets, and the targets of its turns and bounds. */
function describeClasses(tables: ClassTables, paths: number) {
  const { segmentOf, slotsOf, stockOf, statusOf, turnReason, turnTarget, turnMoves, turnSnoozes } = tables;
  const cells: string[] = [];
  const turns: (readonly number[])[] = [];
  const bounds: (readonly number[])[] = [];
  for (let one = 0; one < segmentOf.length; one += 1) {
    const own: number[] = [segmentOf[one] ?? 0, slotsOf[one] ?? 0, stockOf[one] ?? 0, statusOf[one] ?? 0];
    const targets: number[] = [];
    for (const cell of listCells(tables, one)) {
      own.push(tables.reasons[cell] ?? 0);
      for (const turn of listTurns(tables, cell, paths)) {
        own.push(turnReason[turn] ?? 0, turnMoves[turn] ?? -1, turnSnoozes[turn] ?? 0);
        targets.push(turnTarget[turn] ?? -1);
      }
    }
    const ends: number[] = [];
    for (let bound = tables.boundsAt[one] ?? 0; bound < (tables.boundsAt[one + 1] ?? 0); bound += 1) {
      const { boundSlot, boundOffset, boundCalendar, boundMoves, boundSnoozes, boundTarget } = tables;
      own.push(boundSlot[bound] ?? -1, boundOffset[bound] ?? 0, boundCalendar[bound] ?? -1);
      own.push(boundMoves[bound] ?? -1, boundSnoozes[bound] ?? 0);
      ends.push(boundTarget[bound] ?? -1);
    }
    cells.push(own.join());
    turns.push(targets);
    bounds.push(ends);
  }
  return { cells, turns, bounds };
}

/** Lists the cells of a class: one for each kind of sign-in of its segment. */
function listCells({ rowOf, reasons }: ClassTables, one: number): readonly number[] {
  const from = rowOf[one] ?? 0;
  return Array.from({ length: (rowOf[one + 1] ?? reasons.length) - from }, (_, index) => from + index);
}

/** Lists the turns of a cell: none for a suppressed prompt, one for a change without a prompt, or one for each path. */
function listTurns({ cellTurn, turnReason }: ClassTables, cell: number, paths: number): readonly number[] {
  const turn = cellTurn[cell] ?? -1;
  if (turn < 0) return [];
  const count = (turnReason[turn] ?? 0) > 0 ? 1 : paths;
  return Array.from({ length: count }, (_, path) => turn + path);
}

function writeTables(tables: ClassTables, { of, first }: Groups, paths: number): ClassTables {
  const target = (one: number | undefined): number => (one === undefined || one < 0 ? -1 : (of[one] as number));
  const rows: number[] = [];
  const reasons: number[] = [];
  const cellTurns: number[] = [];
  const turns = { reason: [] as number[], target: [] as number[], moves: [] as number[], snoozes: [] as number[] };
  const known = new Map<string, number>();
  const boundsAt: number[] = [];
  const bounds: number[] = [];
  for (const one of first) {
    rows.push(reasons.length);
    for (const cell of listCells(tables, one)) {
      reasons.push(tables.reasons[cell] ?? 0);
      const list = listTurns(tables, cell, paths).map((turn) => [
        tables.turnReason[turn] ?? 0,
        target(tables.turnTarget[turn]),
        tables.turnMoves[turn] ?? -1,
        tables.turnSnoozes[turn] ?? 0,
      ]);
      // Sign-ins with the same results share their turns.
      const key = list.join(';');
      if (list.length > 0 && !known.has(key)) {
        known.set(key, turns.reason.length);
        for (const [reason = 0, to = -1, moves = -1, snoozes = 0] of list) {
          turns.reason.push(reason);
          turns.target.push(to);
          turns.moves.push(moves);
          turns.snoozes.push(snoozes);
        }
      }
      cellTurns.push(list.length === 0 ? -1 : (known.get(key) ?? -1));
    }
    boundsAt.push(bounds.length);
    for (let bound = tables.boundsAt[one] ?? 0; bound < (tables.boundsAt[one + 1] ?? 0); bound += 1) bounds.push(bound);
  }
  return {
    moves: tables.moves,
    calendars: tables.calendars,
    reasons: Uint8Array.from(reasons),
    segmentOf: Uint16Array.from(first, (one) => tables.segmentOf[one] ?? 0),
    rowOf: Uint32Array.from(rows),
    slotsOf: Uint16Array.from(first, (one) => tables.slotsOf[one] ?? 0),
    stockOf: Uint8Array.from(first, (one) => tables.stockOf[one] ?? 0),
    statusOf: Uint8Array.from(first, (one) => tables.statusOf[one] ?? 0),
    cellTurn: Int32Array.from(cellTurns),
    turnReason: Int16Array.from(turns.reason),
    turnTarget: Int32Array.from(turns.target),
    turnMoves: Int32Array.from(turns.moves),
    turnSnoozes: Uint8Array.from(turns.snoozes),
    boundsAt: Uint32Array.from([...boundsAt, bounds.length]),
    boundSlot: Int16Array.from(bounds, (bound) => tables.boundSlot[bound] ?? -1),
    boundOffset: Float64Array.from(bounds, (bound) => tables.boundOffset[bound] ?? 0),
    boundCalendar: Int16Array.from(bounds, (bound) => tables.boundCalendar[bound] ?? -1),
    boundTarget: Int32Array.from(bounds, (bound) => target(tables.boundTarget[bound])),
    boundMoves: Int32Array.from(bounds, (bound) => tables.boundMoves[bound] ?? -1),
    boundSnoozes: Uint8Array.from(bounds, (bound) => tables.boundSnoozes[bound] ?? 0),
  };
}
