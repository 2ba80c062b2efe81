import type { SnapshotFrom } from 'xstate';
import type { NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import type { Verdict } from '../../machines/vocabulary.ts';

type NudgeSnapshot = SnapshotFrom<typeof nudgeMachine>;

/** Watches a fold: every evaluation and every step of a lifecycle, as they happen. Coverage is measured from these. */
export interface ReplayObserver {
  evaluated(verdict: Verdict): void;
  moved(before: NudgeSnapshot, event: NudgeEvent, after: NudgeSnapshot): void;
}
