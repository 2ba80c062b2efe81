/**
 * Public entry point for programs that read journals but create no sandbox, so only the event application is
 * loaded.
 */
export { rebuildStateWithObserver } from '../journal/apply-event.ts';
export type { JournalEntry } from '../journal/journal-event.ts';
export type { ObservedMoment, ReplayObserver } from '../journal/replay-observer.ts';
export type { NudgeSnapshot } from '../journal/state.ts';
export { listTransitions, takenFrom } from './executed-transitions.ts';
