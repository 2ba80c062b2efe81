import { type RequestHandler, type Response, Router } from 'express';
import type { LookupAccount } from '../../contract/lookup.schema.ts';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { getLookupTokensPath } from '../identity/addresses.ts';
import { toPageTenant } from '../identity/brand.ts';
import { recordFailedAttempt } from '../identity/failed-attempts.ts';
import { readForm } from '../identity/form-body.ts';
import { sendCookie } from '../identity/send-cookie.ts';
import { sendPage } from '../identity/send-page.ts';
import { holdsToken, Sessions } from '../identity/session.ts';
import { refuseForeignOrigin } from '../origin-check.ts';
import { getSandbox, resolveSandbox } from '../resolve-sandbox.ts';
import { lookupPath, lookupTokensPath } from './lookup-paths.ts';
import {
  type TokensFault,
  type TokensPage,
  tokenNameCharactersMax,
  tokensPage,
  tokensSignInPage,
} from './tokens.page.ts';
import { beginTokensSession, endTokensSession, findTokensSession, type TokensSession } from './tokens-session.ts';

/** Creates the routes of the page where an account of the lookup API manages its tokens. */
export function tokensRoutes(sandboxes: Sandboxes): Router {
  const router = Router({ mergeParams: true });
  const handlers = new LookupTokenHandlers();
  router.route(lookupTokensPath).all(resolveSandbox(sandboxes)).get(handlers.show).post(handlers.take);
  return router;
}

/** Result of a form. */
interface Outcome {
  readonly fault?: TokensFault | null;
  readonly issued?: TokensPage['issued'];
}

class LookupTokenHandlers {
  readonly #sessions = new Sessions();

  readonly show: RequestHandler = async (request, response) => {
    const sandbox = getSandbox(response);
    const session = await findTokensSession(this.#sessions, sandbox, request.headers.cookie);
    if (session === null) return sendSignIn(response, sandbox, null);
    await this.#send(response, session, {});
  };

  readonly take: RequestHandler = async (request, response) => {
    refuseForeignOrigin(request);
    const sandbox = getSandbox(response);
    const fields = await readForm(request);
    if (fields.get('action') === 'sign-in') return this.#signIn(response, sandbox, fields);
    const session = await findTokensSession(this.#sessions, sandbox, request.headers.cookie);
    if (session === null) return sendSignIn(response, sandbox, null);
    if (!holdsToken(fields, { formToken: await this.#formToken(sandbox, session) })) {
      throw new NudgeLabError('anti-forgery-token-invalid', {
        message: 'The form has expired or does not belong to this browser.',
      });
    }
    if (fields.get('action') === 'sign-out') return signOut(response, sandbox, session);
    await this.#send(response, session, await act(sandbox, session.account, fields));
  };

  async #signIn(response: Response, sandbox: Sandbox, fields: URLSearchParams): Promise<void> {
    const email = fields.get('email') ?? '';
    const found: { account: LookupAccount | null } = { account: null };
    const { credentials } = sandbox.lookup;
    const knownId = credentials.findAccountId(email);
    const guessed = {
      secret: 'lookup-password',
      owner: knownId ?? email.trim().toLowerCase(),
      isKnown: knownId !== null,
    } as const;
    const evaluated = await recordFailedAttempt(sandbox, guessed, async () => {
      found.account = await credentials.findAccount(email, fields.get('password') ?? '');
      return found.account !== null;
    });
    if (typeof evaluated === 'object')
      return sendSignIn(response, sandbox, 'too-many-guesses', email, evaluated.waitSeconds);
    const { account } = found;
    if (account === null) return sendSignIn(response, sandbox, 'password-wrong', email);
    if (account.suspended) return sendSignIn(response, sandbox, 'account-suspended', email);
    const { session, cookie } = await beginTokensSession(this.#sessions, sandbox, account);
    sendCookie(response, cookie);
    await this.#send(response, session, {});
  }

  async #send(response: Response, session: TokensSession, { fault = null, issued = null }: Outcome): Promise<void> {
    const sandbox = getSandbox(response);
    const { account } = session;
    const document = tokensPage({
      tenant: toPageTenant(sandbox),
      address: getLookupTokensPath(sandbox.id),
      formToken: await this.#formToken(sandbox, session),
      email: account.email,
      tokens: sandbox.lookup.administration.tokens(account.id),
      issued,
      apiAddress: `${getPrefix(sandbox.id)}${lookupPath}/`,
      fault,
    });
    sendPage(response, fault === null ? 200 : 400, document);
  }

  /**
   * Returns an anti-forgery token for the session and its current tokens, so a repeated form cannot issue a second
   * token.
   */
  async #formToken(sandbox: Sandbox, { id, account }: TokensSession): Promise<string> {
    const tokens = sandbox.lookup.administration.tokens(account.id).flatMap((token) => [token.id, token.name]);
    return this.#sessions.createSeal(sandbox, 'lookup-form', id, ...tokens);
  }
}

async function signOut(response: Response, sandbox: Sandbox, session: TokensSession): Promise<void> {
  sendCookie(response, await endTokensSession(sandbox, session));
  sendSignIn(response, sandbox, null);
}

async function act(sandbox: Sandbox, account: LookupAccount, fields: URLSearchParams): Promise<Outcome> {
  const { administration } = sandbox.lookup;
  const action = fields.get('action') ?? '';
  const name = (fields.get('name') ?? '').trim();
  const nameIsGood = name !== '' && name.length <= tokenNameCharactersMax;
  if (action === 'issue') {
    if (!nameIsGood) return { fault: 'name-missing' };
    const { token } = await administration.issueToken(account.id, name);
    return { issued: { name, token } };
  }
  const tokenId = ownTokenId(sandbox, account, fields.get('token'));
  if (action === 'rename') {
    if (!nameIsGood) return { fault: 'name-missing' };
    await administration.renameToken(tokenId, name);
    return {};
  }
  if (action !== 'revoke')
    throw new NudgeLabError('bad-request', { message: 'This action does not exist on this page.' });
  await administration.revokeToken(tokenId);
  return {};
}

/** Returns the id of a token of this account. Throws `not-found` if the token belongs to another account. */
function ownTokenId({ lookup }: Sandbox, { id }: LookupAccount, tokenId: string | null): string {
  const own = lookup.administration.tokens(id).find((token) => token.id === tokenId);
  if (own === undefined) throw new NudgeLabError('not-found', { message: 'This token does not exist in the account.' });
  return own.id;
}

function sendSignIn(
  response: Response,
  sandbox: Sandbox,
  fault: TokensFault | null,
  email = '',
  waitSeconds: number | null = null,
): void {
  const address = getLookupTokensPath(sandbox.id);
  const document = tokensSignInPage({ tenant: toPageTenant(sandbox), address, fault, email });
  if (waitSeconds === null) return sendPage(response, fault === null ? 200 : 401, document);
  sendPage(response, tooManyRequests, document, { headers: { 'Retry-After': String(waitSeconds) } });
}

const tooManyRequests = 429;

function getPrefix(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '' : `/s/${sandboxId}`;
}
