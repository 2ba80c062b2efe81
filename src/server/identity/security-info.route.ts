import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { OperatingSystem } from '../../../machines/vocabulary.ts';
import { registeredMethods } from '../../../machines/vocabulary.ts';
import { passkeyNameCharactersMax } from '../../contract/credential.schema.ts';
import { isPasskeyType } from '../../contract/passkey-type-detection.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { refuseForeignOrigin } from '../origin-check.ts';
import { noteCaller } from '../request-log.ts';
import { getSandbox } from '../resolve-sandbox.ts';
import { getBasePath, getPhonePath, getSecurityInfoPath } from './addresses.ts';
import { createReader, toPageTenant } from './brand.ts';
import { readForm } from './form-body.ts';
import { type SecurityInfoFault, securityInfoListPage } from './pages/security-info-list.page.ts';
import {
  type CeremonyPlace,
  creationOptionsFor,
  keepForUser,
  makeTestPasskey,
  passkeySettings,
  registrationPlace,
} from './passkeys/ceremony-service.ts';
import { OneTimeChallenges } from './passkeys/one-time-challenges.ts';
import { getRelyingParty } from './passkeys/relying-party.ts';
import { signalsOfUser } from './passkeys/signals.ts';
import { type GivenChallenges, type MadePasskey, verifyRegistration } from './passkeys/verify.ts';
import { sendPage } from './send-page.ts';
import { holdsToken, type Sessions } from './session.ts';
import { type SignedIn, signedInUser } from './signed-in-session.ts';

/** Creates the routes of the page where a user who is signed in in this browser manages their own methods. */
export function securityInfoRoutes(sessions: Sessions): Router {
  const router = Router({ mergeParams: true });
  const handlers = new SecurityInfoHandlers(sessions);
  router.get('/', handlers.show);
  router.post('/', handlers.take);
  return router;
}

interface Visitor {
  readonly sandbox: Sandbox;
  readonly signedIn: SignedIn;
  readonly place: CeremonyPlace;
  /** Challenges issued to this page. They prevent a removed passkey from being added again with the original form. */
  readonly given: GivenChallenges;
  readonly os: OperatingSystem;
  readonly deviceId: string;
}

class SecurityInfoHandlers {
  readonly #sessions: Sessions;
  readonly #challenges: OneTimeChallenges;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
    this.#challenges = new OneTimeChallenges(sessions, 'security information');
  }

  readonly show: RequestHandler = async (request, response) => {
    const visitor = await this.#findVisitor(request, response);
    if (visitor === null) return;
    await this.#answer(request, response, null);
  };

  readonly take: RequestHandler = async (request, response) => {
    refuseForeignOrigin(request);
    const fields = await readForm(request);
    const visitor = await this.#findVisitor(request, response);
    if (visitor === null) return;
    if (!holdsToken(fields, visitor.signedIn)) {
      throw new NudgeLabError('anti-forgery-token-invalid', { message: 'The form does not belong to this browser.' });
    }
    if (registrationIsBlocked(visitor)) throw new NudgeLabError('passkey-not-allowed', { message: blockedMessage });
    await this.#answer(request, response, await takeForm(visitor, fields));
  };

  /** Shows the updated page after an action, with a new challenge. */
  async #answer(request: Request, response: Response, fault: SecurityInfoFault | null): Promise<void> {
    const visitor = await this.#findVisitor(request, response);
    if (visitor === null) return;
    const { sandbox, signedIn, place, deviceId } = visitor;
    const user = sandbox.directory.user(signedIn.userId);
    const document = securityInfoListPage({
      tenant: toPageTenant(sandbox, createReader(request)),
      address: getSecurityInfoPath(sandbox.id),
      formToken: signedIn.formToken,
      user,
      passkeys: sandbox.directory.passkeys(user.id),
      phone: getPhonePath(sandbox.id, user.userPrincipalName),
      ceremony: creationOptionsFor(place),
      deviceId,
      blocked: registrationIsBlocked(visitor),
      signals: signalsOfUser(sandbox, user.id, place.relyingParty),
      fault,
    });
    sendPage(response, fault === null ? 200 : 400, document);
  }

  /** Returns the signed-in user of the browser. If there is none, redirects to a sign-in and returns `null`. */
  async #findVisitor(request: Request, response: Response): Promise<Visitor | null> {
    const sandbox = getSandbox(response);
    const signedIn = await signedInUser(this.#sessions, sandbox, request.headers.cookie);
    if (signedIn === null) {
      response.writeHead(303, { Location: getBasePath(sandbox.id), 'Cache-Control': 'no-store' }).end();
      return null;
    }
    const { userId, signInId } = signedIn;
    noteCaller(response, { userId });
    const { os, deviceId } = sandbox.signIns.view(signInId);
    const challenge = await this.#challenges.make(sandbox);
    return {
      sandbox,
      signedIn,
      place: { sandbox, userId, relyingParty: getRelyingParty(request, passkeySettings(sandbox)), challenge },
      given: this.#challenges.of(sandbox),
      os,
      deviceId,
    };
  }
}

const blockedMessage = 'A policy set by your administrator blocks the registration of sign-in methods.';

/** Returns `true` if conditional access, as evaluated for the sign-in, blocks this page (R4, R13.3). */
function registrationIsBlocked({ sandbox, signedIn: { signInId } }: Visitor): boolean {
  const conditions = sandbox.signIns.attempt(signInId)?.conditionalAccess;
  return conditions !== undefined && (conditions.registrationPageBlocked || !conditions.registrationConditionMet);
}

type Task = (visitor: Visitor, fields: URLSearchParams) => Promise<SecurityInfoFault | null>;

const tasks: Readonly<Record<string, Task>> = {
  'add-method': addMethod,
  'remove-method': removeMethod,
  'make-passkey': makePasskey,
  finish: addTestPasskey,
  fail: async () => 'passkey-refused',
  'rename-passkey': renamePasskey,
  'remove-passkey': async ({ sandbox, signedIn }, fields) => {
    await sandbox.securityInfo.removePasskey(signedIn.userId, findPasskeyIndex(sandbox, signedIn, fields));
    return null;
  },
};

async function takeForm(visitor: Visitor, fields: URLSearchParams): Promise<SecurityInfoFault | null> {
  const action = fields.get('action') ?? '';
  const task = Object.hasOwn(tasks, action) ? tasks[action] : undefined;
  if (task === undefined)
    throw new NudgeLabError('bad-request', { message: 'This action does not exist on this page.' });
  return task(visitor, fields);
}

async function addMethod({ sandbox, signedIn }: Visitor, fields: URLSearchParams): Promise<SecurityInfoFault | null> {
  const method = registeredMethods.find((known) => known === fields.get('method'));
  if (method === undefined) return 'method-unknown';
  await sandbox.securityInfo.addMethod(signedIn.userId, method);
  return null;
}

async function removeMethod(
  { sandbox, signedIn }: Visitor,
  fields: URLSearchParams,
): Promise<SecurityInfoFault | null> {
  const method = registeredMethods.find((known) => known === fields.get('method'));
  if (method === undefined) return 'method-unknown';
  await sandbox.directory.removeMethod(signedIn.userId, method);
  return null;
}

async function makePasskey(visitor: Visitor, fields: URLSearchParams): Promise<SecurityInfoFault | null> {
  const { place, given, os, sandbox } = visitor;
  const ceremony = { answer: fields.get('credential') ?? '', challenge: given, relyingParty: place.relyingParty };
  return add(visitor, await verifyRegistration(ceremony, await registrationPlace(sandbox, os)));
}

async function addTestPasskey(visitor: Visitor, fields: URLSearchParams): Promise<SecurityInfoFault | null> {
  const { place, os, sandbox } = visitor;
  const type = fields.get('passkeyType') ?? '';
  if (!isPasskeyType(type)) return 'passkey-type-unknown';
  const seed = `${sandbox.seed} ${place.userId} ${sandbox.entryCount}`;
  return add(visitor, await makeTestPasskey({ ...place, os, type, seed }));
}

async function add(
  { sandbox, signedIn, deviceId }: Visitor,
  made: MadePasskey | null,
): Promise<SecurityInfoFault | null> {
  if (made === null) return 'passkey-refused';
  const refused = await keepForUser({ sandbox, userId: signedIn.userId, deviceId }, made);
  if (refused === null) return null;
  return refused === 'credential-taken' ? 'passkey-refused' : 'passkey-not-admitted';
}

async function renamePasskey(
  { sandbox, signedIn }: Visitor,
  fields: URLSearchParams,
): Promise<SecurityInfoFault | null> {
  const name = (fields.get('name') ?? '').trim();
  if (name === '' || name.length > passkeyNameCharactersMax) return 'passkey-name-missing';
  await sandbox.securityInfo.renamePasskey(signedIn.userId, findPasskeyIndex(sandbox, signedIn, fields), name);
  return null;
}

/** Returns the index of the passkey in a form by its id, because removing a passkey shifts the following indexes. */
function findPasskeyIndex({ directory }: Sandbox, { userId }: SignedIn, fields: URLSearchParams): number {
  return directory.passkeys(userId).findIndex(({ credential: { id } }) => id === fields.get('passkey'));
}
