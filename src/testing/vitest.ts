import './supported-node.ts';
import type { Reason } from '../../machines/vocabulary.ts';
import type { PageName } from '../contract/step-names.ts';
import { Redactor } from '../report/redact.ts';
import type { SandboxSetup } from './given.ts';
import {
  createSandbox as createPlainSandbox,
  type ExplainedSignIn,
  type InProcessSandbox,
  SignInTab,
} from './in-process-sandbox.ts';
import { peerMissing } from './peer.ts';
import { type NudgeStatus, TestUser } from './test-sandbox.ts';

export type { SandboxSetup } from './given.ts';
export type { Answered, InProcessSandbox, SignInTab } from './in-process-sandbox.ts';
export type { Attempt, Explained, NudgeStatus, TestUser } from './test-sandbox.ts';

const vitest = await import('vitest').catch((cause: unknown) => {
  throw peerMissing('vitest', 'nudgelab/vitest', cause);
});

/** Assertions about a sign-in. */
export interface TabChecks {
  /** Asserts that the sign-in is at a prompt that can be skipped. */
  toBePrompted(): Promise<void>;
  /** Asserts that the sign-in is at a required prompt. */
  toBeRequired(): Promise<void>;
  /** Asserts that the sign-in ended after a prompt. */
  toBeSignedIn(): Promise<void>;
  /** Asserts that the sign-in ended without a prompt, optionally for a specific reason code. */
  toBeLetThrough(reason?: Reason): Promise<void>;
  /** Asserts that the sign-in is at a page or has passed it. */
  toBeAt(page: PageName): Promise<void>;
  /** Asserts the number of snoozes left to the user, or `null` if snoozes are unlimited. */
  toHaveSnoozesLeft(count: number | null): Promise<void>;
}

/** Assertions about a user. */
export interface PersonaChecks {
  toHaveSnoozesLeft(count: number | null): Promise<void>;
  /** Asserts that the nudge status contains the expected values. */
  toHaveNudgeStatus(expected: Partial<NudgeStatus>): Promise<void>;
}

type Negatable<Checks> = Checks & { readonly not: Checks };
type VitestExpect = typeof vitest.expect;

/** `expect` of Vitest with additional assertions about sign-ins and users. */
export interface NudgeLabExpect extends VitestExpect {
  (actual: SignInTab, message?: string): Negatable<TabChecks>;
  (actual: TestUser, message?: string): Negatable<PersonaChecks>;
  <T>(actual: T, message?: string): ReturnType<typeof vitest.expect<T>>;
}

interface Judged {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

interface MatcherState {
  /** `true` after `not`; Vitest omits it otherwise. */
  readonly isNot?: boolean;
}

/** Result of a comparison, before it is known whether the assertion fails. */
interface Compared {
  readonly pass: boolean;
  /** Name of the compared value. */
  readonly what: string;
  readonly actual: unknown;
  readonly expected: unknown;
}

/** Creates the result of a matcher. If the assertion fails, its message contains what led to the failure. */
async function judge(
  { isNot = false }: MatcherState,
  received: unknown,
  { pass, what, actual, expected }: Compared,
): Promise<Judged> {
  // A server that has stopped leaves the message of the assertion as it is.
  const context = pass === isNot ? await describeContext(received).catch(() => '') : '';
  const wanted = `expected ${what} ${isNot ? 'not ' : ''}to be ${JSON.stringify(expected)}`;
  const found = isNot ? '' : `, but it is ${JSON.stringify(actual)}`;
  return { pass, message: () => `${wanted}${found}${context}`, actual, expected };
}

async function describeContext(received: unknown): Promise<string> {
  const verdict = received instanceof SignInTab ? await received.verdict() : null;
  return `\n\n${await toTestUser(received).describeFailure(verdict)}`;
}

function toTab(received: unknown): SignInTab {
  if (received instanceof SignInTab) return received;
  throw new TypeError('This matcher requires a result of signIn().');
}

function toTestUser(received: unknown): TestUser {
  if (received instanceof TestUser) return received;
  if (received instanceof SignInTab) return received.persona;
  throw new TypeError('This matcher requires a result of signIn() or persona().');
}

function atPage(page: PageName) {
  return async function (this: MatcherState, received: unknown): Promise<Judged> {
    const tab = toTab(received);
    return judge(this, tab, { pass: tab.page === page, what: 'the page', actual: tab.page, expected: page });
  };
}

vitest.expect.extend({
  toBePrompted: atPage('prompt'),
  toBeRequired: atPage('required'),
  toBeSignedIn: atPage('signed-in'),
  async toBeAt(received: unknown, page: PageName) {
    const tab = toTab(received);
    const pass = tab.page === page || tab.visitedPages.includes(page);
    return judge(this, tab, { pass, what: 'the page', actual: tab.page, expected: page });
  },
  async toBeLetThrough(received: unknown, reason?: Reason) {
    const tab = toTab(received);
    if (tab.page !== 'not-nudged') {
      return judge(this, tab, { pass: false, what: 'the page', actual: tab.page, expected: 'not-nudged' });
    }
    const actual = (await tab.verdict())?.reason ?? null;
    const pass = reason === undefined || actual === reason;
    return judge(this, tab, { pass, what: 'the reason', actual, expected: reason ?? actual });
  },
  async toHaveSnoozesLeft(received: unknown, count: number | null) {
    const { snoozesLeft: actual } = await toTestUser(received).nudgeStatus();
    return judge(this, received, {
      pass: actual === count,
      what: 'the number of snoozes left',
      actual,
      expected: count,
    });
  },
  async toHaveNudgeStatus(received: unknown, expected: Partial<NudgeStatus>) {
    const nudgeStatus = await toTestUser(received).nudgeStatus();
    const keys = Object.keys(expected) as (keyof NudgeStatus)[];
    const actual = Object.fromEntries(keys.map((key) => [key, nudgeStatus[key]]));
    const pass = keys.every((key) => nudgeStatus[key] === expected[key]);
    return judge(this, received, { pass, what: 'the nudge status', actual, expected });
  },
});

/** `expect` of Vitest with additional assertions about sign-ins and users. */
export const expect = vitest.expect as NudgeLabExpect;
/** `describe` function of Vitest. */
export const { describe } = vitest;

/** Fixtures for tests. */
export interface NudgeLabFixtures {
  /** Initial state of the sandbox. `test.extend({ given: … })` changes it for the tests of a file or block. */
  readonly given: SandboxSetup;
  /** Sandbox of the test, in this process. */
  readonly nudgelab: InProcessSandbox;
  readonly signIn: InProcessSandbox['signIn'];
  readonly persona: InProcessSandbox['persona'];
  readonly clock: InProcessSandbox['clock'];
}

type Use<T> = (value: T) => Promise<void>;
type Asks<K extends keyof NudgeLabFixtures> = Pick<NudgeLabFixtures, K>;

/** Test function of Vitest in which each test has its own sandbox. */
export const test = vitest.test.extend<NudgeLabFixtures>({
  given: {},
  nudgelab: async ({ given }: Asks<'given'>, use: Use<InProcessSandbox>) => use(await createSandbox(given)),
  signIn: async ({ nudgelab }: Asks<'nudgelab'>, use: Use<InProcessSandbox['signIn']>) => use(nudgelab.signIn),
  persona: async ({ nudgelab }: Asks<'nudgelab'>, use: Use<InProcessSandbox['persona']>) => use(nudgelab.persona),
  clock: async ({ nudgelab }: Asks<'nudgelab'>, use: Use<InProcessSandbox['clock']>) => use(nudgelab.clock),
});

/** Evidence of a failure: the events of the sandbox in order, and each sign-in with its verdict. */
interface FailureEvidence {
  readonly journal: readonly unknown[];
  readonly explained: readonly ExplainedSignIn[];
}

/**
 * Creates a sandbox in this process and must be called in a test. If the test fails, its metadata contains the
 * journal and verdicts under `nudgelab`, a list with one entry per sandbox that reporters such as the JSON reporter
 * write. An annotation is not possible, because Vitest accepts none for a failed test.
 *
 * @param given - initial state of the sandbox
 * @throws `scenario-invalid` if the initial state is invalid
 */
export async function createSandbox(given: SandboxSetup = {}): Promise<InProcessSandbox> {
  const sandbox = await createPlainSandbox(given);
  vitest.onTestFailed(async ({ task }) => {
    const meta = task.meta as { nudgelab?: readonly FailureEvidence[] };
    const evidence = { journal: await sandbox.journal(), explained: await sandbox.explained() };
    meta.nudgelab = [...(meta.nudgelab ?? []), new Redactor().value(evidence) as FailureEvidence];
  });
  return sandbox;
}
