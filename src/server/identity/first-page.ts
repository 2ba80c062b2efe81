import type { Request, Response } from 'express';
import type { SignInOrigin } from '../../journal/journal-event.ts';
import { refuseUnknownNetwork } from '../../sandbox/context.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import { createReader, toPageTenant } from './brand.ts';
import type { BrowserSignIn } from './browser-sign-in.ts';
import { clientHintHeaders, observedAttempt } from './observed-attempt.ts';
import { type NamePage, namePage } from './pages/name.page.ts';
import { requestOptions } from './passkeys/ceremony-options.ts';
import { passkeyHolder, passkeySettings } from './passkeys/ceremony-service.ts';
import { OneTimeChallenges } from './passkeys/one-time-challenges.ts';
import { getRelyingParty } from './passkeys/relying-party.ts';
import { userOfHandle } from './passkeys/user-handle.ts';
import { getResponder, verifyAssertion } from './passkeys/verify.ts';
import { sendPage } from './send-page.ts';
import type { Sessions } from './session.ts';

/** Form action that selects an account other than the listed ones. */
const anotherAccount = 'other';

/** First page of a sign-in, on which the user enters a username or uses a passkey. */
export class FirstPage {
  readonly #challenges: OneTimeChallenges;

  constructor(sessions: Sessions) {
    this.#challenges = new OneTimeChallenges(sessions, 'first page');
  }

  /** Shows the page with the username that the application or the URL suggests. */
  async show(visit: BrowserSignIn, request: Request, response: Response): Promise<void> {
    // The attempt facts in the URL are checked before a user enters a name.
    const { network } = observedAttempt(request);
    if (network !== undefined) refuseUnknownNetwork(visit.sandbox.directory.settings().context, network);
    const name = visit.interaction?.userNameHint ?? suggestedName(visit);
    await this.#send(visit, request, response, { name, fault: null });
  }

  /** Starts the sign-in of a submitted form. Returns `null` if the page was shown again instead. */
  async begin(
    visit: BrowserSignIn,
    fields: URLSearchParams,
    request: Request,
    response: Response,
  ): Promise<SignInView | null> {
    const { sandbox } = visit;
    if (fields.get('action') === 'passkey') return this.#beginByPasskey(visit, fields, request, response);
    if (fields.get('action') === anotherAccount) {
      // The user has not entered a name yet, so the page must not report a missing name.
      await this.show(visit, request, response);
      return null;
    }
    const name = fields.get('username')?.trim() ?? '';
    const user = sandbox.directory.userNamed(name);
    if (user !== null) return sandbox.signIns.start(user.id, observedAttempt(request), getOrigin(visit));
    await this.#send(visit, request, response, { name, fault: name === '' ? 'name-missing' : 'name-unknown' });
    return null;
  }

  /** Starts a sign-in with a discoverable passkey, which identifies the user and satisfies both factors (A22). */
  async #beginByPasskey(
    visit: BrowserSignIn,
    fields: URLSearchParams,
    request: Request,
    response: Response,
  ): Promise<SignInView | null> {
    const { sandbox } = visit;
    const answer = fields.get('credential') ?? '';
    const answerer = getResponder(answer);
    const userId = userOfHandle(sandbox.id, answerer?.handle);
    const known = userId !== null && sandbox.directory.has(userId);
    const ceremony = {
      answer,
      challenge: this.#challenges.of(sandbox),
      relyingParty: getRelyingParty(request, passkeySettings(sandbox)),
    };
    const holder = known ? passkeyHolder(sandbox, userId) : null;
    const used = holder === null ? null : await verifyAssertion(ceremony, holder);
    if (userId === null || used === null) {
      // A passkey of another sandbox must not be signaled as unknown, because its own sandbox can still accept it.
      const isUnknown =
        userId !== null && holder?.held.some(({ credential }) => credential.id === answerer?.credentialId) !== true;
      const unknownCredential = { rpId: ceremony.relyingParty.id, credentialId: answerer?.credentialId ?? '' };
      const signals = isUnknown ? { unknownCredential } : null;
      await this.#send(visit, request, response, { name: '', fault: 'passkey-refused', signals });
      return null;
    }
    const begun = await sandbox.signIns.start(userId, observedAttempt(request), getOrigin(visit));
    return begun.screen === 'password' ? sandbox.signIns.usePasskey(begun.id, used) : begun;
  }

  async #send(
    visit: BrowserSignIn,
    request: Request,
    response: Response,
    { name, fault, signals = null }: Pick<NamePage, 'name' | 'fault'> & Partial<Pick<NamePage, 'signals'>>,
  ): Promise<void> {
    const { sandbox, beginning, query, interaction } = visit;
    const settings = passkeySettings(sandbox);
    const document = namePage({
      tenant: toPageTenant(sandbox, createReader(request, visit.uiLocales)),
      action: `${beginning}${query}`,
      name,
      fault,
      clientName: interaction?.clientName ?? null,
      ceremony: requestOptions(getRelyingParty(request, settings), await this.#challenges.make(sandbox), [], settings),
      signals,
    });
    const status = fault === null ? 200 : fault === 'passkey-refused' ? 401 : 400;
    sendPage(response, status, document, { headers: clientHintHeaders, formTarget: interaction?.formTarget });
  }
}

/** Returns the application that started a sign-in. */
function getOrigin({ interaction }: BrowserSignIn): Omit<SignInOrigin, 'network'> {
  if (interaction === null) return {};
  const { clientId, clientName, formTarget } = interaction;
  return { client: { id: clientId, name: clientName }, ...(formTarget === '' ? { device: true } : {}) };
}

/** Returns the username of the user in the `user` parameter, which can be an id or a name. */
function suggestedName({ sandbox: { directory }, query }: BrowserSignIn): string {
  const named = new URLSearchParams(query).get('user') ?? '';
  return directory.has(named) ? directory.user(named).userPrincipalName : named;
}
