import { type Request, type RequestHandler, type Response, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { SignInView } from '../../sandbox/sign-ins.ts';
import type { FaultListener } from '../faults.ts';
import { refuseForeignOrigin } from '../origin-check.ts';
import { resolveSandbox, sandboxOf } from '../resolve-sandbox.ts';
import { addressOf, beginningOf } from './addresses.ts';
import { readForm } from './form-body.ts';
import { type FormFault, type JourneyAnswer, showAgain, takeForm } from './journey.ts';
import { pageErrors, pageNotFound } from './page-errors.ts';
import { namePage } from './pages/name.page.ts';
import type { SignInPage } from './pages/sign-in-page.ts';
import { renderScreen } from './screen-pages.ts';
import { sendPage } from './send-page.ts';
import { holdsCookie, holdsToken, type SessionProof, Sessions, sessionCookie } from './session.ts';

/** The unload beacon: the browser left the page, and nobody reads the answer (A41). */
const leftAction = 'left';

/**
 * The pages of a sign-in, without client script: `/sign-in` begins one, `/sign-in/{id}` is the one address of a running one.
 * A form is answered by the next page itself, so that one request is one input of the journal.
 */
export function identityPages(sandboxes: Sandboxes, options: { readonly onFault?: FaultListener } = {}): Router {
  const router = Router({ mergeParams: true });
  const sessions = new Sessions();
  router.use('/sign-in', resolveSandbox(sandboxes));
  router.get('/sign-in', showName);
  router.post('/sign-in', beginSignIn(sessions));
  router.get('/sign-in/:signInId', showScreen(sessions));
  router.post('/sign-in/:signInId', answerForm(sessions));
  router.all(['/sign-in', '/sign-in/:signInId'], refuseMethod);
  router.use('/sign-in', pageNotFound);
  router.use('/sign-in', pageErrors(options.onFault));
  return router;
}

const showName: RequestHandler = (_request, response) => {
  const { id } = sandboxOf(response);
  sendPage(response, 200, namePage({ sandboxId: id, beginning: beginningOf(id), unknownName: null }));
};

/** Begins the sign-in of the user that was named; a name that nobody has is shown again, and nothing is recorded. */
function beginSignIn(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    refuseForeignOrigin(request);
    const sandbox = sandboxOf(response);
    const username = (await readForm(request)).get('username')?.trim() ?? '';
    const user = sandbox.directory.userNamed(username);
    if (user === null) {
      const page = { sandboxId: sandbox.id, beginning: beginningOf(sandbox.id), unknownName: username };
      sendPage(response, 400, namePage(page));
      return;
    }
    const view = await sandbox.signIns.start(user.id);
    const proof = await sessions.proofOf(sandbox, view);
    const headers = { 'Set-Cookie': sessionCookie(proof, addressOf(sandbox.id, view.id)) };
    sendPage(response, 200, renderScreen(pageOf(sandbox, view, proof, null)), headers);
  };
}

/** The current screen. Without the cookie of this sign-in it does not exist: ids alone open nothing. */
function showScreen(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const sandbox = sandboxOf(response);
    const signInId = signInIdOf(request);
    const proof = await sessions.proofOf(sandbox, sandbox.signIns.view(signInId));
    if (!holdsCookie(request.headers.cookie, proof)) {
      throw new NudgeLabError('sign-in-unknown', { message: 'This browser has no such sign-in.' });
    }
    answerWith(response, { status: 200, view: await showAgain(sandbox, signInId), fault: null }, proof);
  };
}

/** Takes a form of a running sign-in from the browser that runs it. */
function answerForm(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    refuseForeignOrigin(request);
    const sandbox = sandboxOf(response);
    const signInId = signInIdOf(request);
    const form = await readForm(request);
    const proof = await sessions.proofOf(sandbox, sandbox.signIns.view(signInId));
    if (!(holdsCookie(request.headers.cookie, proof) && holdsToken(form, proof))) {
      throw new NudgeLabError('form-token-invalid', { message: 'The form is not one of this browser’s sign-in.' });
    }
    if (form.get('action') === leftAction) {
      await sandbox.signIns.leave(signInId);
      response.writeHead(204, { 'Cache-Control': 'no-store' }).end();
      return;
    }
    answerWith(response, await takeForm(sandbox, signInId, form), proof);
  };
}

const refuseMethod: RequestHandler = (request) => {
  throw new NudgeLabError('method-not-allowed', {
    message: `The pages take GET and POST, not ${request.method}.`,
    headers: { Allow: 'GET, HEAD, POST' },
  });
};

function answerWith(response: Response, { status, view, fault }: JourneyAnswer, proof: SessionProof): void {
  sendPage(response, status, renderScreen(pageOf(sandboxOf(response), view, proof, fault)));
}

function pageOf(sandbox: Sandbox, view: SignInView, { formToken }: SessionProof, fault: FormFault | null): SignInPage {
  return {
    view,
    sandboxId: sandbox.id,
    address: addressOf(sandbox.id, view.id),
    formToken,
    userPrincipalName: sandbox.directory.user(view.userId).userPrincipalName,
    beginning: beginningOf(sandbox.id),
    fault,
  };
}

function signInIdOf({ params }: Request): string {
  return String(params['signInId']);
}
