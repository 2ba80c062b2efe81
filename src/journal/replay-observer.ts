import type { SnapshotFrom } from 'xstate';
import type { NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import type { EffectiveCampaign, Verdict } from '../../machines/vocabulary.ts';

type NudgeSnapshot = SnapshotFrom<typeof nudgeMachine>;

/** Time of an observation and the policy then. */
export interface ObservedMoment {
  readonly atMs: number;
  readonly campaign: EffectiveCampaign;
  /** `true` if the ruleset in force has requirements of its own, so the snooze limit alone does not decide them. */
  readonly hasRequirements: boolean;
}

/** Receives every evaluation and lifecycle step during a replay; used to measure coverage and to watch properties. */
export interface ReplayObserver {
  evaluated(verdict: Verdict): void;
  moved(
    before: NudgeSnapshot,
    event: NudgeEvent,
    after: NudgeSnapshot,
    moment: ObservedMoment & { userId: string },
  ): void;
  /** Called after each journal entry. */
  entered?(moment: ObservedMoment): void;
}
