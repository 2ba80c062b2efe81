import type { Verdict, VerdictOutcome } from '../../machines/vocabulary.ts';
import type { NudgeStatus } from '../contract/control-responses.schema.ts';
import type { CountedTransition } from '../contract/coverage-evidence.ts';
import type { Fault } from '../contract/fault.schema.ts';
import type { Step } from '../contract/scenario.schema.ts';
import type { FactorScreen, PageName, StepKind } from '../contract/step-names.ts';
import type { JournalEntry, ReplayObserver } from '../sandbox/sandbox.ts';
import type { OwnRun } from './own/own-run.ts';
import type { OwnScenarioPlan } from './own/own-scenario.ts';
import type { Scenario } from './scenario.ts';

export type { JournalEntry, ReplayObserver } from '../sandbox/sandbox.ts';

/** Observations of a driver in one step. Values that the driver cannot observe are omitted. */
export interface Observation {
  /** Final page of the step. */
  readonly page?: PageName;
  /** Earlier screens of the sign-in that a scenario can expect as its page. */
  readonly visitedPages?: readonly PageName[];
  /** Screens for name, password and second factor that were shown, in order. Only reports use them. */
  readonly signInScreens?: readonly FactorScreen[];
  /** Outcome of the verdict, derived from the visible prompt and its skip button. */
  readonly outcome?: VerdictOutcome;
  /** Ids of the answers of an own campaign that the prompt offers, in the order of its buttons. */
  readonly answers?: readonly string[];
  /** Sign-in of the step, for `verdict`. */
  readonly signInId?: string;
  /** Verdict of a hypothetical sign-in. */
  readonly explained?: Verdict;
  /** HTTP status of the step's response. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Last passkey ceremony that the page started in this step, or `null` if there was none. */
  readonly ceremony?: ObservedCeremony | null;
  /** Signals of the step's final page to authenticators. */
  readonly signals?: ObservedSignals;
}

/** Passkey ceremony as observed by a driver. */
export interface ObservedCeremony {
  readonly type: 'create' | 'get';
  readonly mediation: 'optional' | 'conditional';
  readonly origin: string;
  readonly rpId: string | null;
  readonly hints: readonly string[];
  /** Result of the ceremony: `completed`, or the name of the exception in the page. */
  readonly outcome: string;
  readonly userPresent: boolean | null;
  readonly userVerified: boolean | null;
  /** Client extension outputs. */
  readonly extensions: object;
}

/** Signals of a page to authenticators (WebAuthn level 3, 5.1.10). */
export interface ObservedSignals {
  readonly unknownCredential: boolean;
  /** Number of accepted passkeys, or `null` if the page does not signal it. */
  readonly allAcceptedCredentials: number | null;
  readonly currentUserDetails: { readonly name: string; readonly displayName: string } | null;
}

/** Nudge status of a user as a driver observes it. */
export type ObservedNudgeStatus = Pick<NudgeStatus, 'state' | 'snoozes' | 'snoozesLeft' | 'nextPromptAt'>;

/** Observations to request after a step. The request after the last step ends the session. */
export interface ObservationRequest {
  /** Sign-in whose verdict is requested, or `null` if none is. */
  readonly signInId: string | null;
  /** User whose nudge status is requested, or `null` if none is. */
  readonly userId: string | null;
  /** True if the executed lifecycle transitions are requested, which measure coverage. */
  readonly transitions: boolean;
  readonly last: boolean;
}

/** Requested observations. A value is `null` if it was not requested or is not available. */
export interface Observations {
  readonly verdict: Verdict | null;
  readonly nudgeStatus: ObservedNudgeStatus | null;
  /** If it is `null` although requested, the journal is read. */
  readonly transitions: readonly CountedTransition[] | null;
}

/** Session of a driver for one scenario. */
export interface DriverSession {
  /** Performs a step and returns the observations. Throws if the step could not be performed. */
  perform(step: Step): Promise<Observation>;
  /** Returns the verdict of a sign-in, or `null` if the system cannot provide it. */
  verdict(signInId: string): Promise<Verdict | null>;
  /** Returns the nudge status of a user, or `null` if the system cannot provide it. */
  nudgeStatus(userId: string): Promise<ObservedNudgeStatus | null>;
  /**
   * Adds an observer to the run if the system is in this process. For other systems, the journal is read afterward.
   */
  watch?(watcher: ReplayObserver): void;
  /** Returns the events so far for measuring coverage, or `null` if the system has no journal. */
  journal(): Promise<readonly JournalEntry[] | null>;
  /**
   * Returns verdict, nudge status and transitions together, which saves requests if the system is in another process.
   */
  observe?(request: ObservationRequest): Promise<Observations>;
  /** Stores evidence after a step has failed or timed out. Returns the files for the report. */
  keepEvidence?(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Runs scenarios on a target: the model, a server over HTTP, or a user's own system. A scenario is skipped with a
 * reason if it contains a step that is not in `can`, a fault that cannot happen here, or an application without
 * support for applications.
 */
export interface Driver {
  readonly name: string;
  readonly can: ReadonlySet<StepKind>;
  /** Returns true if a fault can happen here. Without this method every fault can. */
  canFail?(fault: Fault): boolean;
  /** True if sign-ins can start and end at an application. By default, scenarios with such sign-ins are skipped. */
  readonly hasApplications?: boolean;
  /**
   * True if pages run passkey ceremonies and send signals here. If not, scenarios that check ceremonies or signals
   * are skipped.
   */
  readonly hasCeremonies?: boolean;
  /**
   * True if pages of related origins can use passkeys here. If not, scenarios with sign-ins on related origins are
   * skipped.
   */
  readonly hasRelatedOrigins?: boolean;
  /** Factor by which scenario timeouts are extended here. The default is 1. */
  readonly timeoutFactor?: number;
  /** Prepares the tenant, users and clock of a scenario. */
  open(scenario: Scenario): Promise<DriverSession>;
  /**
   * Prepares a scenario of a ruleset file with the base `own`. Without this method, such scenarios are skipped.
   *
   * @param scenario - scenario, whose `plan` is the sandbox of `plan`
   * @param plan - tenant, users, clock and steps of the scenario
   */
  openOwn?(scenario: Scenario, plan: OwnScenarioPlan): Promise<OwnRun>;
  close(): Promise<void>;
}
