import type { Request, Response } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import type { GivenMfa } from '../oidc/authentication-context.ts';
import type { InteractionPrompt } from '../oidc/interaction-view.ts';
import type { Interactions, InteractionView } from '../oidc/interactions.ts';
import { getSignInPath } from './addresses.ts';
import { readerOf, toPageTenant } from './brand.ts';
import { type BrowserSignIn, runningQuery } from './browser-sign-in.ts';
import { type ApplicationPage, accountPickerPage, consentPage, staySignedInPage } from './pages/application-pages.ts';
import { sendPage } from './send-page.ts';
import { holdsToken, type SessionProof, type Sessions } from './session.ts';

/** What stands between an application and its user besides the sign-in itself: accounts, consent, the way back. */
export class ApplicationSignIn {
  readonly #sessions: Sessions;
  readonly #interactions: Interactions;

  constructor(sessions: Sessions, interactions: Interactions) {
    this.#sessions = sessions;
    this.#interactions = interactions;
  }

  /** Shows what an application asks for in place of a sign-in. Returns whether it did. */
  async show(visit: BrowserSignIn, request: Request, response: Response): Promise<boolean> {
    const { interaction } = visit;
    if (interaction === null || interaction.sessionUserId === null || interaction.prompt === 'login') return false;
    const page = await this.#page(visit, interaction, interaction.sessionUserId, request);
    const document =
      interaction.prompt === 'consent' ? consentPage(page, interaction.scopesToGrant) : accountPickerPage(page);
    sendPage(response, 200, document, { formTarget: interaction.formTarget });
    return true;
  }

  /** Takes a form of one of these pages. Returns whether it was one, and was answered. Throws `anti-forgery-token-invalid`, `bad-request`. */
  async take(visit: BrowserSignIn, fields: URLSearchParams, response: Response): Promise<boolean> {
    const { sandbox, interaction } = visit;
    const action = fields.get('action');
    if (interaction === null || !isOfApplication(interaction, action)) return false;
    if (!holdsToken(fields, { formToken: await this.#tokenOf(visit, interaction) })) {
      throw new NudgeLabError('anti-forgery-token-invalid', { message: 'The form is not one of this sign-in.' });
    }
    if (action === null || applicationActions[interaction.prompt]?.includes(action) !== true) {
      throw new NudgeLabError('bad-request', { message: 'The form says nothing that the page of this step asks for.' });
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

  /** Takes the answer to "stay signed in". Returns whether the form was one. */
  async stay(visit: BrowserSignIn, view: SignInView, fields: URLSearchParams, response: Response): Promise<boolean> {
    const action = fields.get('action');
    if (visit.interaction === null || !view.finished || (action !== 'stay' && action !== 'go')) return false;
    await this.#leadBack(visit.interaction, visit, view, action === 'stay', response);
    return true;
  }

  /** Ends the sign-in of an application: asks whether to stay signed in, or leads back. Returns whether there is one. */
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
      tenant: toPageTenant(sandbox, readerOf(request, visit.uiLocales)),
      action: `${beginning}${runningQuery(visit)}`,
      formToken: await this.#tokenOf(visit, interaction),
      clientName: interaction.clientName,
      user: sandbox.directory.user(userId),
    };
  }

  #tokenOf({ sandbox }: BrowserSignIn, { uid }: InteractionView): Promise<string> {
    return this.#sessions.sealOf(sandbox, 'application-form', uid);
  }
}

/** What the pages between an application and its user send, by what the application asks for. */
const applicationActions: Readonly<Partial<Record<InteractionPrompt, readonly string[]>>> = {
  consent: ['grant', 'refuse'],
  select_account: ['keep', 'other'],
};

const everyAction: readonly string[] = Object.values(applicationActions).flat();

/** A sign-in that was never evaluated has shown no second factor. */
const notGiven: GivenMfa = { completed: false, provider: 'service', method: null };

/** Whether a form is one of these pages, changed on the way or not. A consent is no page on which a sign-in begins. */
function isOfApplication({ prompt, sessionUserId }: InteractionView, action: string | null): boolean {
  if (action !== null && everyAction.includes(action)) return true;
  return prompt === 'consent' && sessionUserId !== null;
}

/** See Other: the browser asks for the next page by GET, whatever it sent. */
function redirect(response: Response, address: string): void {
  response.writeHead(303, { Location: address, 'Cache-Control': 'no-store' }).end();
}
