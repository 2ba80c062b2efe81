import { listConditions } from '../../../machines/own/list-conditions.ts';
import { type OwnAttempt, type OwnFacts, readFact } from '../../../machines/own/own-facts.ts';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { isModuleGate, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { collectInput, copyOwnState, getOwnUser } from '../../../machines/own/own-state.ts';
import { FactSpace } from '../../../machines/own/representatives.ts';
import { usualNowMs } from '../../../machines/own/trial-facts.ts';
import { forecastDaysMax, ownTourStatesMax } from '../../core/limits.ts';
import { type Boundary, boundaryAt } from '../../forecast/own/boundary.ts';
import { NotCompiled } from '../../forecast/own/not-compiled.ts';
import { listOwnPaths } from '../../forecast/own/own-paths.ts';
import type { OwnPlan } from '../../forecast/own/own-plan.ts';
import { OwnTimes } from '../../forecast/own/own-times.ts';
import { drawSpecs } from '../../forecast/own/rollout-buckets.ts';
import { UserClasses } from '../../forecast/own/user-classes.ts';
import type { OwnSession } from '../../scenario/own/own-session.ts';
import { listLaterFacts } from './later-facts.ts';
import { describeBehavior, toKind, toStart, toTenant } from './model-plan.ts';
import { type Assignment, journeyUser } from './own-journey.ts';
import { allRules } from './own-space.ts';
import type { WalkPlace, WalkSignIn } from './walk-actions.ts';

/** Tells the states of a user apart, and finds the times at which one changes by itself. */
export interface StateReader {
  /** Returns the state of a session as text. Equal texts have the same future. */
  readonly key: (session: OwnSession) => string;
  /** Returns what the actions of tours depend on. */
  readonly place: (session: OwnSession) => WalkPlace;
}

/** How a reader tells the times of a state apart. */
export interface TimeReading {
  /**
   * `order` distinguishes the order of the times that are left until a comparison changes; `exact` distinguishes the
   * times themselves, so that equal states have the same future for all waits.
   */
  readonly times: 'order' | 'exact';
}

/**
 * Creates the reader of the states of one user by the regions that the forecast's tables distinguish (OC49): of the
 * times that are left until a comparison with an instant changes, only the order counts.
 *
 * @throws NotCompiled with the first cause for which there are no finitely many states
 */
export function classReader(
  ruleset: OwnRuleset,
  given: Assignment,
  signIns: readonly WalkSignIn[],
  { times: kind }: TimeReading = { times: 'order' },
): StateReader {
  const { times, classes, dates } = readTimes(ruleset, given, signIns);
  const lifetimes = allRules(ruleset).map(({ lifetimeMs }) => lifetimeMs);
  const listBoundaries = (role: string) =>
    // Users of a forecast sign in at intervals, which tours do not.
    times.of(role).filter(({ plusMs }) => role !== 'shownAtMs' || lifetimes.includes(plusMs));

  const read = (session: OwnSession) => {
    const { nowMs } = session;
    const { state, sessions, cleared, prompt } = session.memory;
    const { lastAttempt, prompts } = getOwnUser(state, journeyUser);
    const keys =
      lastAttempt === null
        ? null
        : collectInput(state, getOwnUser(state, journeyUser), { ...lastAttempt, nowMs }).keys.map(({ key }) => key);
    const period = dates.filter((atMs) => atMs <= nowMs).length;
    const memory = {
      state: copyOwnState(state),
      sessions: new Map(sessions),
      promptKinds: new Map(prompts.map(({ id, attempt }) => [id, kindNumber(attempt)])),
      turnedDown: null,
    };
    const { key, slots } = classes.describe(memory, { segment: 0, start: 0, period });
    const left = slots.map(({ role, value }) => {
      // The time at which a page was closed becomes that of an answer, which can snooze.
      const answered = [...times.of('snoozedAtMs'), ...times.of('answeredAtMs')];
      const boundaries = role === 'leftAtMs' ? answered : listBoundaries(role);
      return boundaries.map((one) => boundaryAt(one, value) - nowMs).filter((ms) => ms > 0);
    });
    const waits = slots.flatMap(({ role }, index) => (role === 'leftAtMs' ? [] : (left[index] ?? [])));
    const dateMs = dates[period] ?? null;
    return {
      key,
      keys,
      left,
      waits,
      dateMs,
      cleared: [...cleared.keys()],
      open: prompts.findIndex(({ id }) => id === prompt),
      state,
    };
  };
  const attempts: string[] = [];
  const later = kind === 'exact' ? listLaterFacts(ruleset) : null;
  const kindNumber = (attempt: OwnAttempt) => {
    const { facts, deviceId, os } = attempt;
    const rules = rulesAt(ruleset, attempt.nowMs);
    const read = later?.map((path) => readFact(path, { attempt } as OwnFacts, rules)) ?? facts;
    const text = JSON.stringify([read, deviceId, os]);
    const known = attempts.indexOf(text);
    return known >= 0 ? known : attempts.push(text) - 1;
  };
  const horizonMs = findHorizon(times, listSlots(ruleset));
  return {
    key: (session) => {
      const { key, keys, left, dateMs, cleared, open, state } = read(session);
      const near = dateMs !== null && dateMs - session.nowMs <= horizonMs ? [dateMs - session.nowMs] : [];
      const ahead = kind === 'exact' ? [...left, near] : rank([...left, near]);
      return JSON.stringify([key, keys, ahead, cleared, open, state.tenant]);
    },
    place: (session) => {
      const { waits, dateMs } = read(session);
      return { session, waitMs: waits.length === 0 ? null : Math.min(...waits), dateMs };
    },
  };
}

/** Times that the rules compare, for users and sign-ins with these values. Throws `NotCompiled`. */
function readTimes(ruleset: OwnRuleset, given: Assignment, signIns: readonly WalkSignIn[]) {
  refuseUnsampled(ruleset);
  const plan = planWalk(ruleset, given, signIns);
  const times = new OwnTimes(plan);
  const classes = new UserClasses(plan, times, Number.POSITIVE_INFINITY);
  return { times, classes, dates: classes.absolute(0, 0) };
}

/** Distances and instants at which a verdict can change by itself. */
export interface ComparedTimes {
  readonly boundaries: readonly Boundary[];
  /** Instants in milliseconds, in order. */
  readonly dates: readonly number[];
  /** Longest time from a stored instant to a comparison that it changes. */
  readonly horizonMs: number;
}

/**
 * Lists the times that the rules compare, without the lifetimes of prompts.
 *
 * @throws NotCompiled with the first cause for which there are no finitely many states
 */
export function listComparedTimes(
  ruleset: OwnRuleset,
  given: Assignment,
  signIns: readonly WalkSignIn[],
): ComparedTimes {
  const { times, dates } = readTimes(ruleset, given, signIns);
  const roles = listSlots(ruleset);
  const boundaries = roles.flatMap((role) => (role === 'shownAtMs' ? [] : times.of(role)));
  return { boundaries, dates, horizonMs: findHorizon(times, roles) };
}

/** Replaces times by their order. The next one is also told apart if it is a millisecond away. */
function rank(times: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const order = [...new Set(times.flat())].toSorted((a, b) => a - b);
  const first = order[0] === 1 ? 0 : 1;
  return times.map((list) => list.map((ms) => order.indexOf(ms) + first));
}

/** Longest time from a stored instant to a comparison that it changes, with room for the days of months. */
function findHorizon(times: OwnTimes, roles: readonly string[]): number {
  const slackMs = 4 * 86_400_000;
  const offsets = roles.flatMap((role) => times.of(role).map((one) => boundaryAt(one, usualNowMs) - usualNowMs));
  return Math.max(0, ...offsets) + slackMs;
}

function listSlots(ruleset: OwnRuleset): readonly string[] {
  const facts = Object.keys(ruleset.facts.user).map((name) => `user.facts.${name}`);
  return [
    'snoozedAtMs',
    'answeredAtMs',
    'firstShownAtMs',
    'lastShownAtMs',
    'doneAtMs',
    'shownAtMs',
    'previous',
    ...facts,
  ];
}

function planWalk(ruleset: OwnRuleset, given: Assignment, signIns: readonly WalkSignIn[]): OwnPlan {
  const paths = listOwnPaths(ruleset);
  const answers = paths.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  const { description, signIn, answers: shares } = describeBehavior(answers, forecastDaysMax);
  const kinds = signIns.map((one) => ({
    ...toKind(ruleset, one.values, one.device ?? 'device-1'),
    sameSession: one.session === 'same',
  }));
  const tenant = toTenant(ruleset, given);
  refuseDraws(ruleset, tenant);
  const users = [toStart(ruleset, given, 1)];
  const segment = { name: journeyUser, share: 1, users, kinds, signIn, answers: shares };
  return { description, ruleset, tenant, startMs: usualNowMs, segments: [segment], paths, hasDevices: true };
}

/** Rejects sign-ins that are drawn one by one: there is no finite number of them. */
function refuseDraws(ruleset: OwnRuleset, tenant: OwnPlan['tenant']): void {
  const drawn = drawSpecs(ruleset, tenant).some(({ by, positions }) => by === 'signIn' && positions.length > 0);
  if (drawn) throw new NotCompiled('RC3', ['rollout', 'by'], 'every sign-in is drawn on its own');
}

/** Rejects modules without samples of what they read (RC1). */
export function refuseUnsampled(ruleset: OwnRuleset): void {
  for (const rules of allRules(ruleset)) {
    const modules = rules.gates.filter(isModuleGate);
    const period = { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY };
    const space = new FactSpace({ rules, facts: ruleset.facts, period }, listConditions(rules), modules);
    for (const { id, reads, samples } of modules) {
      const path = reads.find((one) => !Object.hasOwn(samples, one) && !space.hasSamples(one));
      if (path !== undefined) throw new NotCompiled('RC1', ['gates', id], `the module has no samples for ${path}`);
    }
  }
}

/** Creates the reader of a search without tables: every state is distinguished by all that it has. */
export function exactReader(): StateReader {
  return {
    key: (session) => {
      const { state, sessions, cleared, prompt } = session.memory;
      const users = [...state.users].map(([id, user]) => [id, { ...user, ended: [...user.ended] }]);
      const { tenant, edition, ledger } = state;
      return JSON.stringify([session.nowMs, tenant, edition, users, [...ledger], [...sessions], [...cleared], prompt]);
    },
    place: (session) => ({ session, waitMs: null, dateMs: null }),
  };
}

/** Creates the error for more states than tours have room for. */
export function tooManyStates(): NotCompiled {
  return new NotCompiled('RC3', ['ledger', 'keys'], `the user has more than ${ownTourStatesMax} states`);
}
