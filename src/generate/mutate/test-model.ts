import { dayMs } from '../../../machines/campaign-limits.ts';
import type { ScenarioGiven, WrittenStep } from '../../contract/scenario.schema.ts';
import type { ModelSession } from '../../scenario/drivers/model.driver.ts';

/** The user that all is about. */
export const worldUser = 'ada';

/** What is walked when journeys are looked for: where they may begin, and what can be done. */
export interface TestModel {
  readonly name: string;
  /** `seed` where it is left out. */
  readonly ruleset?: string;
  /** Beginnings, the plainest first; each costs nothing. */
  readonly given: readonly ScenarioGiven[];
  /** Names of the tabs in which the user may sign in. */
  readonly tabs: readonly string[];
  /** What can be said of a sign-in, each a way to sign in. */
  readonly signIns: readonly object[];
  /** Steps of administrators and of other devices. */
  readonly others: readonly WrittenStep[];
  /** Snooze durations in days that may come into force: snoozes are told apart by whole days up to the longest. */
  readonly days: readonly number[];
  /** How long waits are: none at all, a day, until the next thing that time brings, or that and a ms less. */
  readonly waits: 'none' | 'by-days' | 'to-events' | 'to-the-ms';
  /** What can be answered to a prompt; all there is where it is left out. */
  readonly answers?: readonly PromptAnswer[];
  /** Snoozes with more than which nothing is walked on. */
  readonly countMax: number;
  /** States that are walked at most. */
  readonly statesMax: number;
}

const promptAnswers = ['skip', 'next', 'register', 'failRegistration', 'skipError', 'closeBrowser', 'reload'] as const;
export type PromptAnswer = (typeof promptAnswers)[number];

type Situation = ReturnType<ModelSession['situation']>;

/** What can be done where things stand: sign in, answer any open tab, change something, or wait for the next thing to happen. */
export function stepsAt(world: TestModel, situations: readonly Situation[]): readonly WrittenStep[] {
  const [first] = situations;
  if (first === undefined || first.lifecycle.count > world.countMax) return [];
  const answers = world.tabs.filter((prompt) => prompt in first.tabs && isAnswerable(first, prompt));
  return [
    ...answers.flatMap((prompt) =>
      (world.answers ?? promptAnswers).map((verb): WrittenStep => ({ [verb]: { prompt } }) as WrittenStep),
    ),
    ...world.signIns.flatMap((said) =>
      tabsToSignIn(world, first).map(
        (as): WrittenStep => ({ signIn: { user: worldUser, as, ...said } }) as WrittenStep,
      ),
    ),
    ...world.others,
    ...waits(world, situations).map((ms): WrittenStep => ({ advance: spanOf(ms) })),
  ];
}

/** A tab that is over for good can only be used for another sign-in; a prompt that ended can still be answered late. */
function isAnswerable({ tabs }: Situation, tab: string): boolean {
  return tabs[tab]?.finished === false || tabs[tab]?.late === true;
}

/** The first tab in which no prompt is open: which of several such tabs it is makes no difference. */
function tabsToSignIn({ tabs }: TestModel, { tabs: used, lifecycle }: Situation): readonly string[] {
  const isFree = (tab: string) => {
    const prompt = lifecycle.openPrompts.find(({ id }) => id === used[tab]?.id);
    return prompt === undefined || prompt.leftAtMs !== null;
  };
  return tabs.filter(isFree).slice(0, 1);
}

/** How long to wait: a day, or until prompts end and snoozes have run their days. */
function waits({ days, waits: how }: TestModel, situations: readonly Situation[]): readonly number[] {
  if (how === 'none') return [];
  if (how === 'by-days') return [dayMs];
  const spans = situations.flatMap(({ nowMs, lifecycle, limits }) => [
    ...lifecycle.openPrompts.map(({ shownAtMs }) => shownAtMs + limits.promptLifetimeMs - nowMs),
    ...days.map((count) => (lifecycle.snoozedAtMs ?? nowMs) + count * limits.dayMs - nowMs),
  ]);
  return [...new Set(spans.flatMap((ms) => (how === 'to-the-ms' ? [ms, ms - 1] : [ms])))]
    .filter((ms) => ms > 0)
    .sort((a, b) => a - b);
}

const units = { days: dayMs, hours: 3_600_000, minutes: 60_000, ms: 1 } as const;

/** A span in the words of a step. */
function spanOf(spanMs: number): Readonly<Partial<Record<keyof typeof units, number>>> {
  let rest = spanMs;
  const parts = Object.entries(units).map(([unit, ms]) => {
    const count = Math.floor(rest / ms);
    rest -= count * ms;
    return [unit, count] as const;
  });
  return Object.fromEntries(parts.filter(([, count]) => count > 0));
}

/**
 * What tells situations apart for all that can follow, as text. Times are told by how long ago they were, to the ms, up to the
 * longest span that anything is held against; so two situations of one key go the same way by any steps.
 */
export function createStateKey(
  world: TestModel,
  { nowMs, campaign, rollout, limits, methods, passkeys, state, lifecycle, acceptedTerms, tabs }: Situation,
): string {
  const { count, snoozedAtMs, openPrompts, registered } = lifecycle;
  const snoozeMax = Math.max(...world.days) * limits.dayMs;
  return JSON.stringify([
    [
      campaign.state,
      campaign.snoozeDurationInDays,
      campaign.enforceRegistrationAfterAllowedSnoozes,
      campaign.includeTargets,
      Object.values(rollout),
    ],
    methods,
    passkeys.map(({ type, deviceId }) => [type, deviceId]),
    state,
    count,
    snoozedAtMs === null ? null : agoOf(nowMs - snoozedAtMs, snoozeMax),
    registered,
    openPrompts.map(({ id, method, required, phase, shownAtMs, leftAtMs }) => [
      Object.keys(tabs).find((tab) => tabs[tab]?.id === id) ?? '',
      method,
      required,
      phase,
      agoOf(nowMs - shownAtMs, limits.promptLifetimeMs),
      leftAtMs === null ? null : agoOf(nowMs - leftAtMs, limits.promptLifetimeMs),
    ]),
    acceptedTerms,
    Object.entries(tabs).map(([tab, { screen, canContinue, method, finished }]) => [
      tab,
      finished ? 'over' : [screen, canContinue, method],
    ]),
  ]);
}

/** A span as it is, but for one that is over: how long ago makes no difference. */
function agoOf(spanMs: number, longestMs: number): number {
  return Math.min(spanMs, longestMs);
}
