import { type Request, type RequestHandler, type Response, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import type { FaultListener } from '../faults.ts';
import type { Interactions } from '../oidc/interactions.ts';
import { refuseForeignOrigin } from '../origin-check.ts';
import { noteCaller } from '../request-log.ts';
import { getSandbox, resolveSandbox } from '../resolve-sandbox.ts';
import { noteBegunSignIn } from '../traffic/request-spans.ts';
import { getSignInPath } from './addresses.ts';
import { ApplicationSignIn } from './application-sign-in.ts';
import { brandFile, createReader, serveBrand } from './brand.ts';
import { type BrowserSignIn, getBrowserSignIn, interactionNamed, runningQuery } from './browser-sign-in.ts';
import { FirstPage } from './first-page.ts';
import { readForm } from './form-body.ts';
import { type JourneyAnswer, showAgain, takeForm } from './journey.ts';
import { pageErrors, pageNotFound } from './page-errors.ts';
import { pagePaths, relatedOriginsPath } from './page-paths.ts';
import {
  asksForPasskey,
  type CeremonyMoment,
  createCeremonyService,
  createUpgradeService,
  creationOptionsFor,
  disabledCeremonyService,
  passkeySettings,
} from './passkeys/ceremony-service.ts';
import { OneTimeChallenges } from './passkeys/one-time-challenges.ts';
import { getRelyingParty } from './passkeys/relying-party.ts';
import { signalsOfUser } from './passkeys/signals.ts';
import { phoneRoutes } from './phone.route.ts';
import { renderSignIn, type SignInEnd } from './render-sign-in.ts';
import { securityInfoRoutes } from './security-info.route.ts';
import { sendCookie } from './send-cookie.ts';
import { sendPage } from './send-page.ts';
import { holdsCookie, holdsToken, type SessionProof, Sessions, sessionCookie } from './session.ts';
import { ShownPages } from './shown-pages.ts';
import { signedInCookies } from './signed-in-session.ts';
import type { CeremonyService } from './submitted-form.ts';

/** Form action of the unload beacon. The browser has left the page, so the response is not read (A41). */
const leftAction = 'left';

/** Options of the identity pages. */
export interface IdentityOptions {
  readonly interactions: Interactions;
  readonly onFault?: FaultListener;
}

/**
 * Creates the router for the sign-in pages. `/sign-in` starts a sign-in, and `/sign-in/{id}` is the only URL of a
 * running one. The response to a form is the next page itself, so each request is one event in the journal. The sign-in
 * of an application ends with a redirect to it.
 */
export function identityPages(sandboxes: Sandboxes, { interactions, onFault }: IdentityOptions): Router {
  const router = Router({ mergeParams: true });
  const sessions = new Sessions();
  const pages = new IdentityPages(interactions, sessions);
  router.use([...pagePaths], resolveSandbox(sandboxes));
  router.get('/sign-in', pages.first);
  router.post('/sign-in', pages.begin);
  router.get(`/sign-in/${brandFile}`, serveBrand);
  router.get('/sign-in/:signInId', pages.show);
  router.post('/sign-in/:signInId', pages.answer);
  router.all(['/sign-in', '/sign-in/:signInId'], refuseMethod);
  router.get(relatedOriginsPath, resolveSandbox(sandboxes), showRelatedOrigins);
  router.use('/phone', phoneRoutes());
  router.use('/security-info', securityInfoRoutes(sessions));
  router.use([...pagePaths], pageNotFound);
  router.use([...pagePaths], pageErrors(onFault));
  return router;
}

class IdentityPages {
  readonly #interactions: Interactions;
  readonly #sessions: Sessions;
  readonly #firstPage: FirstPage;
  readonly #applications: ApplicationSignIn;
  readonly #upgrades: OneTimeChallenges;
  readonly #shown = new ShownPages();

  constructor(interactions: Interactions, sessions: Sessions) {
    this.#interactions = interactions;
    this.#sessions = sessions;
    this.#firstPage = new FirstPage(sessions);
    this.#upgrades = new OneTimeChallenges(sessions, 'upgrade');
    this.#applications = new ApplicationSignIn(sessions, interactions);
  }

  /** Shows the first page of a sign-in, or the consent or account page that an application requires instead. */
  readonly first: RequestHandler = async (request, response) => {
    const visit = await getBrowserSignIn(request, response, this.#interactions);
    if (await this.#applications.show(visit, request, response)) return;
    await this.#firstPage.show(visit, request, response);
  };

  /** Starts the sign-in of the submitted user. An unknown name is shown again without recording an event. */
  readonly begin: RequestHandler = async (request, response) => {
    refuseForeignOrigin(request);
    const visit = await getBrowserSignIn(request, response, this.#interactions);
    const fields = await readForm(request);
    if (await this.#applications.take(visit, fields, response)) return;
    const begun = await this.#firstPage.begin(visit, fields, request, response);
    if (begun === null) return;
    const proof = await this.#sessions.createProof(visit.sandbox, begun, interactionNamed(request));
    sendCookie(response, sessionCookie(proof, getSignInPath(visit.sandbox.id, begun.id)));
    noteBegunSignIn(response, getSignInPath(visit.sandbox.id, begun.id));
    await this.#answerWith({ status: 200, view: begun, fault: null }, { visit, proof, request, response });
  };

  /**
   * Shows the current screen. Without the cookie of this sign-in, the response is 404 because ids alone grant no
   * access.
   */
  readonly show: RequestHandler = async (request, response) => {
    const sandbox = getSandbox(response);
    const signInId = getSignInId(request);
    const known = sandbox.signIns.view(signInId);
    noteCaller(response, { userId: known.userId });
    const proof = await this.#sessions.createProof(sandbox, known, interactionNamed(request));
    if (!holdsCookie(request.headers.cookie, proof)) {
      throw new NudgeLabError('sign-in-not-found', { message: 'The sign-in does not exist in this browser.' });
    }
    const visit = await getBrowserSignIn(request, response, this.#interactions);
    const view = await showAgain(sandbox, signInId);
    await this.#answerWith({ status: 200, view, fault: null }, { visit, proof, request, response });
  };

  /** Handles a form of a running sign-in from the browser that started it. */
  readonly answer: RequestHandler = async (request, response) => {
    refuseForeignOrigin(request);
    const sandbox = getSandbox(response);
    const signInId = getSignInId(request);
    const fields = await readForm(request);
    const view = sandbox.signIns.view(signInId);
    noteCaller(response, { userId: view.userId });
    const proof = await this.#sessions.createProof(sandbox, view, interactionNamed(request));
    if (!(holdsCookie(request.headers.cookie, proof) && holdsToken(fields, proof))) {
      throw new NudgeLabError('anti-forgery-token-invalid', {
        message: 'The form does not belong to the sign-in of this browser.',
      });
    }
    if (fields.get('action') === leftAction) {
      if (!this.#shown.isOutdated(sandbox, signInId, fields.get('shown'))) await sandbox.signIns.leave(signInId);
      response.writeHead(204, { 'Cache-Control': 'no-store' }).end();
      return;
    }
    const visit = await getBrowserSignIn(request, response, this.#interactions);
    if (await this.#applications.stay(visit, view, fields, response)) return;
    const ceremony = await this.#requireCeremonyService(visit, view, request);
    const answered = await takeForm({ sandbox, view, fields, ceremony });
    await this.#answerWith(answered, { visit, proof, request, response });
  };

  /** Sends the current screen of a sign-in, or redirects to the application if the sign-in has finished. */
  async #answerWith(
    { status, view, fault, waitSeconds }: JourneyAnswer,
    { visit, proof, request, response }: Answering,
  ) {
    noteCaller(response, { userId: view.userId, client: visit.interaction?.clientId ?? null });
    if (view.finished) {
      this.#shown.forget(visit.sandbox, view.id);
      const cookies = await signedInCookies(this.#sessions, visit.sandbox, view);
      for (const cookie of cookies) sendCookie(response, cookie);
      if (await this.#applications.finish(visit, view, proof, { request, response })) return;
    }
    const { sandbox } = visit;
    const moment = await this.#findMoment(visit, view, request);
    const pageNumber = view.finished ? null : this.#shown.next(visit.sandbox, view.id);
    const end = view.finished ? await this.#getEndState(visit, view, request) : null;
    const document = await renderSignIn({
      sandbox,
      view,
      moment,
      end,
      proof,
      fault,
      reader: createReader(request, visit.uiLocales),
      query: runningQuery(visit),
      shown: pageNumber,
    });
    const headers = waitSeconds === undefined ? {} : { 'Retry-After': String(waitSeconds) };
    sendPage(response, status, document, { headers, formTarget: visit.interaction?.formTarget });
  }

  /** Returns the service that handles authenticator responses for the current page of a sign-in. */
  async #requireCeremonyService(visit: BrowserSignIn, view: SignInView, request: Request): Promise<CeremonyService> {
    const moment = await this.#findMoment(visit, view, request);
    if (moment !== null) return createCeremonyService(moment);
    const { sandbox } = visit;
    if (!view.finished) return disabledCeremonyService;
    const relyingParty = getRelyingParty(request, passkeySettings(sandbox));
    return createUpgradeService({ sandbox, view, relyingParty, challenge: this.#upgrades.of(sandbox, view.id) });
  }

  /** Returns the signals and the automatic passkey upgrade of the last page of a sign-in. */
  async #getEndState({ sandbox }: BrowserSignIn, { id, userId }: SignInView, request: Request): Promise<SignInEnd> {
    const relyingParty = getRelyingParty(request, passkeySettings(sandbox));
    const signals = signalsOfUser(sandbox, userId, relyingParty);
    if (!sandbox.securityInfo.offersUpgrade(id)) return { signals, upgrade: null };
    const challenge = await this.#upgrades.make(sandbox, id);
    return { signals, upgrade: creationOptionsFor({ sandbox, userId, relyingParty, challenge }, true) };
  }

  /** Returns the passkey ceremony of the current page. `null` for most pages, which have none. */
  async #findMoment({ sandbox }: BrowserSignIn, view: SignInView, request: Request): Promise<CeremonyMoment | null> {
    if (!asksForPasskey(view)) return null;
    const moment = [view.id, view.startedAtMs, view.eventCount] as const;
    const challenge = await this.#sessions.createSeal(sandbox, 'passkey-challenge', ...moment);
    return { sandbox, view, relyingParty: getRelyingParty(request, passkeySettings(sandbox)), challenge };
  }
}

interface Answering {
  readonly visit: BrowserSignIn;
  readonly proof: SessionProof;
  readonly request: Request;
  readonly response: Response;
}

const showRelatedOrigins: RequestHandler = (_request, response) => {
  const origins = passkeySettings(getSandbox(response))?.relatedOrigins ?? [];
  response.set('Cache-Control', 'no-store').json({ origins });
};

const refuseMethod: RequestHandler = (request) => {
  throw new NudgeLabError('method-not-allowed', {
    message: `Pages support GET and POST, not ${request.method}.`,
    headers: { Allow: 'GET, HEAD, POST' },
  });
};

function getSignInId({ params }: Request): string {
  return String(params['signInId']);
}
