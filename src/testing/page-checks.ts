import type { Expect, Locator, Page } from '@playwright/test';
import type { Reason } from '../../machines/vocabulary.ts';
import type { PageName } from '../contract/step-names.ts';
import type { BrowserSandbox } from './browser-sandbox.ts';
import { type NudgeStatus, TestUser } from './test-sandbox.ts';

/** Timeout of an assertion. The default is that of the project. */
export interface Patience {
  readonly timeout?: number;
}

/** Result of a matcher in the format of Playwright. */
export interface Judged {
  readonly name: string;
  readonly pass: boolean;
  readonly message: () => string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** State that Playwright passes to a matcher. */
export interface MatcherState {
  readonly isNot: boolean;
}

type Expectation = (not: boolean) => Promise<void>;

/** Describes what led to a failure. It is called only if the assertion fails. */
type Context = () => Promise<string>;

/** Function that returns the sandbox of a page, for values that the page does not show. */
export type BenchOf = (page: Page) => BrowserSandbox;

/**
 * Creates matchers for pages and users of a sandbox, which wait like the matchers of Playwright because they use
 * them internally.
 *
 * @param baseExpect - `expect` of Playwright
 * @param benchOf - function that returns the sandbox of a page
 */
export function pageChecks(baseExpect: Expect, benchOf: BenchOf) {
  const main = (page: Page): Locator => page.locator('main[data-page]');
  const showsPage = (page: Page, wanted: RegExp | string, patience: Patience): Expectation => {
    return (not) => expected(baseExpect, main(page), not).toHaveAttribute('data-page', wanted, patience);
  };
  const createContext =
    (page: Page): Context =>
    async () =>
      benchOf(page).describeFailureAt(page);
  const atPage = (name: string, wanted: PageName) =>
    async function (this: MatcherState, page: Page, patience: Patience = {}): Promise<Judged> {
      return judge(this, name, showsPage(page, wanted, patience), createContext(page));
    };
  return {
    toBePrompted: atPage('toBePrompted', 'prompt'),
    toBeRequired: atPage('toBeRequired', 'required'),
    toBeSignedIn: atPage('toBeSignedIn', 'signed-in'),
    async toBeAt(this: MatcherState, page: Page, wanted: PageName, patience: Patience = {}): Promise<Judged> {
      // The setup consists of several pages with a single name in scenarios.
      return judge(
        this,
        'toBeAt',
        showsPage(page, wanted === 'setup' ? /^setup/ : wanted, patience),
        createContext(page),
      );
    },
    async toBeLetThrough(this: MatcherState, page: Page, reason?: Reason, patience: Patience = {}) {
      const context = createContext(page);
      const reached = await judge({ isNot: false }, 'toBeLetThrough', showsPage(page, 'not-nudged', patience), context);
      if (!reached.pass || reason === undefined) return reached;
      const actual = (await benchOf(page).verdictAt(page))?.reason ?? null;
      const because = (actual === reason) === this.isNot ? await describeContext(context) : '';
      return compared('toBeLetThrough', { what: 'the reason', actual, wanted: reason, because });
    },
    async toHaveSnoozesLeft(
      this: MatcherState,
      received: Page | TestUser,
      count: number | null,
      patience: Patience = {},
    ): Promise<Judged> {
      if (received instanceof TestUser) return polled(this, baseExpect, received, { snoozesLeft: count }, patience);
      const expectedCount = count === null ? 'unlimited' : String(count);
      const expectation: Expectation = (not) =>
        expected(baseExpect, main(received), not).toHaveAttribute('data-snoozes-left', expectedCount, patience);
      return judge(this, 'toHaveSnoozesLeft', expectation, createContext(received));
    },
    async toHaveNudgeStatus(
      this: MatcherState,
      persona: TestUser,
      wanted: Partial<NudgeStatus>,
      patience: Patience = {},
    ): Promise<Judged> {
      return polled(this, baseExpect, persona, wanted, patience);
    },
  };
}

function expected(baseExpect: Expect, locator: Locator, not: boolean) {
  return not ? baseExpect(locator).not : baseExpect(locator);
}

function polled(
  state: MatcherState,
  baseExpect: Expect,
  persona: TestUser,
  wanted: Partial<NudgeStatus>,
  patience: Patience,
): Promise<Judged> {
  const poll = baseExpect.poll(() => persona.nudgeStatus(), { ...patience, intervals: [20, 50, 100, 250] });
  return judge(
    state,
    'toHaveNudgeStatus',
    (not) => (not ? poll.not : poll).toMatchObject(wanted),
    () => persona.describeFailure(null),
  );
}

/** Converts the result of a Playwright assertion to the result of a matcher. */
async function judge(
  { isNot }: MatcherState,
  name: string,
  expectation: Expectation,
  context: Context,
): Promise<Judged> {
  try {
    await expectation(isNot);
    return { name, pass: !isNot, message: () => `${name} holds` };
  } catch (error) {
    const result = (error as { readonly matcherResult?: Partial<Judged> }).matcherResult;
    const text = error instanceof Error ? error.message : String(error);
    const { actual, expected: wanted } = result ?? {};
    const because = await describeContext(context);
    return { name, pass: isNot, message: () => joined(text, because), actual, expected: wanted };
  }
}

/** A page that was closed, or a server that has stopped, leaves the message of the assertion as it is. */
function describeContext(context: Context): Promise<string> {
  return context().catch(() => '');
}

interface Compared {
  readonly what: string;
  readonly actual: unknown;
  readonly wanted: unknown;
  readonly because: string;
}

function compared(name: string, { what, actual, wanted, because }: Compared): Judged {
  const text = `expected ${what} to be ${JSON.stringify(wanted)}, but it is ${JSON.stringify(actual)}`;
  return { name, pass: actual === wanted, message: () => joined(text, because), actual, expected: wanted };
}

function joined(text: string, because: string): string {
  return because === '' ? text : `${text}\n\n${because}`;
}
