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
  | 'isLost'
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
  const { segmentOf, turnReason, turnTarget, turnMoves, turnSnoozes } = tables;
  const values = [segmentOf, tables.slotsOf, tables.stockOf, tables.statusOf, tables.isLost];
  const cells: string[] = [];
  const turns: (readonly number[])[] = [];
  const bounds: (readonly number[])[] = [];
  for (let one = 0; one < segmentOf.length; one += 1) {
    const own: number[] = values.map((list) => list[one] ?? 0);
    const targets: number[] = [];
    for (const cell of listCells(tables, one)) {
      const list = listTurns(tables, cell, paths);
      for (const turn of list) {
        own.push(turnReason[turn] ?? 0, turnMoves[turn] ?? -1, turnSnoozes[turn] ?? 0);
        targets.push(turnTarget[turn] ?? -1);
      }
      if (list.length > 0) continue;
      // A suppressed prompt that changes nothing is a turn to the same class.
      own.push(tables.reasons[cell] ?? 0, -1, 0);
      targets.push(one);
    }
    cells.push([...own, ...describeBounds(tables, one)].join());
    turns.push(targets);
    bounds.push([...tables.boundTarget.subarray(tables.boundsAt[one], tables.boundsAt[one + 1])]);
  }
  return { cells, turns, bounds };
}

/** Values of the bounds of a class without their targets. */
function describeBounds(tables: ClassTables, one: number): readonly number[] {
  const { boundsAt, boundSlot, boundOffset, boundCalendar, boundMoves, boundSnoozes } = tables;
  return [boundSlot, boundOffset, boundCalendar, boundMoves, boundSnoozes].flatMap((values) => [
    ...values.subarray(boundsAt[one], boundsAt[one + 1]),
  ]);
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

/** Returns the reason of a suppressed prompt that changes nothing in merged classes, or 0 for any other cell. */
function findIdleReason(
  { reasons, cellTurn, turnReason, turnMoves, turnSnoozes }: ClassTables,
  cell: number,
  stays: (turn: number) => boolean,
): number {
  const turn = cellTurn[cell] ?? -1;
  if (turn < 0) return reasons[cell] ?? 0;
  const reason = turnReason[turn] ?? 0;
  const isIdle = reason > 0 && (turnMoves[turn] ?? -1) < 0 && turnSnoozes[turn] === 0 && stays(turn);
  return isIdle ? reason : 0;
}

type Target = (one: number | undefined) => number;

/** Writes the turns of merged classes. Sign-ins with the same results share their turns. */
class TurnWriter {
  readonly reason: number[] = [];
  readonly target: number[] = [];
  readonly moves: number[] = [];
  readonly snoozes: number[] = [];
  readonly #known = new Map<string, number>();

  /** Adds the turns of a cell. Returns the first one. */
  add(list: readonly (readonly [reason: number, target: number, moves: number, snoozes: number])[]): number {
    const key = list.join(';');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const at = this.reason.length;
    this.#known.set(key, at);
    for (const [reason, target, moves, snoozes] of list) {
      this.reason.push(reason);
      this.target.push(target);
      this.moves.push(moves);
      this.snoozes.push(snoozes);
    }
    return at;
  }
}

function writeTables(tables: ClassTables, groups: Groups, paths: number): ClassTables {
  const { of, first } = groups;
  const target: Target = (one) => (one === undefined || one < 0 ? -1 : (of[one] as number));
  return {
    moves: tables.moves,
    calendars: tables.calendars,
    segmentOf: tables.segmentOf.filter((_, one) => first[of[one] as number] === one),
    slotsOf: tables.slotsOf.filter((_, one) => first[of[one] as number] === one),
    stockOf: tables.stockOf.filter((_, one) => first[of[one] as number] === one),
    statusOf: tables.statusOf.filter((_, one) => first[of[one] as number] === one),
    isLost: tables.isLost.filter((_, one) => first[of[one] as number] === one),
    ...writeCells(tables, groups, target, paths),
    ...writeBounds(tables, groups, target),
  };
}

function writeCells(tables: ClassTables, { of, first }: Groups, target: Target, paths: number) {
  const { turnReason, turnTarget, turnMoves, turnSnoozes } = tables;
  const rows: number[] = [];
  const reasons: number[] = [];
  const cellTurns: number[] = [];
  const turns = new TurnWriter();
  for (const one of first) {
    rows.push(reasons.length);
    for (const cell of listCells(tables, one)) {
      const idle = findIdleReason(tables, cell, (turn) => target(turnTarget[turn]) === of[one]);
      reasons.push(idle);
      const list = listTurns(tables, cell, paths).map(
        (turn) =>
          [turnReason[turn] ?? 0, target(turnTarget[turn]), turnMoves[turn] ?? -1, turnSnoozes[turn] ?? 0] as const,
      );
      cellTurns.push(idle > 0 || list.length === 0 ? -1 : turns.add(list));
    }
  }
  return {
    rowOf: Uint32Array.from(rows),
    reasons: Uint8Array.from(reasons),
    cellTurn: Int32Array.from(cellTurns),
    turnReason: Int16Array.from(turns.reason),
    turnTarget: Int32Array.from(turns.target),
    turnMoves: Int32Array.from(turns.moves),
    turnSnoozes: Uint8Array.from(turns.snoozes),
  };
}

function writeBounds(tables: ClassTables, { first }: Groups, target: Target) {
  const { boundsAt, boundSlot, boundOffset, boundCalendar, boundTarget, boundMoves, boundSnoozes } = tables;
  const at = [0];
  const bounds: number[] = [];
  for (const one of first) {
    for (let bound = boundsAt[one] ?? 0; bound < (boundsAt[one + 1] ?? 0); bound += 1) bounds.push(bound);
    at.push(bounds.length);
  }
  return {
    boundsAt: Uint32Array.from(at),
    boundSlot: Int16Array.from(bounds, (bound) => boundSlot[bound] ?? -1),
    boundOffset: Float64Array.from(bounds, (bound) => boundOffset[bound] ?? 0),
    boundCalendar: Int16Array.from(bounds, (bound) => boundCalendar[bound] ?? -1),
    boundTarget: Int32Array.from(bounds, (bound) => target(boundTarget[bound])),
    boundMoves: Int32Array.from(bounds, (bound) => boundMoves[bound] ?? -1),
    boundSnoozes: Uint8Array.from(bounds, (bound) => boundSnoozes[bound] ?? 0),
  };
}
