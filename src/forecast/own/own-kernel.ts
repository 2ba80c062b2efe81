import { threefry2x32 } from '../../core/threefry.ts';
import { type CounterLayout, segmentCounters as importedSegmentCounters, promptHistogram } from '../counters.ts';
import {
  type AttemptsOfADay,
  attemptsOfADay,
  type DrawnFor,
  drawKinds,
  drawMoments,
  getMinute,
} from '../day-of-attempts.ts';
import { advanceToPrompt, stops } from '../days-to-next-prompt.ts';
import { streams } from '../forecast-tables.ts';
import type { KernelOutput, UserRange } from '../kernel.ts';
import {
  attemptLogged,
  beginDraws,
  findStart,
  slots as importedSlots,
  type KernelRun,
  skipWords,
  userSlots,
} from '../user-run.ts';
import { boundaryAt } from './boundary.ts';
import { lostUsers } from './not-compiled.ts';
import { instantsMax, type OwnTables, ownPromptCounters, ownUserWord, prompted } from './own-tables.ts';

/** Constants of this module, because V8 compiles only those into the code and loads imported ones at every use. */
const slots = importedSlots;
const segmentCounters = importedSegmentCounters;

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Lowest result in the log that means a prompt. Lower values are reason numbers. */
export const ownPromptedFrom = 256;

/** User of an own ruleset in the kernel. */
interface Simulated {
  readonly run: KernelRun<OwnTables>;
  readonly slot: Int32Array;
  readonly day: AttemptsOfADay;
  /** Position in the random stream of the attempts of a day. */
  readonly drawn: { -readonly [K in keyof DrawnFor]: DrawnFor[K] };
  readonly at: ReturnType<typeof ownPromptCounters>;
  readonly rowCounters: number;
  /** Instants of the user relative to the first day, in milliseconds, and room for those after a move. */
  instants: Float64Array;
  spare: Float64Array;
  userClass: number;
  /** Next time at which the user changes by itself, and its bound. */
  dueMs: number;
  bound: number;
}

/**
 * Simulates users of an own ruleset over all days, one after the other. Every effect comes from the tables; times are
 * exact. The loop between prompts is that of the other forecasts.
 *
 * @throws NotCompiled for a user whose times the tables have no example of
 */
export function simulateOwnUsers(
  tables: OwnTables,
  layout: CounterLayout,
  { seed, firstUser, endUser }: UserRange,
  { population, counters, log }: KernelOutput,
): void {
  const run = { tables, layout, counters, seed: seed | 0, block: new Int32Array(2), log: log ?? null };
  const user: Simulated = {
    run,
    slot: userSlots(),
    day: attemptsOfADay(),
    drawn: { seed: seed | 0, user: 0, segment: 0, firstWord: 0, extra: 0 },
    at: ownPromptCounters(tables.paths),
    rowCounters: 1 << tables.rowBits,
    instants: new Float64Array(instantsMax),
    spare: new Float64Array(instantsMax),
    userClass: 0,
    dueMs: 0,
    bound: 0,
  };
  const { slot } = user;
  for (let number = firstUser; number < endUser; number += 1) {
    begin(user, number);
    for (let stop = advanceToPrompt(run, slot); stop !== stops.end; stop = advanceToPrompt(run, slot)) {
      if (stop === stops.prompted) signIn(user, slot[slots.minute] as number);
      else goThroughDay(user);
      // No sign-in follows on this day, so what is due until its end need not stop the loop on a later one.
      passTime(user, ((slot[slots.day] as number) + 1) * dayMs - 1);
    }
    passTime(user, tables.days * dayMs - 1);
    // Nothing leads out of a class without an example.
    if (tables.isLost[user.userClass] === 1) throw lostUsers();
    population[number - firstUser] = end(user);
  }
}

function begin(user: Simulated, number: number): void {
  const { run, slot } = user;
  const { tables, layout, counters, seed, block } = run;
  const start = findStart(tables, seed, number | 0, block);
  beginDraws(run, slot, number);
  // The time of a snooze is not part of the slots, so that every cell is evaluated by its class.
  slot[slots.dueMinute] = -(2 ** 30);
  user.userClass = tables.startClass[start] as number;
  const from = tables.startTimesAt[start] as number;
  const count = tables.slotsOf[user.userClass] as number;
  for (let index = 0; index < count; index += 1) user.instants[index] = tables.startTimes[from + index] as number;
  slot[slots.segment] = tables.segmentOf[user.userClass] as number;
  settle(user);
  add(counters, layout.startStocks + (tables.stockOf[user.userClass] as number), 1);
}

function end({ run: { tables, layout, counters }, slot, userClass }: Simulated): number {
  const prompts = slot[slots.prompts] as number;
  const segment = slot[slots.segment] as number;
  const at = layout.segments + segment * segmentCounters.size;
  add(counters, layout.promptsPerUser + Math.min(prompts, promptHistogram - 1), 1);
  add(counters, at + segmentCounters.users, 1);
  add(counters, at + segmentCounters.prompts, prompts);
  add(counters, at + segmentCounters.reached, prompts > 0 ? 1 : 0);
  add(counters, at + segmentCounters.required, slot[slots.wasRequired] as number);
  add(counters, at + segmentCounters.registered, slot[slots.wasRegistered] as number);
  return ownUserWord(segment, prompts, tables.statusOf[userClass] as number);
}

/** Sets what follows from the class of a user: its row, and the next time at which it changes by itself. */
function settle(user: Simulated): void {
  const { run, slot, userClass, instants } = user;
  const { tables } = run;
  const { boundSlot, boundOffset, boundCalendar } = tables;
  slot[slots.row] = tables.rowOf[userClass] as number;
  slot[slots.state] = tables.statusOf[userClass] as number;
  let dueMs = Number.POSITIVE_INFINITY;
  const last = tables.boundsAt[userClass + 1] as number;
  for (let bound = tables.boundsAt[userClass] as number; bound < last; bound += 1) {
    const from = boundSlot[bound] as number;
    const calendar = boundCalendar[bound] as number;
    let atMs = boundOffset[bound] as number;
    if (calendar >= 0) {
      const rule = tables.calendars[calendar] as OwnTables['calendars'][number];
      atMs = boundaryAt(rule, (instants[from] as number) + tables.startMs) - tables.startMs;
    } else if (from >= 0) atMs += instants[from] as number;
    if (atMs < dueMs) {
      dueMs = atMs;
      user.bound = bound;
    }
  }
  user.dueMs = dueMs;
  slot[slots.untilDay] = dueMs >= tables.days * dayMs ? tables.days : Math.floor(dueMs / dayMs);
}

/** Lets everything pass that is due at a time or before it. */
function passTime(user: Simulated, nowMs: number): void {
  const { boundTarget, boundMoves, boundSnoozes } = user.run.tables;
  while (user.dueMs <= nowMs) {
    const { bound, dueMs } = user;
    const snoozes = boundSnoozes[bound] as number;
    move(user, boundTarget[bound] as number, boundMoves[bound] as number, dueMs, snoozes);
  }
}

/** Moves a user to another class. */
function move(user: Simulated, target: number, moves: number, atMs: number, snoozes: number): void {
  const { run, at, rowCounters, instants, spare, userClass } = user;
  const { tables, layout, counters } = run;
  const row = layout.prompts + Math.floor(atMs / dayMs) * rowCounters;
  if (snoozes > 0) add(counters, row + at.snoozed, snoozes);
  const before = tables.stockOf[userClass] as number;
  const after = tables.stockOf[target] as number;
  if (before !== after) {
    add(counters, row + at.stocks + before, -1);
    add(counters, row + at.stocks + after, 1);
  }
  if (moves >= 0) {
    const count = tables.slotsOf[target] as number;
    for (let index = 0; index < count; index += 1) {
      const origin = tables.moves[moves + index] as number;
      spare[index] = origin < 0 ? atMs : (instants[origin] as number);
    }
    user.instants = spare;
    user.spare = instants;
  }
  user.userClass = target;
  settle(user);
}

/** Moves a user by a turn of the tables. */
function takeTurn(user: Simulated, turn: number, atMs: number): void {
  const { turnTarget, turnMoves, turnSnoozes } = user.run.tables;
  move(user, turnTarget[turn] as number, turnMoves[turn] as number, atMs, turnSnoozes[turn] as number);
}

/** Processes a day with several attempts, or one from whose beginning on a time of the user passes. */
function goThroughDay(user: Simulated): void {
  const { run, slot, day, drawn } = user;
  const { tables } = run;
  passTime(user, (slot[slots.day] as number) * dayMs);
  const extra = slot[slots.extra] as number;
  if (extra === 0) return goThroughAttempt(user);
  const firstWord = (slot[slots.words] as number) - 1;
  drawn.user = slot[slots.user] as number;
  drawn.segment = slot[slots.segment] as number;
  drawn.firstWord = firstWord;
  drawn.extra = extra;
  day.kinds[0] = slot[slots.kind] as number;
  drawKinds(tables, drawn, day);
  skipWords(run, slot, firstWord + 1 + extra);
  const isDue = (slot[slots.day] as number) >= (slot[slots.untilDay] as number);
  if (!isDue && !somePrompt(tables, slot, day, extra)) return letAllPass(user, extra);
  drawMoments(tables, drawn, day);
  for (let place = 0; place <= extra; place += 1) {
    slot[slots.kind] = day.kinds[place] as number;
    slot[slots.answer] = day.answers[place] as number;
    signIn(user, day.minutes[place] as number);
  }
}

/** Counts the attempts of a day on which the class of the user cannot change. Their times do not matter. */
function letAllPass(user: Simulated, extra: number): void {
  const { run, slot, day } = user;
  const { reasons } = run.tables;
  const row = slot[slots.row] as number;
  for (let place = 0; place <= extra; place += 1) {
    const kind = day.kinds[place] as number;
    slot[slots.kind] = kind;
    letPass(user, reasons[row + kind] as number);
  }
}

/** Processes the only attempt of a day. Its time matters if it could be a prompt, or if a time of the user passes. */
function goThroughAttempt(user: Simulated): void {
  const { run, slot } = user;
  const { tables, seed, block } = run;
  const reason = tables.reasons[(slot[slots.row] as number) + (slot[slots.kind] as number)] as number;
  if (reason > 0 && (slot[slots.day] as number) < (slot[slots.untilDay] as number)) return letPass(user, reason);
  threefry2x32(seed, slot[slots.user] as number, (slot[slots.words] as number) - 1, streams.moments, block);
  slot[slots.answer] = block[1] as number;
  signIn(user, getMinute(tables, slot[slots.segment] as number, block[0] as number));
}

function somePrompt({ reasons }: OwnTables, slot: Int32Array, { kinds }: AttemptsOfADay, extra: number): boolean {
  const row = slot[slots.row] as number;
  for (let place = 0; place <= extra; place += 1) if (reasons[row + (kinds[place] as number)] === 0) return true;
  return false;
}

/** Processes the attempt in the slots at a minute of their day. */
function signIn(user: Simulated, minute: number): void {
  const { run, slot } = user;
  const { tables } = run;
  const atMs = (slot[slots.day] as number) * dayMs + minute * minuteMs;
  passTime(user, atMs);
  const cell = (slot[slots.row] as number) + (slot[slots.kind] as number);
  let reason = tables.reasons[cell] as number;
  if (reason > 0) return letPass(user, reason);
  const turn = tables.cellTurn[cell] as number;
  reason = tables.turnReason[turn] as number;
  if (reason <= 0) return prompt(user, turn, Number(reason === prompted.required), atMs);
  takeTurn(user, turn, atMs);
  letPass(user, reason);
}

/** Counts an attempt without a prompt by its reason. */
function letPass({ run, slot, userClass, rowCounters }: Simulated, reason: number): void {
  const { tables, layout, counters, log } = run;
  const day = slot[slots.day] as number;
  add(counters, day * rowCounters + reason, 1);
  if (slot[slots.prompts] === 0) {
    const stock = layout.unreached + day * rowCounters;
    add(counters, stock + (slot[slots.latestReason] as number), -1);
    add(counters, stock + reason, 1);
    slot[slots.latestReason] = reason;
  }
  if (log !== null) {
    attemptLogged(log, [day, slot[slots.kind] as number, reason, tables.statusOf[userClass] as number]);
  }
}

/** Counts a prompt, and moves the user along the path that is drawn for it. */
function prompt(user: Simulated, firstTurn: number, required: number, atMs: number): void {
  const { run, slot, at, rowCounters } = user;
  const { tables, layout, counters, log } = run;
  const day = slot[slots.day] as number;
  const path = drawPath(tables, slot, required);
  const row = layout.prompts + day * rowCounters;
  add(counters, row + required * tables.paths + path, 1);
  if (slot[slots.prompts] === 0) {
    add(counters, row + at.firstPrompted, 1);
    add(counters, layout.unreached + day * rowCounters + (slot[slots.latestReason] as number), -1);
  }
  slot[slots.prompts] = (slot[slots.prompts] as number) + 1;
  if (required === 1 && slot[slots.wasRequired] === 0) {
    slot[slots.wasRequired] = 1;
    add(counters, row + at.firstRequired, 1);
  }
  if (tables.registers[path] === 1 && slot[slots.wasRegistered] === 0) {
    slot[slots.wasRegistered] = 1;
    add(counters, row + at.firstRegistered, 1);
  }
  const turn = firstTurn + path;
  takeTurn(user, turn, atMs);
  if (log === null) return;
  const code = ownPromptedFrom + required * tables.paths + path;
  attemptLogged(log, [day, slot[slots.kind] as number, code, tables.statusOf[user.userClass] as number]);
}

/** Draws the path of the user at the prompt, depending on the number of earlier prompts. */
function drawPath(
  { rounds, answerThresholds, answerOutcomes, answerBits }: OwnTables,
  slot: Int32Array,
  required: number,
): number {
  const round = Math.min(slot[slots.prompts] as number, rounds - 1);
  const answers = (((slot[slots.segment] as number) * rounds + round) * 2 + required) << answerBits;
  const word = slot[slots.answer] as number;
  const column = answers + (word >>> (32 - answerBits));
  const pair = answerOutcomes[column] as number;
  return (word & (-1 >>> answerBits)) < (answerThresholds[column] as number) ? pair & 0xffff : pair >>> 16;
}

/** Adds a value to a counter. */
function add(counters: Int32Array, at: number, by: number): void {
  counters[at] = (counters[at] as number) + by;
}
