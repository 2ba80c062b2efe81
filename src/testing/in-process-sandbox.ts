import type { Verdict } from '../../machines/vocabulary.ts';
import type { WrittenStep } from '../contract/scenario.schema.ts';
import type { PageName } from '../contract/step-names.ts';
import type { Observation } from '../scenario/driver.ts';
import { ModelDriver } from '../scenario/drivers/model.driver.ts';
import { planTestSandbox, type SandboxSetup } from './given.ts';
import { type Attempt, type Say, TestSandbox, type TestUser } from './test-sandbox.ts';

/** Result of a user action. */
export interface Answered {
  readonly page: PageName;
  /** Status that the page would have, such as 409 for a rejected action. */
  readonly status: number;
}

/** Sign-in in its own tab, at its current page. */
export class SignInTab {
  readonly #bench: TestSandbox;
  readonly #prompt: { readonly prompt: string };
  readonly #id: string;
  readonly #visitedPages: readonly PageName[];
  #page: PageName;
  /** User who signs in. */
  readonly persona: TestUser;

  /** Creates a tab for a user with the observation of its first step. */
  constructor(bench: TestSandbox, persona: TestUser, name: string, observation: Observation) {
    const { page = 'closed', signInId = '', visitedPages = [] } = observation;
    this.#bench = bench;
    this.persona = persona;
    this.#prompt = { prompt: name };
    this.#page = page;
    this.#id = signInId;
    this.#visitedPages = visitedPages;
  }

  /** Returns the current page of the sign-in. */
  get page(): PageName {
    return this.#page;
  }

  /** Returns the screens before the current page. */
  get visitedPages(): readonly PageName[] {
    return this.#visitedPages;
  }

  /** Returns the verdict of the sign-in. */
  verdict(): Promise<Verdict | null> {
    return this.#bench.verdict(this.#id);
  }

  /** Selects "Next" on the prompt, or "Try again" on the error screen. */
  next(): Promise<Answered> {
    return this.#answer({ next: this.#prompt });
  }

  /** Selects "Skip for now". */
  skip(): Promise<Answered> {
    return this.#answer({ skip: this.#prompt });
  }

  /** Selects "Skip" on the error screen. */
  skipError(): Promise<Answered> {
    return this.#answer({ skipError: this.#prompt });
  }

  /** Registers the method of the prompt. A passkey can have another type or device. */
  register(how: Omit<Say<'register'>, 'prompt'> = {}): Promise<Answered> {
    return this.#answer({ register: { ...how, ...this.#prompt } });
  }

  /** Starts a registration that fails. */
  failRegistration(): Promise<Answered> {
    return this.#answer({ failRegistration: this.#prompt });
  }

  /** Closes the browser, which sends an unload beacon to the server. */
  closeBrowser(): Promise<Answered> {
    return this.#answer({ closeBrowser: this.#prompt });
  }

  /** Reloads the page, even if it was left. */
  reload(): Promise<Answered> {
    return this.#answer({ reload: this.#prompt });
  }

  /** Abandons the page without an unload beacon. */
  abandon(): Promise<Answered> {
    return this.#answer({ abandon: this.#prompt });
  }

  /**
   * Signs the user of the tab's application out, by default of everything. Throws `driver-failed` if the sign-in
   * started without an application or is still in progress.
   */
  signOut(how: Omit<Say<'signOut'>, 'as'> = {}): Promise<Answered> {
    return this.#answer({ signOut: { ...how, as: this.#prompt.prompt } });
  }

  async #answer(step: WrittenStep): Promise<Answered> {
    const { page = this.#page, status = 200 } = await this.#bench.perform(step);
    this.#page = page;
    return { page, status };
  }
}

/** Sign-in with its verdict. */
export interface ExplainedSignIn {
  readonly user: string;
  readonly page: PageName;
  readonly verdict: Verdict | null;
}

/** Simulated tenant in this process, without a server or port, which does not need to be closed. */
export class InProcessSandbox extends TestSandbox {
  readonly #signedIn: SignInTab[] = [];
  #tabs = 0;

  /** Signs a user in, up to the first page that requires a decision or to the end. */
  readonly signIn = async (user: string, attempt: Attempt = {}): Promise<SignInTab> => {
    const name = `tab-${++this.#tabs}`;
    const observation = await this.perform({ signIn: { ...attempt, user, as: name } });
    const tab = new SignInTab(this, this.persona(user), name, observation);
    this.#signedIn.push(tab);
    return tab;
  };

  /** Returns all sign-ins so far with their user, current page and verdict. */
  async explained(): Promise<readonly ExplainedSignIn[]> {
    const explain = async (tab: SignInTab): Promise<ExplainedSignIn> => ({
      user: tab.persona.id,
      page: tab.page,
      verdict: await tab.verdict(),
    });
    return Promise.all(this.#signedIn.map(explain));
  }
}

/**
 * Creates a simulated tenant in this process.
 *
 * ```ts
 * const { signIn, clock, persona } = await createSandbox({ tenant: 'app-enabled', users: { ada: 'sms-user' } });
 * const tab = await signIn('ada');
 * await tab.skip();
 * await clock.advance({ days: 1 });
 * ```
 *
 * @param given - initial state: a tenant, users by id, faults, a ruleset and the clock
 * @throws `scenario-invalid` with every problem of the initial state
 */
export async function createSandbox(given: SandboxSetup = {}): Promise<InProcessSandbox> {
  const planned = planTestSandbox(given);
  return new InProcessSandbox(await new ModelDriver().open(planned), planned);
}
