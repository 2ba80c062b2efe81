import type { SnapshotFrom } from 'xstate';
import type { NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import type { Verdict } from '../../machines/vocabulary.ts';

type NudgeSnapshot = SnapshotFrom<typeof nudgeMachine>;

/** Receives every evaluation and lifecycle step during a replay; used to measure coverage. */
export interface ReplayObserver {
  evaluated(verdict: Verdict): void;
  moved(before: NudgeSnapshot, event: NudgeEvent, after: NudgeSnapshot): void;
}
