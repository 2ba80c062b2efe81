import type { Verdict } from '../../machines/vocabulary.ts';
import type { WrittenStep } from '../contract/scenario.schema.ts';
import type { PageName } from '../contract/step-names.ts';
import type { Observation } from '../scenario/driver.ts';
import { ModelDriver } from '../scenario/drivers/model.driver.ts';
import { planTestSandbox, type SandboxSetup } from './given.ts';
import { type Attempt, type Say, TestSandbox, type TestUser } from './test-sandbox.ts';

/** What an answer led to. */
export interface Answered {
  readonly page: PageName;
  /** The status that the page would have: 409 for an answer that is refused. */
  readonly status: number;
}

/** One sign-in in a tab of its own, at the page where it rests. */
export class SignInTab {
  readonly #bench: TestSandbox;
  readonly #prompt: { readonly prompt: string };
  readonly #id: string;
  readonly #visitedPages: readonly PageName[];
  #page: PageName;
  /** Who signs in. */
  readonly persona: TestUser;

  /** Takes the tenant, who signs in, the name of the tab, and what was seen there. */
  constructor(bench: TestSandbox, persona: TestUser, name: string, observation: Observation) {
    const { page = 'closed', signInId = '', visitedPages = [] } = observation;
    this.#bench = bench;
    this.persona = persona;
    this.#prompt = { prompt: name };
    this.#page = page;
    this.#id = signInId;
    this.#visitedPages = visitedPages;
  }

  /** Where the sign-in rests now. */
  get page(): PageName {
    return this.#page;
  }

  /** Screens that it went through before that. */
  get visitedPages(): readonly PageName[] {
    return this.#visitedPages;
  }

  /** What the rules said of it. */
  verdict(): Promise<Verdict | null> {
    return this.#bench.verdict(this.#id);
  }

  /** Next on the prompt, or "Try again" on the error screen. */
  next(): Promise<Answered> {
    return this.#answer({ next: this.#prompt });
  }

  /** "Skip for now". */
  skip(): Promise<Answered> {
    return this.#answer({ skip: this.#prompt });
  }

  /** "Skip" on the error screen. */
  skipError(): Promise<Answered> {
    return this.#answer({ skipError: this.#prompt });
  }

  /** Registers what the page asks for; a passkey may be of another kind or made on another device. */
  register(how: Omit<Say<'register'>, 'prompt'> = {}): Promise<Answered> {
    return this.#answer({ register: { ...how, ...this.#prompt } });
  }

  /** Tries to register, and fails. */
  failRegistration(): Promise<Answered> {
    return this.#answer({ failRegistration: this.#prompt });
  }

  /** Closes the browser, which tells the server. */
  closeBrowser(): Promise<Answered> {
    return this.#answer({ closeBrowser: this.#prompt });
  }

  /** Loads the page again, also one that was left. */
  reload(): Promise<Answered> {
    return this.#answer({ reload: this.#prompt });
  }

  /** Goes away without a word. */
  abandon(): Promise<Answered> {
    return this.#answer({ abandon: this.#prompt });
  }

  /**
   * The application at which the sign-in began signs its user out: of everything, unless it says otherwise. Throws `driver-failed` where
   * it began at none or goes on.
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

/** One sign-in, with what the rules said of it. */
export interface ExplainedSignIn {
  readonly user: string;
  readonly page: PageName;
  readonly verdict: Verdict | null;
}

/** A simulated tenant in this process, which people sign in to: no server, no port, nothing to close. */
export class InProcessSandbox extends TestSandbox {
  readonly #signedIn: SignInTab[] = [];
  #tabs = 0;

  /** Signs in and goes on to the first page that asks for an answer, or to the end. */
  readonly signIn = async (user: string, attempt: Attempt = {}): Promise<SignInTab> => {
    const name = `tab-${++this.#tabs}`;
    const observation = await this.perform({ signIn: { ...attempt, user, as: name } });
    const tab = new SignInTab(this, this.persona(user), name, observation);
    this.#signedIn.push(tab);
    return tab;
  };

  /** Every sign-in so far: who, where it rests, and its verdict. */
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
 * A simulated tenant in this process. Takes what it begins with: a tenant, users by id, faults, a ruleset, the clock. Throws
 * `scenario-invalid` with every fault of that.
 *
 * ```ts
 * const { signIn, clock, persona } = await createSandbox({ tenant: 'app-enabled', users: { ada: 'sms-user' } });
 * const tab = await signIn('ada');
 * await tab.skip();
 * await clock.advance({ days: 1 });
 * ```
 */
export async function createSandbox(given: SandboxSetup = {}): Promise<InProcessSandbox> {
  const planned = planTestSandbox(given);
  return new InProcessSandbox(await new ModelDriver().open(planned), planned);
}
