import { type Request, type RequestHandler, type Response, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import { randomId } from '../../core/ids.ts';
import { sameSecret } from '../../core/secrets.ts';
import { readForm } from '../identity/form-body.ts';
import { sendCookie } from '../identity/send-cookie.ts';
import { sendPage } from '../identity/send-page.ts';
import { cookiesNamed } from '../identity/session.ts';
import { refuseForeignOrigin } from '../origin-check.ts';
import { type ControlAccess, sessionCookieName, sessionPaths } from './control-access.ts';
import { type KeyFault, keyPage, leavePage } from './key.page.ts';

const consolePath = '/_console';
const signInPath = `${consolePath}/sign-in`;
const signOutPath = `${consolePath}/sign-out`;

/**
 * Cookie that binds the sign-in form to a browser. Other origins cannot read the nonce that the form token is derived
 * from.
 */
const formCookieName = 'nudgelab-console-form';
const nonceForm = /^[\w-]{36}$/;

/** Paths of the console. Restricting redirects to them prevents open redirects through the query. */
const consoleAddress = /^\/_console(?:\/[\w./%~:@=&?,;+-]{0,500})?$/;

const seeOther = 303;
const tooManyRequests = 429;

/**
 * Creates the router for console sign-in and sign-out with the control key. It passes requests of signed-in users below
 * `/_console` on and redirects all others to the sign-in page.
 *
 * @param access - access control of the server, or `null` if no key is configured
 */
export function consoleSession(access: ControlAccess | null): Router {
  const router = Router({ caseSensitive: true });
  if (access === null) {
    router.get([signInPath, signOutPath], (_request, response) => goTo(response, consolePath));
    return router;
  }
  const handlers = new ConsoleSessionHandlers(access);
  router.get(signInPath, handlers.ask);
  router.post(signInPath, handlers.signIn);
  router.get(signOutPath, handlers.askToLeave);
  router.post(signOutPath, handlers.signOut);
  return router.use(handlers.admit);
}

class ConsoleSessionHandlers {
  readonly #access: ControlAccess;

  constructor(access: ControlAccess) {
    this.#access = access;
  }

  /** Requires a session for the console document. The asset files are public because they are part of the package. */
  readonly admit: RequestHandler = (request, response, next) => {
    const path = request.path.toLowerCase();
    const isDocument = path === consolePath || path.startsWith(`${consolePath}/`);
    const isFile = path.startsWith(`${consolePath}/assets/`);
    if (!isDocument || isFile || this.#access.findSession(request) !== null) next();
    else goTo(response, `${signInPath}?${new URLSearchParams({ next: parseNext(request.originalUrl) })}`);
  };

  readonly ask: RequestHandler = (request, response) => {
    const requestedPath = new URL(request.originalUrl, 'http://localhost').searchParams.get('next');
    const next = parseNext(requestedPath ?? consolePath);
    if (this.#access.findSession(request) !== null) goTo(response, next);
    else this.#show(response, next, null);
  };

  readonly signIn: RequestHandler = async (request, response) => {
    refuseForeignOrigin(request);
    const fields = await readForm(request);
    const nonces = cookiesNamed(request.headers.cookie, formCookieName).filter((nonce) => nonceForm.test(nonce));
    const token = fields.get('formToken') ?? '';
    if (!nonces.some((nonce) => sameSecret(token, this.#createFormToken(nonce)))) throw foreignForm();
    const next = parseNext(fields.get('next') ?? consolePath);
    const fault = this.#findFault(fields.get('key') ?? '', request, response);
    if (fault !== null) {
      this.#show(response, next, fault);
      return;
    }
    const session = this.#access.beginSession();
    for (const path of sessionPaths) sendCookie(response, formatCookie(sessionCookieName, session, path));
    sendCookie(response, formatEndedCookie(formCookieName, signInPath));
    goTo(response, next);
  };

  readonly askToLeave: RequestHandler = (request, response) => {
    const session = this.#access.findSession(request);
    if (session === null) return goTo(response, signInPath);
    sendPage(response, 200, leavePage(signOutPath, this.#createLeaveToken(session), consolePath));
  };

  readonly signOut: RequestHandler = async (request, response) => {
    refuseForeignOrigin(request);
    const fields = await readForm(request);
    const session = this.#access.findSession(request);
    if (session !== null) {
      if (!sameSecret(fields.get('formToken') ?? '', this.#createLeaveToken(session))) throw foreignForm();
      this.#access.endSession(session);
    }
    for (const path of sessionPaths) sendCookie(response, formatEndedCookie(sessionCookieName, path));
    goTo(response, signInPath);
  };

  #show(response: Response, next: string, fault: KeyFault | null): void {
    const nonce = randomId();
    sendCookie(response, formatCookie(formCookieName, nonce, signInPath));
    const document = keyPage({ address: signInPath, formToken: this.#createFormToken(nonce), next, fault });
    sendPage(response, fault === null ? 200 : statuses[fault], document);
  }

  /** Returns the problem with a key, or `null` if the key is correct. */
  #findFault(given: string, request: Request, response: Response): KeyFault | null {
    if (given === '') return 'key-missing';
    try {
      return this.#access.admits(given, request.socket.remoteAddress ?? '') ? null : 'key-wrong';
    } catch (error) {
      if (!(error instanceof NudgeLabError) || error.code !== 'too-many-requests') throw error;
      response.set(error.headers);
      return 'too-many-guesses';
    }
  }

  #createFormToken(nonce: string): string {
    return this.#access.seal('console-form', nonce);
  }

  #createLeaveToken(session: string): string {
    return this.#access.seal('console-sign-out-form', session);
  }
}

const statuses: Readonly<Record<KeyFault, number>> = {
  'key-missing': 400,
  'key-wrong': 401,
  'too-many-guesses': tooManyRequests,
};

function parseNext(address: string): string {
  return consoleAddress.test(address) && !address.startsWith(signInPath) ? address : consolePath;
}

function goTo(response: Response, address: string): void {
  response.writeHead(seeOther, { Location: address, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
}

function formatCookie(name: string, value: string, path: string): string {
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Strict`;
}

function formatEndedCookie(name: string, path: string): string {
  return `${name}=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Strict`;
}

function foreignForm(): NudgeLabError {
  return new NudgeLabError('anti-forgery-token-invalid', { message: 'The form does not belong to this browser.' });
}
