import { nudgeStates } from '../../../machines/vocabulary.ts';
import { ownStatesMax } from '../../core/limits.ts';
import { type Boundary, boundaryAt, constantOffset, isSameBoundary } from './boundary.ts';
import { countedStates, ForecastUser } from './forecast-user.ts';
import { ledgerTimes } from './ledger-entries.ts';
import { mergeClasses } from './merge-classes.ts';
import { NotCompiled } from './not-compiled.ts';
import { blockedReason, compileDraws, listOwnReasons } from './own-draws.ts';
import { countRounds, weighPaths } from './own-paths.ts';
import type { OwnPlan, OwnSegment, OwnStart } from './own-plan.ts';
import { instantsMax, type OwnTables, prompted } from './own-tables.ts';
import { OwnTimes, spacingMs } from './own-times.ts';
import { type Arrival, type UserClass, UserClasses } from './user-classes.ts';

/**
 * Compiles a plan to the tables of the kernel. Users are put into classes by what the campaign itself does: every
 * verdict, every action and every time that passes is taken from it.
 *
 * @throws NotCompiled with the first cause for which the users have no finite number of classes
 */
export function compileOwn(plan: OwnPlan, statesMax = ownStatesMax): OwnTables {
  refuseUnbounded(plan);
  const { starting, ...draws } = compileDraws(plan);
  const times = new OwnTimes(plan);
  const classes = new UserClasses(plan, times, statesMax);
  const builder = new TableBuilder(plan, times, classes);
  const starts = starting.map(({ segment, user }) => builder.begin(segment, user));
  // The rows of classes add further classes, which the loop reaches.
  for (const one of classes.all) builder.add(one);
  const startTimesAt: number[] = [];
  const startTimes: number[] = [];
  for (const { instants } of starts) {
    startTimesAt.push(startTimes.length);
    startTimes.push(...instants.map((atMs) => atMs - plan.startMs));
  }
  const { tables, classOf } = mergeClasses(builder.tables(), draws.paths);
  return {
    ...draws,
    startClass: Uint32Array.from(starts, ({ index }) => classOf[index] ?? 0),
    startTimesAt: Uint32Array.from(startTimesAt),
    startTimes: Float64Array.from(startTimes),
    ...tables,
  };
}

/** Rejects ledgers by device or browser for users whose devices are not described (OC53). */
function refuseUnbounded({ ruleset, hasDevices }: OwnPlan): void {
  if (hasDevices) return;
  const all = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)];
  const part = all.flatMap(({ ledger }) => ledger.keys.flat()).find((one) => one === 'device' || one === 'browser');
  if (part === undefined) return;
  throw new NotCompiled('RC5', ['ledger', 'keys'], `the ledger is by ${part}; list the devices of a user in devices`);
}

class TableBuilder {
  readonly #plan: OwnPlan;
  readonly #times: OwnTimes;
  readonly #classes: UserClasses;
  readonly #reasons: ReadonlyMap<string, number>;
  /** Paths that users of each segment can take, for skippable and for required prompts. */
  readonly #possible: readonly (readonly (readonly boolean[])[])[];
  readonly #rows: number[] = [];
  readonly #cellReasons: number[] = [];
  readonly #cellTurns: number[] = [];
  readonly #turns = { reason: [] as number[], target: [] as number[], moves: [] as number[], snoozes: [] as number[] };
  readonly #bounds = {
    at: [] as number[],
    slot: [] as number[],
    offset: [] as number[],
    calendar: [] as number[],
    target: [] as number[],
    moves: [] as number[],
    snoozes: [] as number[],
  };
  readonly #moves: number[] = [];
  readonly #knownMoves = new Map<string, number>();
  readonly #stocks: number[] = [];
  /** Values by class: 1 if no user is known as an example of it. */
  readonly #lost: number[] = [];
  readonly #calendars: Map<string, { readonly number: number; readonly boundary: Boundary }> = new Map();

  constructor(plan: OwnPlan, times: OwnTimes, classes: UserClasses) {
    this.#plan = plan;
    this.#times = times;
    this.#classes = classes;
    this.#reasons = new Map(listOwnReasons(plan).map((reason, index) => [reason, index + 1]));
    this.#possible = plan.segments.map(({ answers }) =>
      [false, true].map((required) => {
        const weights = Array.from({ length: countRounds(answers) }, (_, round) =>
          weighPaths(plan.paths, answers, { required, round }),
        );
        return plan.paths.map((_path, path) => weights.some((row) => (row[path] ?? 0) > 0));
      }),
    );
  }

  /** Adds the class of a starting entry. Returns it with the instants that its users begin with. */
  begin(segment: number, start: number): { readonly index: number; readonly instants: readonly number[] } {
    const plan = this.#plan.segments[segment] as OwnSegment;
    const user = ForecastUser.begin(this.#plan, plan, plan.users[start] as OwnStart);
    const place = { segment, start, period: 0 };
    const before = this.#classes.listSlots(user.memory, place);
    const { index } = this.#classes.arrive(user, place, { nowMs: this.#plan.startMs, before });
    return { index, instants: before.map(({ value }) => value) };
  }

  /** Adds the row of a class: all kinds of sign-ins, and the times that pass. */
  add(one: UserClass): void {
    if (one.slots.length > instantsMax) {
      throw new NotCompiled('RC3', ['ledger', 'keys'], `a user has more than ${instantsMax} instants`);
    }
    const nowMs = one.isLost ? null : this.#chooseTime(one);
    const { kinds } = this.#plan.segments[one.segment] as OwnSegment;
    this.#rows.push(this.#cellReasons.length);
    this.#lost.push(Number(nowMs === null));
    if (nowMs === null) {
      // Its users stay here. The kernel reports them at the end.
      this.#cellReasons.push(...kinds.map(() => 1));
      this.#cellTurns.push(...kinds.map(() => -1));
      this.#stocks.push(0);
      this.#bounds.at.push(this.#bounds.slot.length);
      return;
    }
    if (this.#isBetweenSignIns(one)) {
      this.#cellReasons.push(...kinds.map(() => 0));
      this.#cellTurns.push(...kinds.map(() => -1));
    } else for (const kind of kinds.keys()) this.#addCell(one, kind, nowMs);
    const stock = this.#concrete(one, nowMs).user.stock(nowMs);
    this.#stocks.push(countedStates.indexOf(stock));
    this.#addBounds(one, nowMs);
  }

  /** Returns true for users whose latest prompt was shown so recently that they cannot sign in yet. */
  #isBetweenSignIns({ slots }: UserClass): boolean {
    const boundaries = this.#times.of('shownAtMs').map(constantOffset);
    return slots.some(
      ({ role, passed }) =>
        role === 'shownAtMs' &&
        boundaries.every((offset, index) => passed[index] !== true || (offset ?? 0) < spacingMs),
    );
  }

  #addCell(one: UserClass, kind: number, nowMs: number): void {
    const { user, before } = this.#concrete(one, nowMs);
    const verdict = user.signIn(kind, nowMs);
    const { outcome } = verdict;
    if (outcome === 'none' || outcome === 'blocked') {
      const reason = this.#reasons.get(outcome === 'blocked' ? blockedReason : (verdict.reason ?? '')) ?? 0;
      const arrival = this.#classes.arrive(user, one, { nowMs, before });
      const isSame = arrival.index === one.index && user.snoozes === 0 && isIdentity(arrival.origins);
      this.#cellReasons.push(isSame ? reason : 0);
      this.#cellTurns.push(isSame ? -1 : this.#addTurn(reason, arrival, user.snoozes));
      return;
    }
    this.#cellReasons.push(0);
    this.#cellTurns.push(this.#turns.reason.length);
    const required = outcome === 'required';
    const possible = this.#possible[one.segment]?.[Number(required)] ?? [];
    for (const [path, actions] of this.#plan.paths.entries()) {
      const reason = prompted[outcome];
      if (possible[path] !== true) {
        this.#addTurn(reason, null, 0);
        continue;
      }
      const { user: again, before: instants } = this.#concrete(one, nowMs);
      again.signIn(kind, nowMs);
      again.act(actions, nowMs);
      this.#addTurn(reason, this.#classes.arrive(again, one, { nowMs, before: instants }), again.snoozes);
    }
  }

  #addTurn(reason: number, arrival: Arrival | null, snoozes: number): number {
    this.#turns.reason.push(reason);
    this.#turns.target.push(arrival?.index ?? -1);
    this.#turns.moves.push(arrival === null ? -1 : this.#addMoves(arrival.origins));
    this.#turns.snoozes.push(snoozes);
    return this.#turns.reason.length - 1;
  }

  #addMoves(origins: readonly number[]): number {
    if (isIdentity(origins)) return -1;
    const key = origins.join();
    const known = this.#knownMoves.get(key);
    if (known !== undefined) return known;
    const at = this.#moves.length;
    this.#knownMoves.set(key, at);
    this.#moves.push(...origins);
    return at;
  }

  /**
   * Adds the times at which the users of a class change by themselves. Of those that are reached together, the first one
   * comes first: what rules compare passes before a period begins, and prompts end by the rules of that time.
   */
  #addBounds(one: UserClass, nowMs: number): void {
    this.#bounds.at.push(this.#bounds.slot.length);
    const open = one.slots.flatMap(({ role, passed }, slot) =>
      this.#openBounds(role, passed).map((of) => ({ ...of, slot, role })),
    );
    const isEnd = ({ role }: { readonly role: string }): boolean => role === 'shownAtMs';
    for (const { slot, index, offset, boundary } of open.filter((of) => !isEnd(of))) {
      if (one.slots[slot]?.role === 'leftAtMs' && this.#isAfterStored(one, boundary)) continue;
      const arrival = this.#classes.pass(one, slot, index);
      this.#addBound(slot, offset ?? Number.NaN, this.#calendar(boundary, offset), { arrival, snoozes: 0 });
    }
    const nextMs = this.#classes.absolute(one.segment, one.start)[one.period];
    if (nextMs !== undefined && !this.#classes.endsBefore(one, nextMs)) {
      this.#addBound(-1, nextMs - this.#plan.startMs, -1, this.#beginPeriod(one, nextMs));
    }
    for (const { slot, index, offset } of open.filter(isEnd)) {
      if (this.#isAfterEarlier(one, slot, offset ?? 0)) continue;
      this.#addBound(slot, offset ?? Number.NaN, -1, this.#expire(one, slot, index, nowMs));
    }
  }

  /** Lists the boundaries of an instant that can pass next: the first one at a constant distance, and those of the calendar. */
  #openBounds(role: string, passed: readonly boolean[]) {
    const open = this.#times
      .of(role)
      .flatMap((boundary, index) =>
        passed[index] === true ? [] : [{ boundary, index, offset: constantOffset(boundary) }],
      );
    const next = Math.min(...open.map(({ offset }) => offset ?? Number.POSITIVE_INFINITY));
    return open.filter(({ offset }) => offset === null || offset === next);
  }

  /** Returns true if a time of the ledger passes a boundary before a closed page does, because pages are closed later. */
  #isAfterStored({ slots }: UserClass, boundary: Boundary): boolean {
    return slots.some(
      ({ role, passed }) =>
        ledgerTimes.some((time) => time === role) &&
        this.#times.of(role).some((one, index) => passed[index] !== true && isSameBoundary(one, boundary)),
    );
  }

  /** Returns true if a boundary of an earlier prompt passes before this one, because sign-ins are apart. */
  #isAfterEarlier({ slots }: UserClass, slot: number, offset: number): boolean {
    const offsets = this.#times.of('shownAtMs').map(constantOffset);
    return slots
      .slice(0, slot)
      .some(
        ({ role, passed }) =>
          role === 'shownAtMs' &&
          offsets.some((one, index) => passed[index] !== true && (one ?? 0) <= offset + spacingMs),
      );
  }

  #beginPeriod(one: UserClass, nowMs: number): { arrival: Arrival; snoozes: number } {
    const found = this.#classes.concrete(one, nowMs);
    if (found === null) return { arrival: this.#classes.lose(one), snoozes: 0 };
    const { user, before } = found;
    user.passTime(nowMs);
    const arrival = this.#classes.arrive(user, { ...one, period: one.period + 1 }, { nowMs, before });
    return { arrival, snoozes: user.snoozes };
  }

  #expire(one: UserClass, slot: number, boundary: number, nowMs: number): { arrival: Arrival; snoozes: number } {
    const found = this.#classes.concrete(one, nowMs, { slot, boundary });
    if (found === null) return { arrival: this.#classes.lose(one), snoozes: 0 };
    const { user, before } = found;
    user.passTime(nowMs);
    const arrival = this.#classes.arrive(user, one, { nowMs, before });
    // A lifetime of another edition has no effect, so only the boundary has passed.
    return arrival.index === one.index
      ? { arrival: this.#classes.pass(one, slot, boundary), snoozes: 0 }
      : { arrival, snoozes: user.snoozes };
  }

  #addBound(
    slot: number,
    offset: number,
    calendar: number,
    { arrival: { index, origins }, snoozes }: { readonly arrival: Arrival; readonly snoozes: number },
  ): void {
    this.#bounds.slot.push(slot);
    this.#bounds.offset.push(offset);
    this.#bounds.calendar.push(calendar);
    this.#bounds.target.push(index);
    this.#bounds.moves.push(this.#addMoves(origins));
    this.#bounds.snoozes.push(snoozes);
  }

  #calendar(boundary: Boundary, offset: number | null): number {
    if (offset !== null) return -1;
    const key = JSON.stringify(boundary);
    const known = this.#calendars.get(key);
    if (known !== undefined) return known.number;
    this.#calendars.set(key, { number: this.#calendars.size, boundary });
    return this.#calendars.size - 1;
  }

  /** Chooses a time inside the period of a class at which it has a user, or returns `null` if none was found. */
  #chooseTime(one: UserClass): number | null {
    const { startMs, description } = this.#plan;
    const borders = [
      startMs,
      ...this.#classes.absolute(one.segment, one.start),
      startMs + description.days * 86_400_000,
    ];
    const fromMs = borders[one.period] ?? startMs;
    const untilMs = borders[one.period + 1] ?? fromMs + 86_400_000;
    const width = untilMs - fromMs;
    const chosen = [0.5, 0.25, 0.75, 0, 0.1, 0.9].map((share) => fromMs + Math.floor(share * width));
    // A page can be closed on the day before its prompt ends only shortly after the day begins.
    const days = one.slots.flatMap(({ role }) => this.#times.of(role).filter((of) => constantOffset(of) === null));
    const begun = days.flatMap((of) => chosen.map((atMs) => boundaryAt(of, atMs)));
    for (const nowMs of [...chosen, ...begun.filter((atMs) => atMs >= fromMs && atMs < untilMs)]) {
      if (this.#classes.concrete(one, nowMs) !== null) return nowMs;
    }
    return null;
  }

  /** Returns the user of a class at its chosen time. */
  #concrete(one: UserClass, nowMs: number): NonNullable<ReturnType<UserClasses['concrete']>> {
    const found = this.#classes.concrete(one, nowMs);
    if (found === null) throw new RangeError(`Class ${one.index} has no user at ${nowMs}.`);
    return found;
  }

  /** Returns all tables that depend on the classes. */
  tables() {
    const { all } = this.#classes;
    const { reason, target, moves, snoozes } = this.#turns;
    const bounds = this.#bounds;
    return {
      reasons: Uint8Array.from(this.#cellReasons),
      segmentOf: Uint16Array.from(all, ({ segment }) => segment),
      rowOf: Uint32Array.from(this.#rows),
      slotsOf: Uint16Array.from(all, ({ slots }) => slots.length),
      stockOf: Uint8Array.from(this.#stocks),
      isLost: Uint8Array.from(this.#lost),
      statusOf: Uint8Array.from(all, ({ memory, segment, start }) => {
        const id = this.#plan.segments[segment]?.users[start]?.user.id ?? '';
        return nudgeStates.indexOf(memory.state.users.get(id)?.status ?? 'notPrompted');
      }),
      cellTurn: Int32Array.from(this.#cellTurns),
      turnReason: Int16Array.from(reason),
      turnTarget: Int32Array.from(target),
      turnMoves: Int32Array.from(moves),
      turnSnoozes: Uint8Array.from(snoozes),
      moves: Int16Array.from(this.#moves),
      boundsAt: Uint32Array.from([...bounds.at, bounds.slot.length]),
      boundSlot: Int16Array.from(bounds.slot),
      boundOffset: Float64Array.from(bounds.offset),
      boundCalendar: Int16Array.from(bounds.calendar),
      calendars: [...this.#calendars.values()].map(({ boundary }) => boundary),
      boundTarget: Int32Array.from(bounds.target),
      boundMoves: Int32Array.from(bounds.moves),
      boundSnoozes: Uint8Array.from(bounds.snoozes),
    };
  }
}

function isIdentity(origins: readonly number[]): boolean {
  return origins.every((origin, index) => origin === index);
}
