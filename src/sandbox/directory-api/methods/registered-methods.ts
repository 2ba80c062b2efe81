import type { RegisteredMethod } from '../../../../machines/vocabulary.ts';
import { findAaguidRow } from '../../../contract/aaguids.ts';
import type { MethodResource, MethodTypeName } from '../../../contract/directory-api/method-types.ts';
import { parseInstant, toInstant } from '../../../core/clock.ts';
import { isGuid } from '../../../core/ids.ts';
import { fnv1a32 } from '../../../core/random.ts';
import { isEnabledFor, listPhoneTypes, type PhoneType } from '../../../journal/registration-details.ts';
import type { UserRecord } from '../../../journal/state.ts';
import { getAttestation, listPasskeys, type StoredPasskey } from '../../passkeys.ts';
import type { ApiVersion } from '../directory-exchange.ts';
import { toCreated } from '../directory-objects.ts';
import type { DirectoryView } from '../directory-view.ts';
import { getConfiguration } from './method-configurations.ts';

/** Source of a registered method: a fact, or directory data of the user. */
export type MethodSource =
  | { readonly kind: 'password' | 'email' | 'access-pass' }
  | { readonly kind: 'fact'; readonly method: RegisteredMethod }
  | { readonly kind: 'phone'; readonly phone: PhoneType }
  | { readonly kind: 'passkey'; readonly place: number };

/** Registered method of a user, as responses show it. */
export interface MethodObject {
  readonly type: MethodTypeName;
  readonly source: MethodSource;
  readonly values: Readonly<Record<string, unknown>>;
  /** Ids that requests can name the method by. */
  readonly ids: readonly string[];
}

/** Ids that are the same for all users. */
const passwordMethodId = '28c10230-6103-485e-b985-444c60001490';
export const emailMethodId = '3ddfcfc8-9383-446f-83cc-3ab9be4be18f';
export const phoneMethodIds: Readonly<Record<PhoneType, string>> = {
  mobile: '3179e48a-750b-4051-897c-87b9720928f7',
  alternateMobile: 'b6332ec1-7057-4abe-9331-3d72feddfe41',
  office: 'e37fc753-ff3b-4958-9484-eaa9425c82bc',
};

/** Time at which methods are shown. */
export interface MethodMoment {
  readonly version: ApiVersion;
  readonly nowMs: number;
}

/** Lists the registered methods of a user, in the order of their types. */
export function listMethods(view: DirectoryView, user: UserRecord, moment: MethodMoment): readonly MethodObject[] {
  const { facts, profile } = user;
  const { email, temporaryAccessPass } = profile.directory ?? {};
  return [
    ...(facts.type === 'guest' ? [] : [toPassword(view, user)]),
    ...listPhoneTypes(user).map((phone) => toPhone(view, user, phone)),
    ...(email === undefined ? [] : [toEmail(view, user, email)]),
    ...listPasskeyMethods(view, user),
    ...(temporaryAccessPass === undefined ? [] : [toAccessPass(view, user, temporaryAccessPass, moment)]),
    ...facts.methods.flatMap((method) => toFactMethod(view, user, method, moment) ?? []),
  ].toSorted((one, other) => typeOrder.indexOf(one.type) - typeOrder.indexOf(other.type));
}

const typeOrder: readonly MethodTypeName[] = [
  'passwordAuthenticationMethod',
  'phoneAuthenticationMethod',
  'emailAuthenticationMethod',
  'fido2AuthenticationMethod',
  'vendorAuthenticatorAuthenticationMethod',
  'softwareOathAuthenticationMethod',
  'hardwareOathAuthenticationMethod',
  'temporaryAccessPassAuthenticationMethod',
  'windowsHelloForBusinessAuthenticationMethod',
  'platformCredentialAuthenticationMethod',
];

/** Finds the method that a request names. Ids keep their case, except for GUIDs. */
export function findMethod(methods: readonly MethodObject[], id: string): MethodObject | undefined {
  return methods.find(({ ids }) =>
    ids.some((one) => one === id || (isGuid(one) && one.toLowerCase() === id.toLowerCase())),
  );
}

type Values<Type extends MethodTypeName> = Omit<MethodResource<Type>, 'id'>;

function create<Type extends MethodTypeName>(
  type: Type,
  { source, ids }: Pick<MethodObject, 'source' | 'ids'>,
  values: Values<Type>,
): MethodObject {
  return { type, source, ids, values: { id: ids[0], ...values } };
}

function toPassword(view: DirectoryView, user: UserRecord): MethodObject {
  return create(
    'passwordAuthenticationMethod',
    { source: { kind: 'password' }, ids: [passwordMethodId] },
    { createdDateTime: getCreated(view, user, null), password: null },
  );
}

function toPhone(view: DirectoryView, user: UserRecord, phone: PhoneType): MethodObject {
  return create(
    'phoneAuthenticationMethod',
    { source: { kind: 'phone', phone }, ids: [phoneMethodIds[phone]] },
    {
      createdDateTime: getCreated(view, user, getPhoneName(user, phone)),
      phoneNumber: getPhoneNumber(user, phone),
      phoneType: phone,
      smsSignInState: phone === 'mobile' && signsInByText(view, user) ? 'ready' : 'notAllowedByPolicy',
    },
  );
}

/** Returns the name under which the time of a telephone is stored. */
function getPhoneName({ facts }: UserRecord, phone: PhoneType): string {
  if (phone === 'mobile') return 'sms';
  return phone === 'office' && !facts.methods.includes('sms') ? 'voice' : phone;
}

/** Returns the number of a telephone. Without directory data, it depends only on the id of the user. */
export function getPhoneNumber({ facts, profile }: UserRecord, phone: PhoneType): string {
  const given = profile.directory?.phones?.[phone];
  if (given !== undefined) return given;
  const digits = String(fnv1a32(`${facts.id} ${phone}`) % 100_000).padStart(5, '0');
  return `+1 55501${digits}`;
}

function signsInByText({ state }: DirectoryView, { facts }: UserRecord): boolean {
  const sms = getConfiguration(state, 'Sms');
  const includeTargets = sms.includeTargets.filter(({ isUsableForSignIn }) => isUsableForSignIn);
  return isEnabledFor({ ...sms, includeTargets }, facts, state.tenant);
}

function toEmail(view: DirectoryView, user: UserRecord, emailAddress: string): MethodObject {
  return create(
    'emailAuthenticationMethod',
    { source: { kind: 'email' }, ids: [emailMethodId] },
    { createdDateTime: getCreated(view, user, 'email'), emailAddress },
  );
}

/** Returns the method of a fact, or `null` for telephones, which are listed by their type. */
function toFactMethod(
  view: DirectoryView,
  user: UserRecord,
  method: RegisteredMethod,
  { version }: MethodMoment,
): MethodObject | null {
  const source = { kind: 'fact', method } as const;
  const createdDateTime = getCreated(view, user, method);
  const named = { source, ids: listIds(view, user, method) };
  switch (method) {
    case 'authenticator-push':
      return create('vendorAuthenticatorAuthenticationMethod', named, {
        createdDateTime: version === 'beta' ? createdDateTime : null,
        displayName: 'Phone',
        deviceTag: 'SoftwareTokenActivated',
        phoneAppVersion: '6.8',
      });
    case 'authenticator-totp':
      return create('softwareOathAuthenticationMethod', named, { createdDateTime, secretKey: null });
    case 'hardware-totp':
      return version === 'beta'
        ? create('hardwareOathAuthenticationMethod', named, { createdDateTime, device: null })
        : null;
    case 'sms':
    case 'voice':
      return null;
  }
}

function listPasskeyMethods(view: DirectoryView, user: UserRecord): readonly MethodObject[] {
  const seen = new Map<string, number>();
  return listPasskeys(view.state, user).map((stored) => {
    const { type, deviceId } = stored.passkey;
    const kind = `${type}:${deviceId}`;
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return toPasskey(view, user, stored, count === 1 ? kind : `${kind}:${count}`);
  });
}

/** Returns the method of a passkey. `modelName` identifies it among those that were not created on a page. */
function toPasskey(view: DirectoryView, user: UserRecord, stored: StoredPasskey, modelName: string): MethodObject {
  const { place, passkey, credential } = stored;
  const source = { kind: 'passkey', place } as const;
  const isReal = user.credentials.some(({ id }) => id === passkey.credentialId);
  const name = isReal ? credential.id : modelName;
  const addedMs = user.registered?.passkeys[place] ?? null;
  const createdDateTime = addedMs === null ? getCreated(view, user, null) : toInstant(addedMs);
  const displayName = credential.name;
  const named = { source, ids: listIds(view, user, name) };
  if (passkey.type === 'windows-hello-for-business') {
    return create('windowsHelloForBusinessAuthenticationMethod', named, {
      createdDateTime,
      displayName,
      keyStrength: 'normal',
    });
  }
  if (passkey.type === 'mac-platform-sso') {
    return create('platformCredentialAuthenticationMethod', named, {
      createdDateTime,
      displayName,
      keyStrength: 'normal',
      platform: 'macOS',
    });
  }
  const attestation = getAttestation(view.state.settings, passkey.type, {
    os: 'unknown',
    nowMs: credential.createdAtMs,
  });
  return create('fido2AuthenticationMethod', isReal ? { source, ids: [credential.id] } : named, {
    createdDateTime,
    displayName,
    aaGuid: credential.aaguid,
    attestationCertificates: [],
    attestationLevel: attestation === 'trusted' ? 'attested' : 'notAttested',
    model: findAaguidRow(credential.aaguid)?.name ?? null,
    passkeyType: credential.backupEligible ? 'synced' : 'deviceBound',
  });
}

type StoredPass = NonNullable<NonNullable<UserRecord['profile']['directory']>['temporaryAccessPass']>;

const minuteMs = 60_000;

function toAccessPass(view: DirectoryView, user: UserRecord, pass: StoredPass, { nowMs }: MethodMoment): MethodObject {
  const { createdDateTime, startDateTime, lifetimeInMinutes, isUsableOnce } = pass;
  const startMs = parseInstant(startDateTime) ?? 0;
  const isAllowed = isEnabledFor(getConfiguration(view.state, 'TemporaryAccessPass'), user.facts, view.state.tenant);
  const getReason = () => {
    if (!isAllowed) return 'DisabledByPolicy';
    if (nowMs < startMs) return 'NotYetValid';
    return nowMs >= startMs + lifetimeInMinutes * minuteMs ? 'Expired' : 'EnabledByPolicy';
  };
  const methodUsabilityReason = getReason();
  return create(
    'temporaryAccessPassAuthenticationMethod',
    { source: { kind: 'access-pass' }, ids: listIds(view, user, 'temporaryAccessPass') },
    {
      createdDateTime,
      isUsable: methodUsabilityReason === 'EnabledByPolicy',
      isUsableOnce,
      lifetimeInMinutes,
      methodUsabilityReason,
      startDateTime,
      temporaryAccessPass: null,
    },
  );
}

/** Returns the id of a method in responses, and its id in the form of the facts. */
function listIds({ wireIds }: DirectoryView, { facts }: UserRecord, name: string): readonly string[] {
  const factId = `${facts.id}:${name}`;
  return [wireIds.toWire('method', factId), factId];
}

/** Returns the time at which a method was added: that of its entry, or that of the user's creation. */
function getCreated(view: DirectoryView, { profile, registered }: UserRecord, name: string | null): string {
  const addedMs = name === null ? undefined : registered?.methods[name];
  return addedMs === undefined ? toCreated(profile.directory?.createdDateTime, view) : toInstant(addedMs);
}
