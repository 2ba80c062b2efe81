import type { Request, Response } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import type { GivenMfa } from '../oidc/authentication-context.ts';
import type { InteractionPrompt } from '../oidc/interaction-view.ts';
import type { Interactions, InteractionView } from '../oidc/interactions.ts';
import { getSignInPath } from './addresses.ts';
import { createReader, toPageTenant } from './brand.ts';
import { type BrowserSignIn, runningQuery } from './browser-sign-in.ts';
import { type ApplicationPage, accountPickerPage, consentPage, staySignedInPage } from './pages/application-pages.ts';
import { sendPage } from './send-page.ts';
import { holdsToken, type SessionProof, type Sessions } from './session.ts';

/**
 * Handles the pages between an application and its user other than the sign-in: accounts, consent, and the redirect.
 */
export class ApplicationSignIn {
  readonly #sessions: Sessions;
  readonly #interactions: Interactions;

  constructor(sessions: Sessions, interactions: Interactions) {
    this.#sessions = sessions;
    this.#interactions = interactions;
  }

  /** Shows the page that an application requires instead of a sign-in. Returns `true` if a page was sent. */
  async show(visit: BrowserSignIn, request: Request, response: Response): Promise<boolean> {
    const { interaction } = visit;
    if (interaction === null || interaction.sessionUserId === null || interaction.prompt === 'login') return false;
    const page = await this.#page(visit, interaction, interaction.sessionUserId, request);
    const document =
      interaction.prompt === 'consent' ? consentPage(page, interaction.scopesToGrant) : accountPickerPage(page);
    sendPage(response, 200, document, { formTarget: interaction.formTarget });
    return true;
  }

  /**
   * Handles the form of one of these pages. Returns `true` if it was one and the response was sent. Throws
   * `anti-forgery-token-invalid` or `bad-request`.
   */
  async take(visit: BrowserSignIn, fields: URLSearchParams, response: Response): Promise<boolean> {
    const { sandbox, interaction } = visit;
    const action = fields.get('action');
    if (interaction === null || !isOfApplication(interaction, action)) return false;
    if (!holdsToken(fields, { formToken: await this.#createToken(visit, interaction) })) {
      throw new NudgeLabError('anti-forgery-token-invalid', { message: 'The form does not belong to this sign-in.' });
    }
    if (action === null || applicationActions[interaction.prompt]?.includes(action) !== true) {
      throw new NudgeLabError('bad-request', { message: 'The form has none of the fields of this page.' });
    }
    if (action === 'other') return false;
    const { uid } = interaction;
    redirect(
      response,
      action === 'keep'
        ? await this.#interactions.keepAccount(sandbox, uid)
        : await this.#interactions.finishConsent(sandbox, uid, action === 'grant'),
    );
    return true;
  }

  /** Handles the form of the page "Stay signed in?". Returns `true` if the request contained this form. */
  async stay(visit: BrowserSignIn, view: SignInView, fields: URLSearchParams, response: Response): Promise<boolean> {
    const action = fields.get('action');
    if (visit.interaction === null || !view.finished || (action !== 'stay' && action !== 'go')) return false;
    await this.#leadBack(visit.interaction, visit, view, action === 'stay', response);
    return true;
  }

  /**
   * Ends the sign-in of an application: shows the page "Stay signed in?" or redirects to the application. Returns
   * `false` if the sign-in belongs to no application.
   */
  async finish(
    visit: BrowserSignIn,
    view: SignInView,
    { formToken }: SessionProof,
    { request, response }: { readonly request: Request; readonly response: Response },
  ): Promise<boolean> {
    const { interaction, sandbox } = visit;
    if (interaction === null) return false;
    if (sandbox.directory.settings().askToStaySignedIn !== true) {
      await this.#leadBack(interaction, visit, view, false, response);
      return true;
    }
    const page = await this.#page(visit, interaction, view.userId, request);
    const action = `${getSignInPath(sandbox.id, view.id)}${runningQuery(visit)}`;
    sendPage(response, 200, staySignedInPage({ ...page, action, formToken }), { formTarget: interaction.formTarget });
    return true;
  }

  async #leadBack(
    { uid }: InteractionView,
    { sandbox }: BrowserSignIn,
    { id: signInId, userId }: SignInView,
    remember: boolean,
    response: Response,
  ): Promise<void> {
    const mfa = sandbox.signIns.attempt(signInId)?.mfa ?? notGiven;
    redirect(response, await this.#interactions.finishSignIn(sandbox, uid, { userId, mfa, signInId, remember }));
  }

  async #page(
    visit: BrowserSignIn,
    interaction: InteractionView,
    userId: string,
    request: Request,
  ): Promise<ApplicationPage> {
    const { sandbox, beginning } = visit;
    return {
      tenant: toPageTenant(sandbox, createReader(request, visit.uiLocales)),
      action: `${beginning}${runningQuery(visit)}`,
      formToken: await this.#createToken(visit, interaction),
      clientName: interaction.clientName,
      user: sandbox.directory.user(userId),
    };
  }

  #createToken({ sandbox }: BrowserSignIn, { uid }: InteractionView): Promise<string> {
    return this.#sessions.createSeal(sandbox, 'application-form', uid);
  }
}

/** Form actions of the application pages by prompt type. */
const applicationActions: Readonly<Partial<Record<InteractionPrompt, readonly string[]>>> = {
  consent: ['grant', 'refuse'],
  select_account: ['keep', 'other'],
};

const everyAction: readonly string[] = Object.values(applicationActions).flat();

/** MFA facts of a sign-in that was never evaluated, which has no second factor. */
const notGiven: GivenMfa = { completed: false, provider: 'service', method: null };

/**
 * Returns `true` if a form is from one of these pages, even if it was tampered with. No sign-in starts on a consent
 * page.
 */
function isOfApplication({ prompt, sessionUserId }: InteractionView, action: string | null): boolean {
  if (action !== null && everyAction.includes(action)) return true;
  return prompt === 'consent' && sessionUserId !== null;
}

/** Sends a 303 redirect, so the browser always requests the next page with GET. */
function redirect(response: Response, address: string): void {
  response.writeHead(303, { Location: address, 'Cache-Control': 'no-store' }).end();
}
