import type { Response } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import type { Interactions, InteractionView } from '../oidc/interactions.ts';
import { addressOf } from './addresses.ts';
import { pageTenantOf } from './brand.ts';
import { type ApplicationPage, accountPickerPage, consentPage, staySignedInPage } from './pages/application-pages.ts';
import { sendPage } from './send-page.ts';
import { holdsToken, type SessionProof, type Sessions } from './session.ts';
import { runningQuery, type Visit } from './visit.ts';

/** What stands between an application and its user besides the sign-in itself: accounts, consent, the way back. */
export class ApplicationDesk {
  readonly #sessions: Sessions;
  readonly #interactions: Interactions;

  constructor(sessions: Sessions, interactions: Interactions) {
    this.#sessions = sessions;
    this.#interactions = interactions;
  }

  /** Shows what an application asks for in place of a sign-in. Returns whether it did. */
  async show(visit: Visit, response: Response): Promise<boolean> {
    const { interaction } = visit;
    if (interaction === null || interaction.sessionUserId === null || interaction.prompt === 'login') return false;
    const page = await this.#page(visit, interaction, interaction.sessionUserId);
    const document =
      interaction.prompt === 'consent' ? consentPage(page, interaction.scopesToGrant) : accountPickerPage(page);
    sendPage(response, 200, document, { formTarget: interaction.formTarget });
    return true;
  }

  /** Takes a form of one of these pages. Returns whether it was one, and was answered. Throws `form-token-invalid`. */
  async take(visit: Visit, fields: URLSearchParams, response: Response): Promise<boolean> {
    const { sandbox, interaction } = visit;
    const action = fields.get('action');
    if (interaction === null || action === null || !applicationActions.includes(action)) return false;
    if (!holdsToken(fields, { formToken: await this.#tokenOf(visit, interaction) })) {
      throw new NudgeLabError('form-token-invalid', { message: 'The form is not one of this sign-in.' });
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
  async stay(visit: Visit, view: SignInView, fields: URLSearchParams, response: Response): Promise<boolean> {
    const action = fields.get('action');
    if (visit.interaction === null || !view.finished || (action !== 'stay' && action !== 'go')) return false;
    await this.#leadBack(visit.interaction, visit, view, action === 'stay', response);
    return true;
  }

  /** Ends the sign-in of an application: asks whether to stay signed in, or leads back. Returns whether there is one. */
  async finish(visit: Visit, view: SignInView, { formToken }: SessionProof, response: Response): Promise<boolean> {
    const { interaction, sandbox } = visit;
    if (interaction === null) return false;
    if (sandbox.directory.settings().askToStaySignedIn !== true) {
      await this.#leadBack(interaction, visit, view, false, response);
      return true;
    }
    const page = await this.#page(visit, interaction, view.userId);
    const action = `${addressOf(sandbox.id, view.id)}${runningQuery(visit)}`;
    sendPage(response, 200, staySignedInPage({ ...page, action, formToken }), { formTarget: interaction.formTarget });
    return true;
  }

  async #leadBack(
    { uid }: InteractionView,
    { sandbox }: Visit,
    { id: signInId, userId, mfaMethod }: SignInView,
    remember: boolean,
    response: Response,
  ): Promise<void> {
    redirect(response, await this.#interactions.finishSignIn(sandbox, uid, { userId, mfaMethod, signInId, remember }));
  }

  async #page(visit: Visit, interaction: InteractionView, userId: string): Promise<ApplicationPage> {
    const { sandbox, beginning } = visit;
    return {
      tenant: pageTenantOf(sandbox),
      action: `${beginning}${runningQuery(visit)}`,
      formToken: await this.#tokenOf(visit, interaction),
      clientName: interaction.clientName,
      user: sandbox.directory.user(userId),
    };
  }

  #tokenOf({ sandbox }: Visit, { uid }: InteractionView): Promise<string> {
    return this.#sessions.sealOf(sandbox, `interaction ${uid}`);
  }
}

const applicationActions: readonly string[] = ['grant', 'refuse', 'keep', 'other'];

/** See Other: the browser asks for the next page by GET, whatever it sent. */
function redirect(response: Response, address: string): void {
  response.writeHead(303, { Location: address, 'Cache-Control': 'no-store' }).end();
}
