import type { AttemptInput } from '../../contract/context.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownClient } from '../../core/unknown-client.ts';
import type { Sandbox, SignInView } from '../../sandbox/sandbox.ts';
import {
  type ApplicationSession,
  applicationHasGivenUp,
  noAccountToPick,
  nobodySignedIn,
  signedInAsAnother,
} from '../application-session.ts';
import { Browsers } from '../browsers.ts';

/** Immutable session of a user in a browser on the side of the provider. */
interface Session {
  readonly userId: string;
  /** True if the session outlasts the browser ("stay signed in"). */
  readonly remembered: boolean;
  /** Clients to which the user has consented in this session. */
  readonly agreed: readonly string[];
  readonly usedAtSeconds: number;
  readonly signedInAtSeconds: number;
  /** True if the sign-in had a second factor. */
  readonly secondFactor: boolean;
}

/**
 * Lifetime of a session after its last use, and waiting time of an application, both in seconds of the virtual
 * clock.
 */
const sessionSeconds = 14 * 86_400;
const waitSeconds = 3_600;

/** Sign-in of an application with the time of its request. */
export interface WaitingVisit {
  readonly visit: ApplicationSession;
  readonly tab: string;
  readonly requestedAtSeconds: number;
}

/**
 * Model of an OpenID provider without a server: which user is signed in in which browser and until when, and which
 * consents exist. The server contains an independent implementation, and scenarios verify that both agree.
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

  /** Returns an independent copy for a forked sandbox. */
  fork(sandbox: Sandbox): ModelApplications {
    return new ModelApplications(sandbox, this.#browsers.copy());
  }

  /**
   * Handles an authorization request. Returns the sign-in by session, `refused` if the request failed without a
   * sign-in, or `null` if the user must sign in. Throws `driver-failed` for a step that cannot be performed.
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

  /** Returns true if the request requires a new sign-in despite the existing session. */
  #asksForSignIn({ request }: ApplicationSession, session: Session): boolean {
    const { prompt, maxAge, acrValues: acr, loginHint } = request;
    // A maximum age of 0 is equivalent to `prompt=login` (OpenID Connect Core 1.0, 3.1.2.1).
    if (prompt === 'login' || maxAge === 0) return true;
    if (maxAge !== undefined && this.#nowSeconds() - session.signedInAtSeconds > maxAge) return true;
    // If no page may be shown, a missing second factor is not an error, because `acr` is a voluntary claim.
    if (acr === 'mfa' && !session.secondFactor && prompt !== 'none') return true;
    // An explicitly picked account takes precedence over a suggested one.
    return loginHint !== undefined && loginHint !== session.userId && prompt !== 'select_account';
  }

  /** Continues the sign-in of a tab. Throws `driver-failed` after the application has stopped waiting. */
  comeBack({ visit, tab, requestedAtSeconds }: WaitingVisit): void {
    visit.refuseAnswer();
    if (this.#nowSeconds() - requestedAtSeconds >= waitSeconds) throw applicationHasGivenUp(visit.clientId);
    this.#browsers.comeBack(visit.browser, tab);
  }

  /**
   * Creates the session of a finished sign-in and reports it to the application. An unfinished sign-in has no effect.
   */
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
      // An external provider is not required to report its method.
      secondFactor: mfa?.completed === true && (mfa.provider !== 'service' || mfa.method !== null),
    };
    const agreed = this.#agree(visit, session);
    this.#keep(visit, agreed ?? session);
    visit.ended(agreed === null ? 'application-refused' : 'application');
  }

  /** Closes the tab in its browser. */
  close({ visit, tab }: WaitingVisit): void {
    this.#browsers.close(visit.browser, tab);
  }

  /** Signs the user of a tab's application out. Throws `driver-failed` if no user is signed in. */
  signOut({ visit, tab }: WaitingVisit, from: 'everything' | 'application'): void {
    visit.refuseEarlySignOut();
    const session = this.#live(this.#browsers.comeBack(visit.browser, tab));
    if (session === null) throw nobodySignedIn();
    const agreed = session.agreed.filter((clientId) => clientId !== visit.clientId);
    this.#keep(visit, from === 'everything' ? null : { ...session, agreed });
    visit.ended('signed-out');
  }

  /**
   * Requests a consent that the client requires and the session lacks. Returns the session, or `null` if the user
   * rejects it.
   */
  #agree(visit: ApplicationSession, session: Session): Session | null {
    const { clientId } = visit;
    const { clients } = this.#sandbox.recorder.state();
    const client = clients.find(({ id }) => id === clientId);
    if (client === undefined) {
      throw new NudgeLabError('client-not-found', { message: describeUnknownClient(clientId, clients) });
    }
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

/** Returns `refused` if no page may be shown, because the sign-in would require one. */
function refusedWhereSilent(visit: ApplicationSession): 'refused' | null {
  if (visit.request.prompt !== 'none') return null;
  visit.ended('application-refused');
  return 'refused';
}
