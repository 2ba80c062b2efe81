import type { Request, Response } from 'express';
import { refuseUnknownNetwork } from '../../sandbox/context.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import { readerOf, toPageTenant } from './brand.ts';
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

/** What the choice of an account sends for another one than those it shows. */
const anotherAccount = 'other';

/** The page on which a sign-in begins, by a name or by a passkey alone. */
export class FirstPage {
  readonly #challenges: OneTimeChallenges;

  constructor(sessions: Sessions) {
    this.#challenges = new OneTimeChallenges(sessions, 'first page');
  }

  /** Shows it, with the name that the application or the address suggests. */
  async show(visit: BrowserSignIn, request: Request, response: Response): Promise<void> {
    // What the address says of the attempt is checked before anybody types a name.
    const { network } = observedAttempt(request);
    if (network !== undefined) refuseUnknownNetwork(visit.sandbox.directory.settings().context, network);
    const name = visit.interaction?.userNameHint ?? suggestedName(visit);
    await this.#send(visit, request, response, { name, fault: null });
  }

  /** Begins the sign-in that a form asks for; `null` when it was answered by this page again. */
  async begin(
    visit: BrowserSignIn,
    fields: URLSearchParams,
    request: Request,
    response: Response,
  ): Promise<SignInView | null> {
    const { sandbox } = visit;
    if (fields.get('action') === 'passkey') return this.#beginByPasskey(visit, fields, request, response);
    if (fields.get('action') === anotherAccount) {
      // No one has typed a name yet, so that none is missing.
      await this.show(visit, request, response);
      return null;
    }
    const name = fields.get('username')?.trim() ?? '';
    const user = sandbox.directory.userNamed(name);
    if (user !== null) return sandbox.signIns.start(user.id, observedAttempt(request));
    await this.#send(visit, request, response, { name, fault: name === '' ? 'name-missing' : 'name-unknown' });
    return null;
  }

  /** A discoverable passkey says who signs in, and is both factors (A22). */
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
      // A passkey of another sandbox is none of this one's business: its own sandbox may well know it.
      const isUnknown =
        userId !== null && holder?.held.some(({ credential }) => credential.id === answerer?.credentialId) !== true;
      const unknownCredential = { rpId: ceremony.relyingParty.id, credentialId: answerer?.credentialId ?? '' };
      const signals = isUnknown ? { unknownCredential } : null;
      await this.#send(visit, request, response, { name: '', fault: 'passkey-refused', signals });
      return null;
    }
    const begun = await sandbox.signIns.start(userId, observedAttempt(request));
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
      tenant: toPageTenant(sandbox, readerOf(request, visit.uiLocales)),
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

/** The username of whom the address names by `user`, an id or a name; nothing otherwise. */
function suggestedName({ sandbox: { directory }, query }: BrowserSignIn): string {
  const named = new URLSearchParams(query).get('user') ?? '';
  return directory.has(named) ? directory.user(named).userPrincipalName : named;
}
