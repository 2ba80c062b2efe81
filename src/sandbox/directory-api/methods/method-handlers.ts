import type { MethodBodies, MethodOperationId } from '../../../contract/directory-api/method-operations.ts';
import {
  type MethodTypeName,
  methodTypeNames,
  methodTypes,
  registrationTypes,
} from '../../../contract/directory-api/method-types.ts';
import type { ResourceType } from '../../../contract/directory-api/resource-type.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { getPreference, isSystemPreferredFor } from '../../../journal/registration-details.ts';
import { toRegistrationPolicy } from '../../../journal/registration-times.ts';
import type { UserRecord } from '../../../journal/state.ts';
import type { DirectoryCall, DirectoryHandler, OperationResult } from '../directory-call.ts';
import type { AnyResourceSet } from '../resource-set.ts';
import { badField, type MethodSubject, requireType } from './method-changes.ts';
import { emailMethodId, findMethod, listMethods, type MethodObject, phoneMethodIds } from './registered-methods.ts';

/** Handlers of the operations on the methods of users, by id. */
export const methodHandlers: Readonly<Record<MethodOperationId, DirectoryHandler>> = {
  listMethods: (call) => toMethods(call, methodTypeNames),
  getMethod: (call) => toMethods(call, methodTypeNames, true),
  listPasswordMethods: createListHandler('passwordAuthenticationMethod'),
  getPasswordMethod: createGetHandler('passwordAuthenticationMethod'),
  resetPassword: (call) => {
    findOne(call, ['passwordAuthenticationMethod']);
    throw new NudgeLabError('not-simulated', {
      message: 'Resetting a password is not simulated: passwords of users are test data. Change the user instead.',
    });
  },
  listPhoneMethods: createListHandler('phoneAuthenticationMethod'),
  getPhoneMethod: createGetHandler('phoneAuthenticationMethod'),
  addPhoneMethod,
  updatePhoneMethod,
  removePhoneMethod: createRemovalHandler('phoneAuthenticationMethod'),
  listEmailMethods: createListHandler('emailAuthenticationMethod'),
  getEmailMethod: createGetHandler('emailAuthenticationMethod'),
  addEmailMethod,
  updateEmailMethod,
  removeEmailMethod: createRemovalHandler('emailAuthenticationMethod'),
  getPasskeyCreationOptions,
  listFido2Methods: createListHandler('fido2AuthenticationMethod'),
  getFido2Method: createGetHandler('fido2AuthenticationMethod'),
  addFido2Method,
  removeFido2Method: createRemovalHandler('fido2AuthenticationMethod'),
  listAppMethods: createListHandler('vendorAuthenticatorAuthenticationMethod'),
  getAppMethod: createGetHandler('vendorAuthenticatorAuthenticationMethod'),
  removeAppMethod: createRemovalHandler('vendorAuthenticatorAuthenticationMethod'),
  listSoftwareOathMethods: createListHandler('softwareOathAuthenticationMethod'),
  getSoftwareOathMethod: createGetHandler('softwareOathAuthenticationMethod'),
  removeSoftwareOathMethod: createRemovalHandler('softwareOathAuthenticationMethod'),
  listHardwareOathMethods: createListHandler('hardwareOathAuthenticationMethod'),
  getHardwareOathMethod: createGetHandler('hardwareOathAuthenticationMethod'),
  removeHardwareOathMethod: createRemovalHandler('hardwareOathAuthenticationMethod'),
  listTemporaryAccessPasses: createListHandler('temporaryAccessPassAuthenticationMethod'),
  getTemporaryAccessPass: createGetHandler('temporaryAccessPassAuthenticationMethod'),
  addTemporaryAccessPass,
  removeTemporaryAccessPass: createRemovalHandler('temporaryAccessPassAuthenticationMethod'),
  listWindowsHelloMethods: createListHandler('windowsHelloForBusinessAuthenticationMethod'),
  getWindowsHelloMethod: createGetHandler('windowsHelloForBusinessAuthenticationMethod'),
  removeWindowsHelloMethod: createRemovalHandler('windowsHelloForBusinessAuthenticationMethod'),
  listPlatformCredentials: createListHandler('platformCredentialAuthenticationMethod'),
  getPlatformCredential: createGetHandler('platformCredentialAuthenticationMethod'),
  removePlatformCredential: createRemovalHandler('platformCredentialAuthenticationMethod'),
  listExternalMethods: createListHandler('externalAuthenticationMethod'),
  getExternalMethod: createGetHandler('externalAuthenticationMethod'),
  getQrCodePin: (call) => {
    findSubject(call);
    throw new NudgeLabError('not-found', { message: 'The user has no QR code with PIN.' });
  },
  getSignInPreferences: (call) => toSet(toPreferences(call, findSubject(call).user)),
  updateSignInPreferences,
  getRequirements: (call) => toSet(toRequirements(call, findSubject(call).user)),
  updateRequirements,
};

function createListHandler(type: MethodTypeName): DirectoryHandler {
  return (call) => toMethods(call, [type]);
}

function createGetHandler(type: MethodTypeName): DirectoryHandler {
  return (call) => toMethods(call, [type], true);
}

function createRemovalHandler(type: MethodTypeName): DirectoryHandler {
  return async (call) => {
    const subject = findSubject(call);
    await call.changes.remove(subject, findOne(call, [type]));
    return { kind: 'done' };
  };
}

/** Returns the methods of some types, or only the one that the path names. */
function toMethods(call: DirectoryCall, types: readonly MethodTypeName[], isOne = false): OperationResult {
  const rows = isOne ? [findOne(call, types)] : listOfTypes(call, types);
  return toSet(toMethodSet(call, rows, types));
}

function listOfTypes(call: DirectoryCall, types: readonly MethodTypeName[]): readonly MethodObject[] {
  const { view, changes, request } = call;
  const methods = listMethods(view, findSubject(call).user, { version: request.version, nowMs: changes.nowMs() });
  return methods.filter(({ type }) => types.includes(type));
}

/** Finds the method of a path among those of some types. Throws `not-found`. */
function findOne(call: DirectoryCall, types: readonly MethodTypeName[]): MethodObject {
  const id = call.params['method'] ?? '';
  const found = findMethod(listOfTypes(call, types), id);
  if (found !== undefined) return found;
  const [only] = types;
  const name = types.length === 1 && only !== undefined ? call.view.dialect.toWire(only) : 'authenticationMethod';
  throw new NudgeLabError('not-found', { message: `The ${name} '${id}' does not exist for this user.` });
}

/** Finds the user of a path. Throws `not-found`. */
export function findSubject({ view, params, caller }: DirectoryCall): MethodSubject {
  const given = params['user'] ?? '';
  const user = view.findUser(given);
  if (user === undefined) throw new NudgeLabError('not-found', { message: `The user '${given}' does not exist.` });
  return { view, user, caller };
}

function toMethodSet(
  call: DirectoryCall,
  rows: readonly MethodObject[],
  types: readonly MethodTypeName[],
): AnyResourceSet {
  const [only] = types;
  const collection =
    types.length === 1 && only !== undefined
      ? `${call.view.dialect
          .toWire(only)
          .replace('Authentication', '')
          .replace(/Method$/, '')}Methods`
      : 'methods';
  return {
    rows,
    read: ({ values }: MethodObject, name) => values[name],
    // Methods keep the order of their types.
    order: [],
    entitySet: `${getUserPath(call)}/authentication/${only === 'externalAuthenticationMethod' && types.length === 1 ? 'externalAuthenticationMethods' : collection}`,
    types: types.map((type) => methodTypes[type]),
    getType: ({ type }: MethodObject) => methodTypes[type],
  };
}

function getUserPath(call: DirectoryCall): string {
  const { facts } = findSubject(call).user;
  return `users('${call.view.wireIds.toWire('user', facts.id)}')`;
}

/** Returns the set of one resource that is not part of a collection. */
export function toSingleton(
  entitySet: string,
  type: ResourceType,
  values: Readonly<Record<string, unknown>>,
): AnyResourceSet {
  return {
    rows: [values],
    read: (row: Readonly<Record<string, unknown>>, name) => row[name],
    order: [],
    entitySet,
    isSingleton: true,
    types: [type],
    getType: () => type,
  };
}

function toPreferences(call: DirectoryCall, user: UserRecord): AnyResourceSet {
  const { directory } = user.profile;
  return toSingleton(`${getUserPath(call)}/authentication/signInPreferences`, registrationTypes.signInPreferences, {
    isSystemPreferredAuthenticationMethodEnabled:
      directory?.isSystemPreferredAuthenticationMethodEnabled ??
      isSystemPreferredFor(user, toRegistrationPolicy(call.view.state)),
    userPreferredMethodForSecondaryAuthentication: getPreference(user),
  });
}

function toRequirements(call: DirectoryCall, { profile }: UserRecord): AnyResourceSet {
  return toSingleton(
    `${getUserPath(call)}/authentication/requirements`,
    registrationTypes.strongAuthenticationRequirements,
    { perUserMfaState: profile.directory?.perUserMfaState ?? 'disabled' },
  );
}

async function readTyped<Id extends keyof MethodBodies>(
  call: DirectoryCall,
  _id: Id,
  type: string,
): Promise<MethodBodies[Id]> {
  const body = (await call.readBody()) as MethodBodies[Id];
  requireType(body['@odata.type'], type, call.view);
  return body;
}

/** Reads the change of a user. The user exists before the body is read, and is the current one after it. */
async function readChange<Id extends keyof MethodBodies>(
  call: DirectoryCall,
  id: Id,
  type: string,
): Promise<{ readonly subject: MethodSubject; readonly body: MethodBodies[Id] }> {
  findSubject(call);
  const body = await readTyped(call, id, type);
  return { body, subject: findSubject({ ...call, view: call.currentView() }) };
}

/** Returns the created method in the state after the change. */
function toCreated(call: DirectoryCall, type: MethodTypeName, id: string, extra: object = {}): OperationResult {
  const after: DirectoryCall = { ...call, view: call.currentView() };
  const method = findMethod(listOfTypes(after, [type]), id);
  if (method === undefined) throw new Error('The created method is missing.');
  const rows = [{ ...method, values: { ...method.values, ...extra } }];
  return { kind: 'created', set: toMethodSet(after, rows, [type]), id: String(method.values['id']) };
}

async function addPhoneMethod(call: DirectoryCall): Promise<OperationResult> {
  const { subject, body } = await readChange(call, 'addPhoneMethod', 'phoneAuthenticationMethod');
  await call.changes.addPhone(subject, body);
  return toCreated(call, 'phoneAuthenticationMethod', phoneMethodIds[body.phoneType]);
}

async function updatePhoneMethod(call: DirectoryCall): Promise<OperationResult> {
  const type = 'phoneAuthenticationMethod';
  findOne(call, [type]);
  const { subject, body } = await readChange(call, 'updatePhoneMethod', type);
  await call.changes.updatePhone(subject, findOne({ ...call, view: subject.view }, [type]), body);
  return toChanged(call, type);
}

async function updateEmailMethod(call: DirectoryCall): Promise<OperationResult> {
  const type = 'emailAuthenticationMethod';
  findOne(call, [type]);
  const { subject, body } = await readChange(call, 'updateEmailMethod', type);
  findOne({ ...call, view: subject.view }, [type]);
  await call.changes.changeDirectory(subject, { email: body.emailAddress });
  return toChanged(call, type);
}

/** Returns the changed method in the state after the change. */
function toChanged(call: DirectoryCall, type: MethodTypeName): OperationResult {
  const after: DirectoryCall = { ...call, view: call.currentView() };
  return { kind: 'changed', set: toMethodSet(after, [findOne(after, [type])], [type]) };
}

async function addEmailMethod(call: DirectoryCall): Promise<OperationResult> {
  const { subject, body } = await readChange(call, 'addEmailMethod', 'emailAuthenticationMethod');
  await call.changes.addEmail(subject, body);
  return toCreated(call, 'emailAuthenticationMethod', emailMethodId);
}

async function addTemporaryAccessPass(call: DirectoryCall): Promise<OperationResult> {
  const type = 'temporaryAccessPassAuthenticationMethod';
  const { subject, body } = await readChange(call, 'addTemporaryAccessPass', type);
  const temporaryAccessPass = await call.changes.addAccessPass(subject, body);
  return toCreated(call, type, `${subject.user.facts.id}:temporaryAccessPass`, { temporaryAccessPass });
}

/** Lifetimes of a challenge in minutes. */
const challengeMinutes = { standard: 5, least: 5, most: 43_200 };

async function getPasskeyCreationOptions(call: DirectoryCall): Promise<OperationResult> {
  const { view, request, changes } = call;
  const subject = findSubject(call);
  const minutes = readChallengeMinutes(call);
  changes.requirePasskeys(subject);
  const options = await request.passkeys.createOptions(subject.user.facts.id, minutes);
  const type = registrationTypes.webauthnCredentialCreationOptions;
  return toSet(toSingleton(`${view.dialect.data.namespace}.${type.name}`, type, options));
}

function readChallengeMinutes({ params, request }: DirectoryCall): number {
  const given = params['challengeTimeoutInMinutes'];
  if (given === undefined) return challengeMinutes.standard;
  if (request.version !== 'beta') {
    throw badField('challengeTimeoutInMinutes', 'the argument is supported only under /beta');
  }
  const minutes = /^\d{1,6}$/.test(given) ? Number(given) : Number.NaN;
  const { least, most } = challengeMinutes;
  if (minutes >= least && minutes <= most) return minutes;
  throw badField('challengeTimeoutInMinutes', `"${given.slice(0, 40)}" is not a whole number from ${least} to ${most}`);
}

async function addFido2Method(call: DirectoryCall): Promise<OperationResult> {
  const { view, request, changes } = call;
  const subject = findSubject(call);
  const type = 'fido2AuthenticationMethod';
  const { displayName, publicKeyCredential } = await readTyped(call, 'addFido2Method', type);
  const { response, clientExtensionResults, id, '@odata.type': given } = publicKeyCredential;
  requireType(given, 'webauthnPublicKeyCredential', view, 'publicKeyCredential.');
  requireType(
    response['@odata.type'],
    'webauthnAuthenticatorAttestationResponse',
    view,
    'publicKeyCredential.response.',
  );
  changes.requirePasskeys(subject);
  const { clientDataJSON, attestationObject } = response;
  const made = await request.passkeys.verify(subject.user.facts.id, {
    id,
    rawId: id,
    type: 'public-key',
    response: { clientDataJSON, attestationObject },
    clientExtensionResults: clientExtensionResults ?? {},
  });
  if (typeof made === 'string') throw badField('publicKeyCredential', made);
  const credential = { ...made.credential, ...(displayName == null ? {} : { name: displayName }) };
  // The state can have changed while the passkey was verified.
  const current = findSubject({ ...call, view: call.currentView() });
  await changes.addPasskey(current, { ...made, credential });
  return toCreatedPasskey(call, credential.id);
}

/** Returns the created passkey, whose type depends on its model. */
function toCreatedPasskey(call: DirectoryCall, credentialId: string): OperationResult {
  const after: DirectoryCall = { ...call, view: call.currentView() };
  const { user } = findSubject(after);
  const place = user.facts.passkeys.findIndex((passkey) => passkey.credentialId === credentialId);
  const method = listOfTypes(after, methodTypeNames).find(
    ({ source }) => source.kind === 'passkey' && source.place === place,
  );
  if (method === undefined) throw new Error('The created passkey is missing.');
  return { kind: 'created', set: toMethodSet(after, [method], [method.type]), id: String(method.values['id']) };
}

async function updateSignInPreferences(call: DirectoryCall): Promise<OperationResult> {
  const { subject, body } = await readChange(call, 'updateSignInPreferences', 'signInPreferences');
  const {
    isSystemPreferredAuthenticationMethodEnabled: isSystemPreferred,
    userPreferredMethodForSecondaryAuthentication: preferredMethod,
  } = body;
  await call.changes.changeDirectory(subject, {
    ...(isSystemPreferred === undefined ? {} : { isSystemPreferredAuthenticationMethodEnabled: isSystemPreferred }),
    ...(preferredMethod === undefined ? {} : { preferredMethod }),
  });
  const after: DirectoryCall = { ...call, view: call.currentView() };
  return { kind: 'changed', set: toPreferences(after, findSubject(after).user) };
}

async function updateRequirements(call: DirectoryCall): Promise<OperationResult> {
  const { subject, body } = await readChange(call, 'updateRequirements', 'strongAuthenticationRequirements');
  await call.changes.changeDirectory(subject, { perUserMfaState: body.perUserMfaState });
  const after: DirectoryCall = { ...call, view: call.currentView() };
  return { kind: 'changed', set: toRequirements(after, findSubject(after).user) };
}

/** Returns the result of an operation that reads resources. */
export function toSet(set: AnyResourceSet): OperationResult {
  return { kind: 'set', set };
}
