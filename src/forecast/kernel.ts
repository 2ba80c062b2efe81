import { promptLifetimeMs } from '../../machines/campaign-limits.ts';
import {
  type CounterLayout,
  promptCounters as importedPromptCounters,
  rowCounters as importedRowCounters,
  segmentCounters as importedSegmentCounters,
  stocks as importedStocks,
  promptHistogram,
} from './counters.ts';
import { type AttemptsOfADay, attemptsOfADay, drawKinds, drawMoments } from './day-of-attempts.ts';
import { advanceToPrompt, stops } from './days-to-next-prompt.ts';
import {
  type ForecastTables,
  answerBits as importedAnswerBits,
  dayMinutes as importedDayMinutes,
  lastMinute,
} from './forecast-tables.ts';
import { snoozeStarts } from './snooze-starts.ts';
import {
  attemptLogged,
  beginUser,
  slots as importedSlots,
  type KernelRun,
  promptedFrom,
  skipWords,
  userSlots,
} from './user-run.ts';

/** Range of user numbers to simulate. The end is exclusive. */
export interface UserRange {
  readonly seed: number;
  readonly firstUser: number;
  readonly endUser: number;
}

/** Output buffers of the kernel. */
export interface KernelOutput {
  /** Final state of each user in the range as one 32-bit word. See `userWord`. */
  readonly population: Uint32Array;
  /** Counters in the order of `CounterLayout`. The kernel adds to them. */
  readonly counters: Int32Array;
  /** Optional log of each attempt, for tests and analyses. See `attemptLogSize`. */
  readonly log?: number[] | undefined;
}

/** Constants of this module, because V8 compiles only those into the code and loads imported ones at every use. */
const slots = importedSlots;
const promptCounters = importedPromptCounters;
const rowCounters = importedRowCounters;
const segmentCounters = importedSegmentCounters;
const stocks = importedStocks;
const answerBits = importedAnswerBits;
const dayMinutes = importedDayMinutes;

const lifetimeMinutes = promptLifetimeMs / 60_000;

/**
 * Encodes the final state of a user: class in the lower 16 bits, number of prompts in the next 8, lifecycle state
 * in the upper 8.
 */
function userWord(userClass: number, promptCount: number, state: number): number {
  return ((state << 24) | (Math.min(promptCount, 255) << 16) | userClass) >>> 0;
}

/**
 * Simulates users over all days, one user after the other. All effects of rules and of the lifecycle come from
 * tables. Users are independent, and every draw depends only on random seed, user and position, so a range can be
 * split anywhere.
 */
export function simulateUsers(
  tables: ForecastTables,
  layout: CounterLayout,
  { seed, firstUser, endUser }: UserRange,
  { population, counters, log }: KernelOutput,
): void {
  const run: KernelRun = { tables, layout, counters, seed: seed | 0, block: new Int32Array(2), log: log ?? null };
  const slot = userSlots();
  const day = attemptsOfADay();
  for (let user = firstUser; user < endUser; user += 1) {
    beginUser(run, slot, user);
    beginStock(run, slot);
    for (let stop = advanceToPrompt(run, slot); stop !== stops.end; stop = advanceToPrompt(run, slot)) {
      if (stop === stops.prompted) ask(run, slot);
      else goThroughDay(run, slot, day);
    }
    population[user - firstUser] = endUserRun(run, slot);
  }
}

/**
 * Counts the state of a user before the first day. A user whose snooze period has already ended does not count as
 * snoozed.
 */
function beginStock(run: KernelRun, slot: Int32Array): void {
  const { tables, layout, counters } = run;
  const stock = tables.stockOf[slot[slots.state] as number] as number;
  const isOver = stock === stocks.snoozed && (slot[slots.dueMinute] as number) <= 0;
  add(counters, layout.startStocks + (isOver ? stocks.notPrompted : stock), 1);
  if (!isOver) noteSnoozeEnd(run, slot, 0);
}

/**
 * Counts the end of a snooze period on its day, because no event of the user occurs then. `fromDay` is the earliest
 * possible day. A user who is not snoozed is ignored.
 */
function noteSnoozeEnd({ tables, layout, counters }: KernelRun, slot: Int32Array, fromDay: number): void {
  if (tables.stockOf[slot[slots.state] as number] !== stocks.snoozed) return;
  const day = Math.max(fromDay, Math.floor((slot[slots.dueMinute] as number) / dayMinutes));
  if (day >= tables.days) return;
  const at = layout.prompts + day * rowCounters + promptCounters.stocks;
  add(counters, at + stocks.snoozed, -1);
  add(counters, at + stocks.notPrompted, 1);
}

/** Updates the counters per user, and returns the final state of the user. */
function endUserRun({ layout, counters }: KernelRun, slot: Int32Array): number {
  const prompts = slot[slots.prompts] as number;
  const segmentAt = layout.segments + (slot[slots.segment] as number) * segmentCounters.size;
  add(counters, layout.promptsPerUser + Math.min(prompts, promptHistogram - 1), 1);
  add(counters, segmentAt + segmentCounters.users, 1);
  add(counters, segmentAt + segmentCounters.prompts, prompts);
  add(counters, segmentAt + segmentCounters.reached, prompts > 0 ? 1 : 0);
  add(counters, segmentAt + segmentCounters.required, slot[slots.wasRequired] as number);
  add(counters, segmentAt + segmentCounters.registered, slot[slots.wasRegistered] as number);
  return userWord(slot[slots.userClass] as number, prompts, slot[slots.state] as number);
}

/** Processes a day with several attempts, which are all drawn and evaluated in chronological order. */
function goThroughDay(run: KernelRun, slot: Int32Array, drawnDay: AttemptsOfADay): void {
  const { tables, seed } = run;
  const extra = slot[slots.extra] as number;
  const firstWord = (slot[slots.words] as number) - 1;
  const user = slot[slots.user] as number;
  const drawnFor = { seed, user, segment: slot[slots.segment] as number, firstWord, extra };
  drawnDay.kinds[0] = slot[slots.kind] as number;
  drawKinds(tables, drawnFor, drawnDay);
  skipWords(run, slot, firstWord + 1 + extra);
  const dayMinute = (slot[slots.day] as number) * dayMinutes;
  // The times of the attempts matter only if one of them could lead to a prompt.
  const canBePrompted =
    dayMinute + lastMinute >= (slot[slots.dueMinute] as number) && somePass(tables, slot, drawnDay, extra);
  if (canBePrompted) drawMoments(tables, drawnFor, drawnDay);
  for (let place = 0; place <= extra; place += 1) {
    slot[slots.kind] = drawnDay.kinds[place] as number;
    slot[slots.minute] = drawnDay.minutes[place] as number;
    slot[slots.answer] = drawnDay.answers[place] as number;
    const otherReason = tables.reasons[(slot[slots.row] as number) + (slot[slots.kind] as number)] as number;
    const snoozed = !canBePrompted || dayMinute + (slot[slots.minute] as number) < (slot[slots.dueMinute] as number);
    const reason = otherReason === 0 && snoozed ? tables.timerReason : otherReason;
    if (reason === 0) ask(run, slot);
    else letPass(run, slot, reason);
  }
}

/** Checks whether at least one attempt of a day is stopped by no gate other than the timer. */
function somePass({ reasons }: ForecastTables, slot: Int32Array, { kinds }: AttemptsOfADay, extra: number): boolean {
  const row = slot[slots.row] as number;
  for (let place = 0; place <= extra; place += 1) if (reasons[row + (kinds[place] as number)] === 0) return true;
  return false;
}

/** Counts an attempt without a prompt by its reason. */
function letPass({ layout, counters, log }: KernelRun, slot: Int32Array, reason: number): void {
  const day = slot[slots.day] as number;
  add(counters, day * rowCounters + reason, 1);
  if (slot[slots.prompts] === 0) {
    const stock = layout.unreached + day * rowCounters;
    add(counters, stock + (slot[slots.latestReason] as number), -1);
    add(counters, stock + reason, 1);
    slot[slots.latestReason] = reason;
  }
  if (log !== null) attemptLogged(log, [day, slot[slots.kind] as number, reason, slot[slots.state] as number]);
}

/** Counts a prompt and moves the user along the path that is drawn for it. */
function ask(run: KernelRun, slot: Int32Array): void {
  const { tables, layout, counters, log } = run;
  const day = slot[slots.day] as number;
  const state = slot[slots.state] as number;
  const required = tables.requiredIn[state] as number;
  const path = pathDrawn(tables, slot, required);
  const at = layout.prompts + day * rowCounters;
  add(counters, at + required * tables.paths + path, 1);
  if (slot[slots.prompts] === 0) {
    add(counters, at + promptCounters.firstPrompted, 1);
    add(counters, layout.unreached + day * rowCounters + (slot[slots.latestReason] as number), -1);
  }
  slot[slots.prompts] = (slot[slots.prompts] as number) + 1;
  if (required === 1 && slot[slots.wasRequired] === 0) {
    slot[slots.wasRequired] = 1;
    add(counters, at + promptCounters.firstRequired, 1);
  }
  const turn = (state * 2 + required) * tables.paths + path;
  const starts = tables.snoozeStart[turn] as number;
  if (starts !== snoozeStarts.none) {
    const from = (slot[slots.minute] as number) + (starts === snoozeStarts.atAnswer ? 0 : lifetimeMinutes);
    slot[slots.dueMinute] = day * dayMinutes + from + tables.snoozeMinutes;
    add(counters, at + promptCounters.snoozed, 1);
  }
  const next = tables.nextState[turn] as number;
  const stock = tables.stockOf[state] as number;
  // A prompted user has no active snooze period.
  add(counters, at + promptCounters.stocks + (stock === stocks.snoozed ? stocks.notPrompted : stock), -1);
  add(counters, at + promptCounters.stocks + (tables.stockOf[next] as number), 1);
  slot[slots.state] = next;
  noteSnoozeEnd(run, slot, day);
  if (tables.registers[path] === 1) register(tables, counters, slot, at);
  if (log !== null) {
    attemptLogged(log, [day, slot[slots.kind] as number, promptedFrom + required * tables.paths + path, next]);
  }
}

/** Draws the path of the user at the prompt, depending on the number of earlier prompts. */
function pathDrawn(tables: ForecastTables, slot: Int32Array, required: number): number {
  const { rounds, answerThresholds, answerOutcomes } = tables;
  const round = Math.min(slot[slots.prompts] as number, rounds - 1);
  const admitted = tables.admitted[(slot[slots.row] as number) + (slot[slots.kind] as number)] as number;
  const answers = ((((slot[slots.segment] as number) * rounds + round) * 2 + required) * 2 + admitted) << answerBits;
  const word = slot[slots.answer] as number;
  const column = answers + (word >>> (32 - answerBits));
  const pair = answerOutcomes[column] as number;
  return (word & (-1 >>> answerBits)) < (answerThresholds[column] as number) ? pair & 0xffff : pair >>> 16;
}

/** Moves a user who registered the method to the class of such users. */
function register(tables: ForecastTables, counters: Int32Array, slot: Int32Array, at: number): void {
  const userClass = tables.nextClass[(slot[slots.row] as number) + (slot[slots.kind] as number)] as number;
  slot[slots.userClass] = userClass;
  slot[slots.row] = tables.rowOf[userClass] as number;
  if (slot[slots.wasRegistered] === 1) return;
  slot[slots.wasRegistered] = 1;
  add(counters, at + promptCounters.firstRegistered, 1);
}

/** Adds a value to a counter. */
function add(counters: Int32Array, at: number, by: number): void {
  counters[at] = (counters[at] as number) + by;
}
