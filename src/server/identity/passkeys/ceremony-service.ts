import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import type { CreationOptionsJson, RequestOptionsJson } from '../../../authenticators/webauthn-json.ts';
import type { CredentialUse, PasskeyCredential } from '../../../contract/credential.schema.ts';
import type { PasskeySettings } from '../../../contract/passkey-settings.schema.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { isPasskeyPrompt } from '../../../sandbox/own-prompt-view.ts';
import type { StoredPasskey } from '../../../sandbox/passkeys.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { SignInView } from '../../../sandbox/sign-in-view.ts';
import type { CeremonyService } from '../submitted-form.ts';
import { type CeremonyOptions, creationOptions, requestOptions } from './ceremony-options.ts';
import type { RelyingParty } from './relying-party.ts';
import { signedMetadata } from './test-metadata.ts';
import { createUserHandle } from './user-handle.ts';
import {
  type GivenChallenges,
  type MadePasskey,
  type PasskeyHolder,
  type RegistrationPlace,
  verifyAssertion,
  verifyRegistration,
} from './verify.ts';

/** Point in a sign-in at which its page requests a passkey. */
export interface CeremonyMoment {
  readonly sandbox: Sandbox;
  readonly view: SignInView;
  readonly relyingParty: RelyingParty;
  /** Challenge of this page only. Later pages have other challenges, so no response can be used twice. */
  readonly challenge: string;
}

/** Returns `true` if the page of a sign-in requests a passkey, either to create one or to use an existing one. */
export function asksForPasskey({ screen, method, own, mfaMethod, mfaMethods }: SignInView): boolean {
  if (screen === 'setup') return isPasskeyPrompt({ method, own });
  const usable = screen === 'password' || (screen === 'mfa' && mfaMethod === 'passkey');
  return usable && mfaMethods.includes('passkey');
}

/** Returns the options of the passkey ceremony on the page of a sign-in: registration or authentication. */
export function optionsAt(moment: CeremonyMoment): CeremonyOptions {
  const { sandbox, view, relyingParty, challenge } = moment;
  if (view.screen === 'setup') return creationOptionsAt(moment);
  return requestOptions(relyingParty, challenge, sandbox.directory.passkeys(view.userId), passkeySettings(sandbox));
}

function creationOptionsAt({ view: { userId }, ...place }: CeremonyMoment): CeremonyOptions {
  return creationOptionsFor({ ...place, userId });
}

/** User, sandbox, relying party, and challenge of a passkey registration. */
export interface CeremonyPlace extends Omit<CeremonyMoment, 'view'> {
  readonly userId: string;
}

/** Returns the passkey settings of a sandbox, or `undefined` if its tenant has none. */
export function passkeySettings({ directory }: Sandbox): PasskeySettings | undefined {
  return directory.settings().passkeys;
}

/** Creates the options for a new passkey. `conditional` means that the browser creates it automatically. */
export function creationOptionsFor(
  { sandbox, userId, relyingParty, challenge }: CeremonyPlace,
  conditional = false,
): CeremonyOptions {
  return creationOptions({
    relyingParty,
    challenge,
    userHandle: createUserHandle(sandbox.id, userId),
    profile: sandbox.directory.user(userId),
    held: sandbox.directory.passkeys(userId),
    settings: passkeySettings(sandbox),
    conditional,
  });
}

/** Returns the operating system, time, and metadata against which a registration is verified. */
export async function registrationPlace(sandbox: Sandbox, os: OperatingSystem): Promise<RegistrationPlace> {
  const metadata = await signedMetadata(passkeySettings(sandbox)?.metadata);
  return { os, nowMs: sandbox.clock.nowMs(), metadata };
}

/**
 * Creates the service that verifies responses of browsers and of the software authenticator at one point of a sign-in.
 */
export function createCeremonyService(moment: CeremonyMoment): CeremonyService {
  const { sandbox, view, relyingParty, challenge } = moment;
  const holder = () => passkeyHolder(sandbox, view.userId);
  const verified = (answer: string) => verifyAssertion({ answer, challenge, relyingParty }, holder());
  return {
    use: verified,
    async useTestPasskey(): Promise<CredentialUse | null> {
      const answer = await testAssertion(moment, holder().held);
      return answer === null ? null : verified(answer);
    },
    async register(answer: string, deviceId: string): Promise<SignInView | null> {
      const place = await registrationPlace(sandbox, view.os);
      const made = await verifyRegistration({ answer, challenge, relyingParty }, place);
      return made === null ? null : keep(moment, made, deviceId);
    },
    upgrade: async () => null,
    async registerTestPasskey(type: PasskeyType, deviceId: string): Promise<SignInView | null> {
      const seed = `${sandbox.seed} ${view.id} ${view.eventCount}`;
      const made = await makeTestPasskey({ ...moment, userId: view.userId, os: view.os, type, seed });
      return made === null ? null : keep(moment, made, deviceId);
    },
  };
}

/** Service for pages without a passkey request. There is no challenge, so it rejects every response. */
export const disabledCeremonyService: CeremonyService = {
  use: async () => null,
  useTestPasskey: async () => null,
  register: async () => null,
  upgrade: async () => null,
  registerTestPasskey: async () => null,
};

/** Creates the service that verifies a passkey that the browser created automatically at the end of a sign-in. */
export function createUpgradeService({ sandbox, view, relyingParty, challenge }: UpgradeMoment): CeremonyService {
  return {
    ...disabledCeremonyService,
    async upgrade(answer: string, deviceId: string): Promise<SignInView | null> {
      const place = { ...(await registrationPlace(sandbox, view.os)), conditional: true };
      const made = await verifyRegistration({ answer, challenge, relyingParty }, place);
      if (made === null || !sandbox.securityInfo.offersUpgrade(view.id)) return null;
      return (await keepForUser({ sandbox, userId: view.userId, deviceId }, made)) === null ? view : null;
    },
  };
}

/** End of a sign-in whose page may have created a passkey automatically. */
export interface UpgradeMoment extends Omit<CeremonyMoment, 'challenge'> {
  readonly challenge: GivenChallenges;
}

/**
 * Registers a verified passkey outside a prompt. Returns `null` on success, or the error code if the policy does not
 * allow the passkey or its id is already taken.
 */
export async function keepForUser(
  { sandbox, userId, deviceId }: { readonly sandbox: Sandbox; readonly userId: string; readonly deviceId: string },
  { type, credential, attested }: MadePasskey,
): Promise<'credential-taken' | 'passkey-not-allowed' | null> {
  const passkey = { type, deviceId, credentialId: credential.id };
  try {
    await sandbox.securityInfo.addPasskey(userId, { passkey, credential: named(credential, type), attested });
    return null;
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    if (error.code === 'credential-taken' || error.code === 'passkey-not-allowed') return error.code;
    throw error;
  }
}

/** Returns the user data that the verification of an assertion needs. */
export function passkeyHolder(sandbox: Sandbox, userId: string): PasskeyHolder {
  return { held: sandbox.directory.passkeys(userId), userHandle: createUserHandle(sandbox.id, userId) };
}

/** Stores a verified passkey until it is named. The setup fails if the policy does not allow it or its id is taken. */
function keep(
  { sandbox, view }: CeremonyMoment,
  { type, credential, attested }: MadePasskey,
  deviceId: string,
): Promise<SignInView> {
  return sandbox.signIns.keepMadePasskey(view.id, {
    passkey: { type, deviceId, credentialId: credential.id },
    credential: named(credential, type),
    attested,
  });
}

/** Returns the credential with the default name of its passkey type. */
export function named(credential: PasskeyCredential, type: PasskeyType): PasskeyCredential {
  return { ...credential, name: passkeyNames[type] };
}

/** Default names of passkeys by type. Users can change them. */
const passkeyNames: Readonly<Record<PasskeyType, string>> = {
  'windows-hello-for-business': 'Windows Hello for Business',
  'windows-bound': 'This Windows device',
  'password-manager': 'Password manager',
  keychain: 'Keychain',
  'mac-platform-sso': 'This Mac',
  'handset-vendor': 'Phone',
  'authenticator-app': 'Authenticator app',
  'security-key': 'Security key',
};

/** Loads the software authenticator on first use, because most servers never need it. */
async function testAuthenticator() {
  const { getAuthenticatorProfile: authenticatorProfileOf } = await import('../../../authenticators/profiles.ts');
  const { createKeySeed: keySeedOf, SoftwareAuthenticator } = await import(
    '../../../authenticators/software-authenticator.ts'
  );
  return { authenticatorProfileOf, keySeedOf, SoftwareAuthenticator };
}

/** Creates an assertion with the user's first test passkey. Returns `null` if the user has none. */
async function testAssertion(moment: CeremonyMoment, passkeys: readonly StoredPasskey[]): Promise<string | null> {
  const { view, sandbox, relyingParty, challenge } = moment;
  const usable = passkeys.find(({ testKey }) => testKey !== null);
  if (usable === undefined || usable.testKey === null) return null;
  const { passkey, credential, testKey } = usable;
  const { authenticatorProfileOf, SoftwareAuthenticator } = await testAuthenticator();
  const authenticator = new SoftwareAuthenticator({
    profile: authenticatorProfileOf(passkey.type, view.os),
    credentials: [
      {
        id: testKey.id,
        rpId: relyingParty.id,
        userHandle: createUserHandle(sandbox.id, view.userId),
        privateKey: testKey.privateKey,
        counter: credential.counter,
      },
    ],
  });
  const options = requestOptions(relyingParty, challenge, [usable], undefined) as unknown as RequestOptionsJson;
  return JSON.stringify(await authenticator.get(options, { origin: relyingParty.origin }));
}

/** Description of a test passkey to create. */
export interface TestPasskeyOrder extends CeremonyPlace {
  readonly type: PasskeyType;
  readonly os: OperatingSystem;
  /** Random seed of the key. Two passkeys of a user need different seeds. */
  readonly seed: string;
}

/** Creates a test passkey and verifies it like any other. Returns `null` if the verification fails. */
export async function makeTestPasskey(order: TestPasskeyOrder): Promise<MadePasskey | null> {
  const { sandbox, userId, relyingParty, challenge, type, os, seed } = order;
  const { authenticatorProfileOf, keySeedOf, SoftwareAuthenticator } = await testAuthenticator();
  // The key is restored from its random seed only, and seeds always produce keys of this algorithm.
  const profile = { ...authenticatorProfileOf(type, os), algorithm: 'ES256' } as const;
  const authenticator = new SoftwareAuthenticator({ profile, seed });
  const options = creationOptionsFor(order) as unknown as CreationOptionsJson;
  const answer = JSON.stringify(await authenticator.create(options, { origin: relyingParty.origin }));
  const made = await verifyRegistration({ answer, challenge, relyingParty }, await registrationPlace(sandbox, os));
  const userHandle = createUserHandle(sandbox.id, userId);
  const seededBy = keySeedOf({ seed, aaguid: profile.aaguid, rpId: relyingParty.id, userHandle, number: 0 });
  return made === null ? null : { ...made, credential: { ...made.credential, seededBy } };
}
