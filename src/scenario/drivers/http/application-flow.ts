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

/** Tab that an application redirects to the sign-in. */
export interface ApplicationTab {
  /**
   * Opens a URL. `application` is the start of the application's URLs, or `null` if no application waits for a
   * response.
   */
  visit(url: string, application: string | null): Promise<unknown>;
  /** Returns the name of the current page. */
  pageName(): Promise<string>;
  press(control: PageControl): Promise<unknown>;
  /** URL at which the browser returned to its application, or `null` before that. */
  readonly arrivedAt: string | null;
}

/** Maximum number of pages between an application and the end of its sign-in. */
const maxPages = 6;

/** Sign-in of an application at a server: the request, the pages in between, and the response. */
export class ApplicationFlow {
  readonly visit: ApplicationSession;
  readonly #sandbox: SandboxControl;
  readonly #request: AuthorizationRequest;

  private constructor(sandbox: SandboxControl, visit: ApplicationSession, request: AuthorizationRequest) {
    this.visit = visit;
    this.#sandbox = sandbox;
    this.#request = request;
  }

  /** Creates the authorization request of an application for a user, with the options of the step. */
  static async begin(sandbox: SandboxControl, userId: string, options: ApplicationOptions): Promise<ApplicationFlow> {
    const visit = new ApplicationSession(userId, options);
    const { loginHint } = visit.request;
    const suggested = loginHint === undefined ? undefined : sandbox.profile(loginHint).userPrincipalName;
    const request = await sandbox.application(options.clientId).ask({ ...visit.request, loginHint: suggested });
    return new ApplicationFlow(sandbox, visit, request);
  }

  /**
   * Opens the authorization request and continues to its end, or to the page where the sign-in stops. Throws
   * `driver-failed` if the step cannot be performed.
   *
   * @param tab - tab of the sign-in
   * @param enter - function that signs in from the name page on
   * @param otherWay - other second-factor method to select
   */
  async signIn(tab: ApplicationTab, enter: () => Promise<unknown>, otherWay: MfaMethod | undefined): Promise<void> {
    await tab.visit(this.#request.address, this.#request.redirectUri);
    await this.continue(tab);
    if (this.visit.end !== null) {
      if (otherWay !== undefined) throw nothingToChoose(otherWay);
      return;
    }
    if (this.visit.choosesAccount && this.visit.visitedPages([]).length === 0) throw noAccountToPick();
    await enter();
    await this.continue(tab);
  }

  /** Completes the pages of the application that the tab shows, and processes the response. */
  async continue(tab: ApplicationTab): Promise<void> {
    const { visit } = this;
    for (let count = 0; count < maxPages && tab.arrivedAt === null; count += 1) {
      const control = visit.answerAt(await tab.pageName());
      if (control === null) return;
      await tab.press(control);
    }
    if (tab.arrivedAt === null || visit.end !== null) return;
    const userId = await this.#sandbox.application(visit.clientId).findUser(this.#request, tab.arrivedAt);
    if (userId !== null && userId !== visit.userId) throw signedInAsAnother(visit.userId, userId);
    visit.ended(userId === null ? 'application-refused' : 'application');
  }

  /** Adds the pages of the application and its result to the tab's observation of the sign-in. */
  async seen(observed: Observation): Promise<Observation> {
    const { visit } = this;
    const { signInId } = observed;
    // A browser with a session shows no sign-in page, so only the server knows the id of the sign-in.
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
   * Signs the user of the application out and returns the pages that were shown. Throws `driver-failed` if no user is
   * signed in, or if the browser is not redirected to the URL of the application.
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
