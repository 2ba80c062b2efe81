import type { NudgeState, SnoozeRecord, TenantFacts } from '../../../machines/vocabulary.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import type { AttemptVariant } from './verdict-table.ts';

/** What an event of a log states beside its kind; `null` if it does not state it. */
export interface StatedFacts {
  readonly count: number | null;
  readonly left: number | null;
  readonly days: number | null;
  readonly limited: boolean | null;
}

/** What an import states of a sign-in besides its outcome. */
export interface ImportedEvent {
  /** Facts of the attempt as one number. */
  readonly code: number;
  /** Number of the device; 0 for one without an id. */
  readonly device: number;
  /** Texts of the kept columns. */
  readonly texts: readonly (string | null)[];
}

/** Event of one user. */
export interface UserEvent {
  readonly type: 'user';
  readonly user: string;
  /** Line or step of the log. */
  readonly line: number;
  /** Interval that contains the time of the event, in milliseconds. */
  readonly lo: number;
  readonly hi: number;
  /** Kinds that the event may mean. */
  readonly kinds: readonly LogEventKind[];
  readonly prompt: string | null;
  /** Id of the answer that turned the prompt down; absent if the log does not state it. */
  readonly answer?: string;
  readonly facts: StatedFacts;
  readonly variant: AttemptVariant;
  /** Absent in logs with a mapping. */
  readonly imported?: ImportedEvent;
  /** Snooze record that a reset sets; `null` for an empty one. */
  readonly sets: SnoozeRecord | null;
}

/** State of a user that a log states, such as the first lines of a journey. */
export interface StatedUser {
  readonly count: number;
  readonly snoozedAtMs: number | null;
  readonly registered: boolean;
  readonly required: boolean;
  readonly prompts: readonly {
    readonly id: string;
    readonly required: boolean;
    readonly phase: 'offered' | 'setup' | 'error';
    readonly shownAtMs: number;
    readonly leftAtMs: number | null;
  }[];
}

/** Nudge status of a user that a log states. */
export interface StatedStatus extends SnoozeRecord {
  readonly state: NudgeState;
}

/** Entry of a log after the mapping. */
export type LogEntry =
  | UserEvent
  | {
      readonly type: 'policy';
      readonly lo: number;
      readonly hi: number;
      readonly change: (tenant: TenantFacts) => TenantFacts;
    }
  | { readonly type: 'state'; readonly user: string; readonly state: StatedUser }
  | { readonly type: 'removed'; readonly user: string; readonly lo: number }
  /** Time up to which prompts have expired before the clock is set back. */
  | { readonly type: 'clock'; readonly lo: number }
  /** Change of a user that may close the open prompts, such as an edit of the directory. */
  | { readonly type: 'changed'; readonly user: string; readonly status: StatedStatus };

/** Facts of an event that states none. */
export const noFacts: StatedFacts = { count: null, left: null, days: null, limited: null };
