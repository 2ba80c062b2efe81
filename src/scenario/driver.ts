import type { Verdict, VerdictOutcome } from '../../machines/vocabulary.ts';
import type { NudgeStatus } from '../contract/control-responses.schema.ts';
import type { Fault } from '../contract/fault.schema.ts';
import type { Step } from '../contract/scenario.schema.ts';
import type { FactorScreen, PageName, StepKind } from '../contract/step-names.ts';
import type { JournalEntry, ReplayObserver } from '../sandbox/sandbox.ts';
import type { Scenario } from './scenario.ts';

export type { JournalEntry, ReplayObserver } from '../sandbox/sandbox.ts';

/** What a driver saw when it did a step; what it cannot see it leaves out. */
export interface Observation {
  /** Where the step ended. */
  readonly page?: PageName;
  /** Screens that the sign-in went through before that and that a scenario may expect as its page. */
  readonly visitedPages?: readonly PageName[];
  /** Screens of name, password and second factor that a sign-in went through, in order; only a report shows them. */
  readonly signInScreens?: readonly FactorScreen[];
  /** Whether a prompt was shown and could be skipped, read from what the user sees. */
  readonly outcome?: VerdictOutcome;
  /** The sign-in that the step was about, for `verdict`. */
  readonly signInId?: string;
  /** The verdict of a hypothetical sign-in. */
  readonly explained?: Verdict;
  /** HTTP status of the step's answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What the page asked the browser for about a passkey, last of all in this step; `null` where it asked for nothing. */
  readonly ceremony?: ObservedCeremony | null;
  /** What the page where the step ended tells authenticators. */
  readonly signals?: ObservedSignals;
}

/** A passkey ceremony as a driver saw it. */
export interface ObservedCeremony {
  readonly type: 'create' | 'get';
  readonly mediation: 'optional' | 'conditional';
  readonly origin: string;
  readonly rpId: string | null;
  readonly hints: readonly string[];
  /** `completed`, or the name of the exception that the page saw. */
  readonly outcome: string;
  readonly userPresent: boolean | null;
  readonly userVerified: boolean | null;
  /** Client extension outputs. */
  readonly extensions: object;
}

/** What a page tells authenticators (WebAuthn level 3, 5.1.10). */
export interface ObservedSignals {
  readonly unknownCredential: boolean;
  /** How many passkeys are accepted; `null` where the page does not say. */
  readonly allAcceptedCredentials: number | null;
  readonly currentUserDetails: { readonly name: string; readonly displayName: string } | null;
}

/** Nudge status of a user as a driver observes it. */
export type ObservedNudgeStatus = Pick<NudgeStatus, 'state' | 'snoozes' | 'snoozesLeft' | 'nextPromptAt'>;

/** What is asked after a step; the question after the last step ends the session. */
export interface Question {
  /** The sign-in whose verdict is asked for; `null` asks for none. */
  readonly signInId: string | null;
  /** The user whose nudge status is asked for; `null` asks for none. */
  readonly userId: string | null;
  /** Whether the journal is asked for. */
  readonly journal: boolean;
  readonly last: boolean;
}

/** The answer; what was not asked for, or cannot be told, is `null`. */
export interface ObservationRequest {
  readonly verdict: Verdict | null;
  readonly nudgeStatus: ObservedNudgeStatus | null;
  readonly journal: readonly JournalEntry[] | null;
}

/** One scenario being driven. */
export interface DriverSession {
  /** Does a step and tells what was seen. Throws when the step could not be done. */
  perform(step: Step): Promise<Observation>;
  /** The verdict of a sign-in; `null` when the system cannot tell. */
  verdict(signInId: string): Promise<Verdict | null>;
  /** The nudge status of a user; `null` when the system cannot tell. */
  nudgeStatus(userId: string): Promise<ObservedNudgeStatus | null>;
  /** Lets the run be watched as it happens, where the system is in this process; else its journal is read afterwards. */
  watch?(watcher: ReplayObserver): void;
  /** The events so far, from which coverage is measured; `null` when the system has no journal. */
  journal(): Promise<readonly JournalEntry[] | null>;
  /** Verdict, nudge status and journal at once, where a question for each would cost a way to another process. */
  observe?(question: Question): Promise<ObservationRequest>;
  /** Keeps what explains a failure, once a step has failed or took too long. Returns the files, for the report. */
  keepEvidence?(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * What runs scenarios: the model, a server over HTTP, or a user's own system. A step that is not in `can`, a fault that
 * cannot happen here, and an application where there are none make the scenario skipped with that reason.
 */
export interface Driver {
  readonly name: string;
  readonly can: ReadonlySet<StepKind>;
  /** Whether a fault can happen here; every one can where this is left out. */
  canFail?(fault: Fault): boolean;
  /** Whether sign-ins can begin and end at an application; where it is left out, a scenario with such a one is skipped. */
  readonly hasApplications?: boolean;
  /** Whether pages hold passkey ceremonies here, with what they ask for and signal; else a scenario that looks at it is skipped. */
  readonly hasCeremonies?: boolean;
  /** Whether pages of related origins can use passkeys here; else a scenario with such a sign-in is skipped. */
  readonly hasRelatedOrigins?: boolean;
  /** How many times longer than elsewhere a scenario may take here; 1 where it is left out. */
  readonly timeoutFactor?: number;
  /** Prepares tenant, users and clock of a scenario. */
  open(scenario: Scenario): Promise<DriverSession>;
  close(): Promise<void>;
}
