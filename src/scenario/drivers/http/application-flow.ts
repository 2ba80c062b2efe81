import type { MfaMethod } from '../../../../machines/vocabulary.ts';
import type { PageControl } from '../../../contract/page-controls.ts';
import type { StepOf } from '../../../contract/scenario.schema.ts';
import type { PageName } from '../../../contract/step-names.ts';
import {
  type ApplicationOptions,
  ApplicationSession,
  noAccountToPick,
  nobodySignedIn,
  notLedBack,
  signedInAsAnother,
  signOutControl,
} from '../../application-session.ts';
import type { Observation } from '../../driver.ts';
import { nothingToChoose } from '../../method-switching.ts';
import type { AuthorizationRequest } from './application.ts';
import type { SandboxControl } from './sandbox-control.ts';

/** A tab that an application sends to the sign-in. */
export interface ApplicationTab {
  /** Opens a URL. Takes how URLs of the application begin; `null` where none waits for a response. */
  visit(url: string, application: string | null): Promise<unknown>;
  /** Returns the name of the current page. */
  pageName(): Promise<string>;
  press(control: PageControl): Promise<unknown>;
  /** The URL at which the browser returned to its application; `null` before. */
  readonly arrivedAt: string | null;
}

/** Pages between an application and the end of its sign-in. */
const maxPages = 6;

/** One sign-in of an application at a server: there, through the pages that belong to it, and back with its response. */
export class ApplicationFlow {
  readonly visit: ApplicationSession;
  readonly #sandbox: SandboxControl;
  readonly #asked: AuthorizationRequest;

  private constructor(sandbox: SandboxControl, visit: ApplicationSession, asked: AuthorizationRequest) {
    this.visit = visit;
    this.#sandbox = sandbox;
    this.#asked = asked;
  }

  /** The application asks for a sign-in. Takes who signs in, and what the step says of the application. */
  static async begin(sandbox: SandboxControl, userId: string, wish: ApplicationOptions): Promise<ApplicationFlow> {
    const visit = new ApplicationSession(userId, wish);
    const { loginHint } = visit.request;
    const suggested = loginHint === undefined ? undefined : sandbox.profile(loginHint).userPrincipalName;
    const asked = await sandbox.application(wish.clientId).ask({ ...visit.request, loginHint: suggested });
    return new ApplicationFlow(sandbox, visit, asked);
  }

  /**
   * Goes from the application to its end, or to where the sign-in rests. Takes the tab, what signs in from the page of the name on,
   * and the other way that is chosen then. Throws `driver-failed` for a step that cannot be done.
   */
  async signIn(tab: ApplicationTab, enter: () => Promise<unknown>, otherWay: MfaMethod | undefined): Promise<void> {
    await tab.visit(this.#asked.address, this.#asked.redirectUri);
    await this.continue(tab);
    if (this.visit.end !== null) {
      if (otherWay !== undefined) throw nothingToChoose(otherWay);
      return;
    }
    if (this.visit.choosesAccount && this.visit.visitedPages([]).length === 0) throw noAccountToPick();
    await enter();
    await this.continue(tab);
  }

  /** Completes the pages that belong to the application, as far as the tab shows them, and takes its response. */
  async continue(tab: ApplicationTab): Promise<void> {
    const { visit } = this;
    for (let count = 0; count < maxPages && tab.arrivedAt === null; count += 1) {
      const control = visit.answerAt(await tab.pageName());
      if (control === null) return;
      await tab.press(control);
    }
    if (tab.arrivedAt === null || visit.end !== null) return;
    const userId = await this.#sandbox.application(visit.clientId).userOf(this.#asked, tab.arrivedAt);
    if (userId !== null && userId !== visit.userId) throw signedInAsAnother(visit.userId, userId);
    visit.ended(userId === null ? 'application-refused' : 'application');
  }

  /** What was seen, with the pages of the application and its end there. Takes what the tab saw of the sign-in itself. */
  async seen(observed: Observation): Promise<Observation> {
    const { visit } = this;
    const { signInId } = observed;
    // A browser that is signed in sees no page of its sign-in, so that only the server can tell which one it was.
    const bySession = signInId === undefined && visit.end === 'application';
    const id = bySession ? await this.#sandbox.latestSignIn(visit.userId) : (signInId ?? null);
    return {
      ...observed,
      ...(id === null ? {} : { signInId: id }),
      ...(visit.end === null ? {} : { page: visit.end }),
      visitedPages: visit.visitedPages(observed.visitedPages ?? []),
    };
  }

  /**
   * The application signs its user out. Takes what the step says of it. Returns the pages that were passed. Throws `driver-failed`
   * where no one is signed in, or the browser does not come where the application wants it.
   */
  async signOut(tab: ApplicationTab, say: StepOf<'signOut'>['say']): Promise<readonly PageName[]> {
    const { from, postLogoutRedirectUri: afterwards } = say;
    const { visit } = this;
    visit.refuseEarlySignOut();
    const application = this.#sandbox.application(visit.clientId);
    await tab.visit(await application.signOutAddress(afterwards), afterwards ?? null);
    if (tab.arrivedAt !== null || (await tab.pageName()) !== 'sign-out') throw nobodySignedIn();
    await tab.press(signOutControl(from));
    if (afterwards !== undefined && tab.arrivedAt === null) throw notLedBack(afterwards);
    visit.ended('signed-out');
    return ['sign-out'];
  }
}
