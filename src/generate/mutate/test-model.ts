import { dayMs } from '../../../machines/campaign-limits.ts';
import type { ScenarioGiven, WrittenStep } from '../../contract/scenario.schema.ts';
import type { ModelSession } from '../../scenario/drivers/model.driver.ts';

/** User of all test models. */
export const modelUser = 'ada';

/** Test model for finding journeys: its initial states and its possible steps. */
export interface TestModel {
  readonly name: string;
  /** Ruleset id. Default: `seed`. */
  readonly ruleset?: string;
  /** Initial states, simplest first, each at no cost. */
  readonly given: readonly ScenarioGiven[];
  /** Names of the tabs in which the user can sign in. */
  readonly tabs: readonly string[];
  /** Sign-in variants: the possible options of a sign-in step. */
  readonly signIns: readonly object[];
  /** Steps of administrators and of other devices. */
  readonly others: readonly WrittenStep[];
  /** Snooze durations, in days, that can take effect; snooze ages differ by whole days up to the longest duration. */
  readonly days: readonly number[];
  /** Type of waits: none, one day, until the next timed event, or that and one millisecond less. */
  readonly waits: 'none' | 'by-days' | 'to-events' | 'to-the-ms';
  /** Possible actions at a prompt. Default: all. */
  readonly answers?: readonly PromptAnswer[];
  /** Snooze count above which the search does not continue. */
  readonly countMax: number;
  /** Maximum number of states. */
  readonly statesMax: number;
}

const promptAnswers = ['skip', 'next', 'register', 'failRegistration', 'skipError', 'closeBrowser', 'reload'] as const;
export type PromptAnswer = (typeof promptAnswers)[number];

type Situation = ReturnType<ModelSession['situation']>;

/** Lists the possible steps: sign in, take an action in an open tab, change a setting, or wait for the next event. */
export function stepsAt(testModel: TestModel, situations: readonly Situation[]): readonly WrittenStep[] {
  const [first] = situations;
  if (first === undefined || first.lifecycle.count > testModel.countMax) return [];
  const answers = testModel.tabs.filter((prompt) => prompt in first.tabs && isAnswerable(first, prompt));
  return [
    ...answers.flatMap((prompt) =>
      (testModel.answers ?? promptAnswers).map((verb): WrittenStep => ({ [verb]: { prompt } }) as WrittenStep),
    ),
    ...testModel.signIns.flatMap((said) =>
      tabsToSignIn(testModel, first).map(
        (as): WrittenStep => ({ signIn: { user: modelUser, as, ...said } }) as WrittenStep,
      ),
    ),
    ...testModel.others,
    ...waits(testModel, situations).map((ms): WrittenStep => ({ advance: toSpan(ms) })),
  ];
}

/**
 * Checks whether a tab accepts actions. A finished tab only accepts another sign-in, but an ended prompt accepts late
 * actions.
 */
function isAnswerable({ tabs }: Situation, tab: string): boolean {
  return tabs[tab]?.finished === false || tabs[tab]?.late === true;
}

/** Returns the first tab without an open prompt, because such tabs are interchangeable. */
function tabsToSignIn({ tabs }: TestModel, { tabs: used, lifecycle }: Situation): readonly string[] {
  const isFree = (tab: string) => {
    const prompt = lifecycle.openPrompts.find(({ id }) => id === used[tab]?.id);
    return prompt === undefined || prompt.leftAtMs !== null;
  };
  return tabs.filter(isFree).slice(0, 1);
}

/** Lists the wait times: one day, or until prompts expire and snoozes are over. */
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

/** Formats a time span as the duration of a wait step. */
function toSpan(spanMs: number): Readonly<Partial<Record<keyof typeof units, number>>> {
  let rest = spanMs;
  const parts = Object.entries(units).map(([unit, ms]) => {
    const count = Math.floor(rest / ms);
    rest -= count * ms;
    return [unit, count] as const;
  });
  return Object.fromEntries(parts.filter(([, count]) => count > 0));
}

/**
 * Creates a text key that is equal for states with the same future behavior. Times are included as elapsed
 * milliseconds, up to the longest span that is compared with them.
 */
export function createStateKey(
  testModel: Pick<TestModel, 'days'>,
  { nowMs, campaign, rollout, limits, methods, passkeys, state, lifecycle, acceptedTerms, tabs }: Situation,
): string {
  const { count, snoozedAtMs, openPrompts, registered } = lifecycle;
  const snoozeMax = Math.max(...testModel.days) * limits.dayMs;
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
    snoozedAtMs === null ? null : computeAgo(nowMs - snoozedAtMs, snoozeMax),
    registered,
    openPrompts.map(({ id, method, required, phase, shownAtMs, leftAtMs }) => [
      Object.keys(tabs).find((tab) => tabs[tab]?.id === id) ?? '',
      method,
      required,
      phase,
      computeAgo(nowMs - shownAtMs, limits.promptLifetimeMs),
      leftAtMs === null ? null : computeAgo(nowMs - leftAtMs, limits.promptLifetimeMs),
    ]),
    acceptedTerms,
    Object.entries(tabs).map(([tab, { screen, canContinue, method, finished }]) => [
      tab,
      finished ? 'over' : [screen, canContinue, method],
    ]),
  ]);
}

/** Returns a time span, limited to the longest relevant one: beyond that, the exact age makes no difference. */
function computeAgo(spanMs: number, longestMs: number): number {
  return Math.min(spanMs, longestMs);
}
