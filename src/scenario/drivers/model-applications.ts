import type { AttemptInput } from '../../contract/context.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox, SignInView } from '../../sandbox/sandbox.ts';
import {
  type ApplicationSession,
  applicationHasGivenUp,
  noAccountToPick,
  nobodySignedIn,
  signedInAsAnother,
} from '../application-session.ts';
import { Browsers } from '../browsers.ts';

/** Who is signed in in a browser, as its provider knows; it is replaced, never changed. */
interface Session {
  readonly userId: string;
  /** Whether it lasts longer than the browser runs ("stay signed in"). */
  readonly remembered: boolean;
  /** Clients to which the user has agreed in it. */
  readonly agreed: readonly string[];
  readonly usedAtSeconds: number;
  readonly signedInAtSeconds: number;
  /** Whether the sign-in had a second factor. */
  readonly secondFactor: boolean;
}

/** How long a session lasts after its latest use, and how long an application waits, in seconds of the virtual clock. */
const sessionSeconds = 14 * 86_400;
const waitSeconds = 3_600;

/** A visit with the moment at which the application asked. */
export interface WaitingVisit {
  readonly visit: ApplicationSession;
  readonly tab: string;
  readonly askedAtSeconds: number;
}

/**
 * What a provider keeps between applications and their users, stated without one: who is signed in in which browser, until when, and
 * who has agreed to what. Another statement of it is the provider of the server, and scenarios hold the two together.
 */
export class ModelApplications {
  readonly #sandbox: Sandbox;
  readonly #browsers: Browsers<Session | null>;

  constructor(
    sandbox: Sandbox,
    browsers = new Browsers<Session | null>({
      make: () => null,
      restart: (session) => (session?.remembered === true ? session : null),
    }),
  ) {
    this.#sandbox = sandbox;
    this.#browsers = browsers;
  }

  /** The same for a sandbox that goes on on its own. */
  fork(sandbox: Sandbox): ModelApplications {
    return new ModelApplications(sandbox, this.#browsers.copy());
  }

  /**
   * The application sends the browser to the provider. Returns the sign-in by session, `refused` where the user refused what the
   * application asks for, and `null` where someone has to sign in. Throws `driver-failed` for a step that cannot be done.
   */
  async ask({ visit, tab }: WaitingVisit, attempt: AttemptInput): Promise<SignInView | 'refused' | null> {
    const session = this.#live(this.#browsers.open(visit.browser, tab));
    if (session === null && visit.choosesAccount) throw noAccountToPick();
    const picks = session !== null && visit.request.prompt === 'select_account';
    if (picks && visit.answerAt('account-picker') === 'other') return null;
    if (session === null || this.#asksForSignIn(visit, session)) return refusedWhereSilent(visit);
    if (session.userId !== visit.userId) throw signedInAsAnother(visit.userId, session.userId);
    const agreed = this.#agree(visit, session);
    this.#keep(visit, agreed ?? session);
    if (agreed === null) {
      visit.ended('application-refused');
      return 'refused';
    }
    const view = await this.#sandbox.signIns.start(visit.userId, { ...attempt, ssoSession: true });
    visit.ended('application');
    return view;
  }

  /** Whether someone has to sign in although someone is signed in. */
  #asksForSignIn({ request }: ApplicationSession, session: Session): boolean {
    const { prompt, maxAge, acrValues: acr, loginHint } = request;
    // No age at all is the same demand (OpenID Connect Core 1.0, 3.1.2.1).
    if (prompt === 'login' || maxAge === 0) return true;
    if (maxAge !== undefined && this.#nowSeconds() - session.signedInAtSeconds > maxAge) return true;
    // Where no page may be shown, a wish for a second factor is none to fail for.
    if (acr === 'mfa' && !session.secondFactor && prompt !== 'none') return true;
    // Who was picked on purpose goes before a suggestion.
    return loginHint !== undefined && loginHint !== session.userId && prompt !== 'select_account';
  }

  /** Someone goes on with the sign-in of a tab. Throws `driver-failed` once the application waits no more. */
  comeBack({ visit, tab, askedAtSeconds }: WaitingVisit): void {
    visit.refuseAnswer();
    if (this.#nowSeconds() - askedAtSeconds >= waitSeconds) throw applicationHasGivenUp(visit.clientId);
    this.#browsers.comeBack(visit.browser, tab);
  }

  /** A sign-in has come so far; once it has finished, the application hears of it. */
  goOn({ visit, tab }: WaitingVisit, { finished, id }: SignInView): void {
    if (!finished) return;
    const mfa = this.#sandbox.signIns.attempt(id)?.mfa;
    const before = this.#live(this.#browsers.comeBack(visit.browser, tab));
    const asks = this.#sandbox.directory.settings().askToStaySignedIn === true;
    const session = {
      userId: visit.userId,
      remembered: asks && visit.answerAt('stay-signed-in') === 'stay',
      agreed: before?.userId === visit.userId ? before.agreed : [],
      usedAtSeconds: this.#nowSeconds(),
      signedInAtSeconds: this.#nowSeconds(),
      // Another provider need not say which method it was.
      secondFactor: mfa?.completed === true && (mfa.provider !== 'service' || mfa.method !== null),
    };
    const agreed = this.#agree(visit, session);
    this.#keep(visit, agreed ?? session);
    visit.ended(agreed === null ? 'application-refused' : 'application');
  }

  /** The tab was closed. */
  close({ visit, tab }: WaitingVisit): void {
    this.#browsers.close(visit.browser, tab);
  }

  /** The application of a tab signs its user out. Throws `driver-failed` where no one is signed in. */
  signOut({ visit, tab }: WaitingVisit, from: 'everything' | 'application'): void {
    visit.refuseEarlySignOut();
    const session = this.#live(this.#browsers.comeBack(visit.browser, tab));
    if (session === null) throw nobodySignedIn();
    const agreed = session.agreed.filter((clientId) => clientId !== visit.clientId);
    this.#keep(visit, from === 'everything' ? null : { ...session, agreed });
    visit.ended('signed-out');
  }

  /** Asks for a consent where the client needs one that the session does not have. Returns the session; `null` when refused. */
  #agree(visit: ApplicationSession, session: Session): Session | null {
    const { clientId } = visit;
    const client = this.#sandbox.recorder.state().clients.find(({ id }) => id === clientId);
    if (client === undefined)
      throw new NudgeLabError('client-not-found', { message: `No client is called ${clientId}.` });
    const { prompt } = visit.request;
    const isAgreed = client.consent === 'granted' || session.agreed.includes(clientId);
    if (isAgreed && prompt !== 'consent') return session;
    if (prompt === 'none') return null;
    return visit.answerAt('consent') === 'refuse' ? null : { ...session, agreed: [...session.agreed, clientId] };
  }

  #keep({ browser }: ApplicationSession, session: Session | null): void {
    this.#browsers.keep(browser, session === null ? null : { ...session, usedAtSeconds: this.#nowSeconds() });
  }

  #live(session: Session | null): Session | null {
    if (session === null) return null;
    return this.#nowSeconds() - session.usedAtSeconds >= sessionSeconds ? null : session;
  }

  #nowSeconds(): number {
    return Math.floor(this.#sandbox.clock.nowMs() / 1_000);
  }
}

/** Where no page may be shown, the application hears that it takes one. */
function refusedWhereSilent(visit: ApplicationSession): 'refused' | null {
  if (visit.request.prompt !== 'none') return null;
  visit.ended('application-refused');
  return 'refused';
}
