import { nudgeStates } from '../../../machines/vocabulary.ts';
import { sampleAlias } from '../alias-table.ts';
import { type CounterLayout, promptHistogram, segmentCounters } from '../counters.ts';
import { drawnAttempts } from '../drawn-attempts.ts';
import type { KernelOutput, UserRange } from '../kernel.ts';
import { findStart } from '../user-run.ts';
import { countedStates, ForecastUser } from './forecast-user.ts';
import { listOwnReasons, type OwnDraws } from './own-draws.ts';
import type { OwnPath } from './own-paths.ts';
import type { OwnPlan, OwnSegment, OwnStart } from './own-plan.ts';
import { ownPromptCounters, ownUserWord } from './own-tables.ts';

const dayMs = 86_400_000;

/** Attempt of a simulated user with its result. */
export interface FoldedAttempt {
  readonly day: number;
  readonly atMs: number;
  readonly kind: number;
  readonly outcome: 'none' | 'skippable' | 'required' | 'blocked';
  /** Reason of a suppressed prompt, or `blocked`. */
  readonly reason: string | null;
  /** Name of the action path at the prompt, or `null`. */
  readonly path: string | null;
  /** Stored nudge state after the attempt. */
  readonly status: (typeof nudgeStates)[number];
}

/** Simulated user with all attempts, and what the daily totals count of it. */
export interface FoldedUser {
  readonly segment: number;
  readonly start: number;
  readonly attempts: readonly FoldedAttempt[];
  /** State at the start, and at the end of each day. */
  readonly stocks: readonly (typeof countedStates)[number][];
  /** Number of snoozes that began on each day. */
  readonly snoozes: readonly number[];
  /** Stored nudge state at the end. */
  readonly status: (typeof nudgeStates)[number];
}

/**
 * Simulates one user with the campaign itself: every verdict is evaluated on complete facts, and every event is applied.
 * Only the random draws are shared with the kernel, which must produce the same result.
 */
export function foldUser(plan: OwnPlan, draws: OwnDraws, seed: number, userNumber: number): FoldedUser {
  const number = userNumber | 0;
  const starting = draws.starting[findStart(draws, seed, number, new Int32Array(2))];
  const { segment = 0, user: start = 0 } = starting ?? {};
  const part = plan.segments[segment] as OwnSegment;
  const user = ForecastUser.begin(plan, part, part.users[start] as OwnStart);
  const days = new DayCounts(plan, user);
  const attempts: FoldedAttempt[] = [];
  let prompts = 0;
  for (const { day, minute, kind, answerWord } of drawnAttempts(draws, { seed, user: number, segment })) {
    const atMs = plan.startMs + day * dayMs + minute * 60_000;
    days.advance(atMs);
    const { outcome, reason } = user.signIn(kind, atMs);
    let path: OwnPath | null = null;
    if (outcome === 'skippable' || outcome === 'required') {
      path = drawPath(plan, draws, { segment, round: prompts, required: outcome === 'required' }, answerWord);
      user.act(path, atMs);
      prompts += 1;
    }
    days.note(atMs);
    const kept = outcome === 'blocked' ? 'blocked' : reason;
    attempts.push({ day, atMs, kind, outcome, reason: kept, path: path?.name ?? null, status: user.status });
  }
  return { segment, start, attempts, ...days.finish(), status: user.status };
}

function drawPath(
  { paths }: OwnPlan,
  { rounds, answerBits, answerThresholds, answerOutcomes }: OwnDraws,
  { segment, round, required }: { readonly segment: number; readonly round: number; readonly required: boolean },
  word: number,
): OwnPath {
  const table = (segment * rounds + Math.min(round, rounds - 1)) * 2 + Number(required);
  const [from, to] = [table * 2 ** answerBits, (table + 1) * 2 ** answerBits];
  const thresholds = answerThresholds.slice(from, to);
  return paths[
    sampleAlias({ bits: answerBits, thresholds, outcomes: answerOutcomes.slice(from, to) }, word)
  ] as OwnPath;
}

/** Counts what happens to one user between sign-ins, by day. */
class DayCounts {
  readonly #plan: OwnPlan;
  readonly #user: ForecastUser;
  readonly #stocks: (typeof countedStates)[number][] = [];
  readonly #snoozes: number[];
  readonly #editions: readonly number[];
  readonly #lifetimes: readonly number[];
  #nowMs: number;

  constructor(plan: OwnPlan, user: ForecastUser) {
    this.#plan = plan;
    this.#user = user;
    this.#nowMs = plan.startMs;
    this.#snoozes = Array.from({ length: plan.description.days }, () => 0);
    const { first, editions } = plan.ruleset;
    this.#editions = editions.map(({ fromMs }) => fromMs);
    this.#lifetimes = [...new Set([first, ...editions.map(({ rules }) => rules)].map(({ lifetimeMs }) => lifetimeMs))];
    this.#stocks.push(user.stock(plan.startMs));
  }

  /** Lets time pass up to a time: editions begin and prompts expire, each at its own time. */
  advance(untilMs: number): void {
    for (let nextMs = this.#next(untilMs); nextMs !== null; nextMs = this.#next(untilMs)) {
      this.#closeDays(nextMs);
      this.#nowMs = nextMs;
      this.#user.passTime(nextMs);
      this.note(nextMs);
    }
    this.#closeDays(untilMs);
    this.#nowMs = untilMs;
  }

  /** Counts the snoozes that the latest event began. */
  note(atMs: number): void {
    const day = Math.floor((atMs - this.#plan.startMs) / dayMs);
    this.#snoozes[day] = (this.#snoozes[day] ?? 0) + this.#user.snoozes;
    this.#user.snoozes = 0;
  }

  finish(): Pick<FoldedUser, 'stocks' | 'snoozes'> {
    const { startMs, description } = this.#plan;
    this.advance(startMs + description.days * dayMs - 1);
    this.#closeDays(startMs + description.days * dayMs);
    return { stocks: this.#stocks, snoozes: this.#snoozes };
  }

  /** Returns the next time at which something happens by itself, or `null`. */
  #next(untilMs: number): number | null {
    const expiries = this.#user.owner.prompts.flatMap(({ shownAtMs }) => this.#lifetimes.map((ms) => shownAtMs + ms));
    const due = [...this.#editions, ...expiries].filter((atMs) => atMs > this.#nowMs && atMs <= untilMs);
    return due.length === 0 ? null : Math.min(...due);
  }

  /** Notes the state at the end of each day that is over at a time. */
  #closeDays(nowMs: number): void {
    const { startMs } = this.#plan;
    while (startMs + this.#stocks.length * dayMs <= nowMs) {
      this.#stocks.push(this.#user.stock(startMs + this.#stocks.length * dayMs - 1));
    }
  }
}

/** Simulates users with the campaign itself, and counts them as the kernel does. */
export function simulateByFolding(
  plan: OwnPlan,
  draws: OwnDraws,
  layout: CounterLayout,
  { seed, firstUser, endUser }: UserRange,
  { population, counters }: KernelOutput,
): void {
  const counts = new FoldCounts(plan, draws, layout, counters);
  for (let number = firstUser; number < endUser; number += 1) {
    const user = foldUser(plan, draws, seed, number);
    const prompts = counts.add(user);
    population[number - firstUser] = ownUserWord(user.segment, prompts, nudgeStates.indexOf(user.status));
  }
}

/** Counters of folded users. */
class FoldCounts {
  readonly #draws: OwnDraws;
  readonly #layout: CounterLayout;
  readonly #counters: Int32Array;
  readonly #reasons: ReadonlyMap<string, number>;
  readonly #paths: ReadonlyMap<string, number>;
  readonly #columns: ReturnType<typeof ownPromptCounters>;
  readonly #row: number;

  constructor(plan: OwnPlan, draws: OwnDraws, layout: CounterLayout, counters: Int32Array) {
    this.#draws = draws;
    this.#layout = layout;
    this.#counters = counters;
    this.#reasons = new Map(listOwnReasons(plan).map((reason, index) => [reason, index + 1]));
    this.#paths = new Map(plan.paths.map(({ name }, index) => [name, index]));
    this.#columns = ownPromptCounters(draws.paths);
    this.#row = 2 ** draws.rowBits;
  }

  /** Adds a user. Returns the number of its prompts. */
  add({ segment, attempts, stocks, snoozes }: FoldedUser): number {
    const so = { prompts: 0, required: 0, registered: 0, latest: 0 };
    for (const attempt of attempts) {
      if (attempt.path === null) this.#addSuppressed(attempt, so);
      else this.#addPrompt(attempt, attempt.path, so);
    }
    this.#addStocks(stocks);
    for (const [day, count] of snoozes.entries()) this.#count(this.#promptRow(day) + this.#columns.snoozed, count);
    const ofSegment = this.#layout.segments + segment * segmentCounters.size;
    this.#count(this.#layout.promptsPerUser + Math.min(so.prompts, promptHistogram - 1), 1);
    this.#count(ofSegment + segmentCounters.users, 1);
    this.#count(ofSegment + segmentCounters.prompts, so.prompts);
    this.#count(ofSegment + segmentCounters.reached, so.prompts > 0 ? 1 : 0);
    this.#count(ofSegment + segmentCounters.required, so.required);
    this.#count(ofSegment + segmentCounters.registered, so.registered);
    return so.prompts;
  }

  #addSuppressed({ day, reason }: FoldedAttempt, so: UserTotals): void {
    const code = this.#reasons.get(reason ?? '') ?? 0;
    const unreached = this.#layout.unreached + day * this.#row;
    this.#count(this.#layout.reasons + day * this.#row + code, 1);
    if (so.prompts > 0) return;
    this.#count(unreached + so.latest, -1);
    this.#count(unreached + code, 1);
    so.latest = code;
  }

  #addPrompt({ day, outcome }: FoldedAttempt, name: string, so: UserTotals): void {
    const path = this.#paths.get(name) ?? 0;
    const required = Number(outcome === 'required');
    const registers = this.#draws.registers[path] as number;
    const row = this.#promptRow(day);
    this.#count(row + required * this.#draws.paths + path, 1);
    if (so.prompts === 0) {
      this.#count(row + this.#columns.firstPrompted, 1);
      this.#count(this.#layout.unreached + day * this.#row + so.latest, -1);
    }
    if (required > so.required) this.#count(row + this.#columns.firstRequired, 1);
    if (registers > so.registered) this.#count(row + this.#columns.firstRegistered, 1);
    so.prompts += 1;
    so.required = Math.max(so.required, required);
    so.registered = Math.max(so.registered, registers);
  }

  #addStocks(stocks: FoldedUser['stocks']): void {
    for (const [day, stock] of stocks.entries()) {
      const column = countedStates.indexOf(stock);
      const before = stocks[day - 1];
      if (before === undefined) this.#count(this.#layout.startStocks + column, 1);
      if (before === undefined || before === stock) continue;
      const row = this.#promptRow(day - 1) + this.#columns.stocks;
      this.#count(row + countedStates.indexOf(before), -1);
      this.#count(row + column, 1);
    }
  }

  #promptRow(day: number): number {
    return this.#layout.prompts + day * this.#row;
  }

  #count(at: number, by: number): void {
    this.#counters[at] = (this.#counters[at] as number) + by;
  }
}

/** What a user has come to so far. */
interface UserTotals {
  prompts: number;
  required: number;
  registered: number;
  latest: number;
}
