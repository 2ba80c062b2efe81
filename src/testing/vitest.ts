import type { ReasonCode } from '../../machines/vocabulary.ts';
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

/** What may be expected of a sign-in. */
export interface TabChecks {
  /** It rests at a prompt that can be skipped. */
  toBePrompted(): Promise<void>;
  /** It rests at a prompt without a way out. */
  toBeRequired(): Promise<void>;
  /** It has ended after a prompt. */
  toBeSignedIn(): Promise<void>;
  /** It has ended without a prompt, for a reason where one is given. */
  toBeLetThrough(reason?: ReasonCode): Promise<void>;
  /** It rests at a page, or went through it. */
  toBeAt(page: PageName): Promise<void>;
  /** So many snoozes are left to its user; `null` without a limit. */
  toHaveSnoozesLeft(count: number | null): Promise<void>;
}

/** What may be expected of a user. */
export interface PersonaChecks {
  toHaveSnoozesLeft(count: number | null): Promise<void>;
  /** Each of these parts of the nudge status is as it says. */
  toHaveNudgeStatus(expected: Partial<NudgeStatus>): Promise<void>;
}

type Negatable<Checks> = Checks & { readonly not: Checks };
type VitestExpect = typeof vitest.expect;

/** `expect` of Vitest, which knows sign-ins and users besides. */
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

function evaluated(pass: boolean, what: string, actual: unknown, expected: unknown): Judged {
  const message = () => `expected ${what} to be ${JSON.stringify(expected)}, and it is ${JSON.stringify(actual)}`;
  return { pass, message, actual, expected };
}

function tabOf(received: unknown): SignInTab {
  if (received instanceof SignInTab) return received;
  throw new TypeError('This can be expected of what signIn() returns.');
}

function personaOf(received: unknown): TestUser {
  if (received instanceof TestUser) return received;
  if (received instanceof SignInTab) return received.persona;
  throw new TypeError('This can be expected of what signIn() or persona() returns.');
}

function atPage(page: PageName): (received: unknown) => Promise<Judged> {
  return async (received) => {
    const tab = tabOf(received);
    return evaluated(tab.page === page, 'the page', tab.page, page);
  };
}

vitest.expect.extend({
  toBePrompted: atPage('prompt'),
  toBeRequired: atPage('required'),
  toBeSignedIn: atPage('signed-in'),
  toBeAt: async (received: unknown, page: PageName) => {
    const tab = tabOf(received);
    return evaluated(tab.page === page || tab.visitedPages.includes(page), 'the page', tab.page, page);
  },
  toBeLetThrough: async (received: unknown, reason?: ReasonCode) => {
    const tab = tabOf(received);
    if (tab.page !== 'not-nudged') return evaluated(false, 'the page', tab.page, 'not-nudged');
    const found = (await tab.verdict())?.reason ?? null;
    return evaluated(reason === undefined || found === reason, 'the reason', found, reason ?? found);
  },
  toHaveSnoozesLeft: async (received: unknown, count: number | null) => {
    const { snoozesLeft } = await personaOf(received).nudgeStatus();
    return evaluated(snoozesLeft === count, 'the number of snoozes left', snoozesLeft, count);
  },
  toHaveNudgeStatus: async (received: unknown, expected: Partial<NudgeStatus>) => {
    const nudgeStatus = await personaOf(received).nudgeStatus();
    const keys = Object.keys(expected) as (keyof NudgeStatus)[];
    const actual = Object.fromEntries(keys.map((key) => [key, nudgeStatus[key]]));
    return evaluated(
      keys.every((key) => nudgeStatus[key] === expected[key]),
      'the nudge status',
      actual,
      expected,
    );
  },
});

/** `expect` of Vitest, with assertions about sign-ins and users. */
export const expect = vitest.expect as NudgeLabExpect;
/** `describe` of Vitest. */
export const { describe } = vitest;

/** What of a sandbox a test may ask for by name. */
export interface NudgeLabFixtures {
  /** What the sandbox begins with; `test.extend({ given: … })` changes it for the tests of a file or block. */
  readonly given: SandboxSetup;
  /** A sandbox of the test's own, in this process. */
  readonly nudgelab: InProcessSandbox;
  readonly signIn: InProcessSandbox['signIn'];
  readonly persona: InProcessSandbox['persona'];
  readonly clock: InProcessSandbox['clock'];
}

type Use<T> = (value: T) => Promise<void>;
type Asks<K extends keyof NudgeLabFixtures> = Pick<NudgeLabFixtures, K>;

/** Tests that each have a sandbox of their own. */
export const test = vitest.test.extend<NudgeLabFixtures>({
  given: {},
  nudgelab: async ({ given }: Asks<'given'>, use: Use<InProcessSandbox>) => use(await createSandbox(given)),
  signIn: async ({ nudgelab }: Asks<'nudgelab'>, use: Use<InProcessSandbox['signIn']>) => use(nudgelab.signIn),
  persona: async ({ nudgelab }: Asks<'nudgelab'>, use: Use<InProcessSandbox['persona']>) => use(nudgelab.persona),
  clock: async ({ nudgelab }: Asks<'nudgelab'>, use: Use<InProcessSandbox['clock']>) => use(nudgelab.clock),
});

/** What explains a failure: inputs of the sandbox in order, and each sign-in of the test with its verdict. */
interface FailureEvidence {
  readonly journal: readonly unknown[];
  readonly explained: readonly ExplainedSignIn[];
}

/**
 * A sandbox in this process, whose journal and verdicts stand in the metadata of the test when that fails, as `nudgelab`: a list
 * with an entry for each sandbox, which reporters such as that of JSON write. A test that has failed takes no annotation. Takes
 * what the sandbox begins with. To be called in a test. Throws `scenario-invalid`.
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
