/** The public face for anyone who reads journals and makes no sandbox: it loads the fold and nothing else. */
export { rebuildStateWithObserver } from '../journal/apply-event.ts';
export type { JournalEntry } from '../journal/journal-event.ts';
export type { ReplayObserver } from '../journal/replay-observer.ts';
export type { NudgeSnapshot } from '../journal/state.ts';
