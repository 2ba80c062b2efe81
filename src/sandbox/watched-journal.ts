/** The public face for whoever reads journals and makes no sandbox: it loads the fold and nothing else. */
export { foldWatched } from '../journal/fold.ts';
export type { JournalEntry } from '../journal/input.ts';
export type { NudgeSnapshot } from '../journal/state.ts';
export type { Watcher } from '../journal/watch.ts';
