import { createActor, type SnapshotFrom } from 'xstate';
import { dayMs } from '../../machines/campaign-limits.ts';
import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import { evaluate } from '../../machines/evaluate.ts';
import { type NudgeEvent, nudgeMachine, promptEndsAtMs } from '../../machines/nudge.machine.ts';
import { nudgeStateAt } from '../../machines/snooze.ts';
import { createStepper, type Step } from '../../machines/step.ts';
import type { NudgeState, Reason, UserFacts, VerdictOutcome } from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import { type AnswerName, answerPaths } from './action-paths.ts';
import { startedMinutesAgo } from './action-tables.ts';
import { type CompiledForecast, firstDayMs } from './compile-forecast.ts';
import { drawnAttempts, drawnPath } from './drawn-attempts.ts';
import { admits, afterRegistering } from './user-classes.ts';
import { findStart } from './user-run.ts';

/** Attempt of a simulated user with all of its results. */
export interface FollowedAttempt {
  readonly day: number;
  readonly atMs: number;
  /** Number of the attempt type in the segment. */
  readonly kind: number;
  readonly outcome: VerdictOutcome;
  readonly reason: Reason | null;
  /** Action of the user at the prompt; `null` if there was no prompt. */
  readonly answer: AnswerName | null;
  /** Nudge state after the attempt is settled, at its time. An expired snooze period does not count as snoozed. */
  state: NudgeState;
  /** State of the nudge machine after the attempt, independent of the clock. */
  resting: NudgeState;
  snoozes: number;
}

/** Simulated user with the attempts of all days. */
export interface FollowedUser {
  readonly segment: number;
  readonly facts: UserFacts;
  readonly attempts: readonly FollowedAttempt[];
}

type NudgeSnapshot = SnapshotFrom<typeof nudgeMachine>;

/** Lifecycle of one user with the related facts. */
interface Followed {
  nudge: NudgeSnapshot;
  facts: UserFacts;
  prompts: number;
}

const stepDefault = createStepper(nudgeMachine, { count: 0, snoozedAtMs: null });

/**
 * Simulates one user of a forecast with the state machines themselves. `evaluate` evaluates every attempt on
 * complete facts, the nudge machine processes every event, and times are in milliseconds. Only the random draws are
 * shared with the kernel, which must produce the same result.
 * The inputs are the compiled forecast, the random seed and the user number. `step` can replace the function that
 * runs the machine.
 */
export function followUser(
  compiled: CompiledForecast,
  seed: number,
  userNumber: number,
  step: Step<typeof nudgeMachine> = stepDefault,
): FollowedUser {
  const { description, ruleset, segments, tables } = compiled;
  const user = userNumber | 0;
  const { segment, user: place } = compiled.starting[findStart(tables, seed, user, new Int32Array(2))] as {
    segment: number;
    user: number;
  };
  const plan = segments[segment] as (typeof segments)[number];
  const start = plan.users[place] as (typeof plan.users)[number];
  const beginsAtMs = firstDayMs(description);
  const campaign = effectiveCampaign(description.tenant, ruleset);
  const snoozedAtMs =
    start.snoozedDaysAgo === null ? null : beginsAtMs - startedMinutesAgo(start.snoozedDaysAgo) * 60_000;
  const nudgeStatus = { count: start.snoozes, snoozedAtMs };
  const followed: Followed = {
    nudge: createActor(nudgeMachine, { input: { count: 0, snoozedAtMs: null } }).getSnapshot(),
    facts: { ...start.facts, snooze: nudgeStatus },
    prompts: 0,
  };
  const move = (event: NudgeEvent): void => {
    followed.nudge = step(followed.nudge, event);
    const { count, snoozedAtMs: since } = followed.nudge.context;
    followed.facts = { ...followed.facts, snooze: { count, snoozedAtMs: since } };
  };
  // A lifecycle with a stored nudge status reaches the state `snoozed` through the event that stores a snooze.
  move({ type: 'snooze.set', ...nudgeStatus });
  const attempts: FollowedAttempt[] = [];
  for (const { day, minute, kind, answerWord } of drawnAttempts(tables, { seed, user, segment })) {
    const atMs = beginsAtMs + day * dayMs + minute * 60_000;
    settle(followed, move, campaign, atMs);
    note(attempts.at(-1), followed, campaign);
    const kindPlan = plan.kinds[kind] as (typeof plan.kinds)[number];
    const attempt = completeAttempt(kindPlan.patch, followed.facts, atMs);
    const facts = { tenant: description.tenant, user: followed.facts, attempt };
    const { outcome, reason } = evaluate(facts, ruleset);
    let answer: AnswerName | null = null;
    if (outcome !== 'none' && campaign.method !== null) {
      const promptId = `${day} ${minute}`;
      const required = outcome === 'required';
      const admitted = campaign.method !== 'fido2' || admits(description.tenant, followed.facts, kindPlan.passkey);
      const path = drawnPath(tables, { segment, round: followed.prompts, required, admitted }, answerWord);
      const { name, events, registers } = answerPaths[path] as (typeof answerPaths)[number];
      move({ type: 'prompt.shown', promptId, method: campaign.method, required, nowMs: atMs });
      for (const type of events) move({ type, promptId, nowMs: atMs, ...campaign } as NudgeEvent);
      if (registers) followed.facts = afterRegistering(followed.facts, campaign.method, kindPlan);
      followed.prompts += 1;
      answer = name;
    }
    attempts.push({
      day,
      atMs,
      kind,
      outcome,
      reason,
      answer,
      state: 'notPrompted',
      resting: 'notPrompted',
      snoozes: 0,
    });
  }
  settle(followed, move, campaign, Number.POSITIVE_INFINITY);
  note(attempts.at(-1), followed, campaign);
  return { segment, facts: followed.facts, attempts };
}

/**
 * Settles open prompts as a sandbox does before the user's next sign-in: expired prompts first, then closed pages
 * (A40, A41).
 */
function settle(
  { nudge }: Followed,
  move: (event: NudgeEvent) => void,
  { limited, snoozeDays }: { readonly limited: boolean; readonly snoozeDays: number },
  atMs: number,
): void {
  for (const prompt of nudge.context.openPrompts) {
    const endsAtMs = promptEndsAtMs(prompt);
    if (endsAtMs <= atMs) move({ type: 'time.passed', nowMs: endsAtMs, limited, snoozeDays });
  }
  move({ type: 'pendingClose.settled', nowMs: atMs, limited, snoozeDays });
}

function note(
  attempt: FollowedAttempt | undefined,
  { nudge }: Followed,
  { snoozeDays }: { readonly snoozeDays: number },
): void {
  if (attempt === undefined) return;
  attempt.resting = nudge.value as NudgeState;
  attempt.state = nudgeStateAt(attempt.resting, nudge.context, { nowMs: attempt.atMs, snoozeDays });
  attempt.snoozes = nudge.context.count;
}
