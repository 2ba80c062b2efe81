import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import type { CreationOptionsJson, RequestOptionsJson } from '../../../authenticators/webauthn-json.ts';
import type { CredentialUse, PasskeyCredential } from '../../../contract/credential.schema.ts';
import type { PasskeySettings } from '../../../contract/passkey-settings.schema.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { HeldPasskey } from '../../../sandbox/passkeys.ts';
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

/** One moment of a sign-in whose page asks for a passkey. */
export interface CeremonyMoment {
  readonly sandbox: Sandbox;
  readonly view: SignInView;
  readonly relyingParty: RelyingParty;
  /** Holds for this moment alone: a later page has another one, so that no answer is good twice. */
  readonly challenge: string;
}

/** Whether the page of a sign-in asks the browser for a passkey: to make one, or to use one that the user has. */
export function asksForPasskey({ screen, method, mfaMethod, mfaMethods }: SignInView): boolean {
  if (screen === 'setup') return method === 'fido2';
  const usable = screen === 'password' || (screen === 'mfa' && mfaMethod === 'passkey');
  return usable && mfaMethods.includes('passkey');
}

/** What the page of a sign-in asks the browser for: a new passkey, or one of the user's. */
export function optionsAt(moment: CeremonyMoment): CeremonyOptions {
  const { sandbox, view, relyingParty, challenge } = moment;
  if (view.screen === 'setup') return creationOptionsAt(moment);
  return requestOptions(relyingParty, challenge, sandbox.directory.passkeys(view.userId), passkeySettings(sandbox));
}

function creationOptionsAt({ view: { userId }, ...place }: CeremonyMoment): CeremonyOptions {
  return creationOptionsFor({ ...place, userId });
}

/** Who is to make a passkey, where, and for which challenge. */
export interface CeremonyPlace extends Omit<CeremonyMoment, 'view'> {
  readonly userId: string;
}

/** How the pages of a sandbox use passkeys; nothing where its tenant says nothing. */
export function passkeySettings({ directory }: Sandbox): PasskeySettings | undefined {
  return directory.settings().passkeys;
}

/** Options for a new passkey of a user. Takes whether the browser creates it by itself. */
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

/** Where a passkey of a sandbox is made, and what it is held against. */
export async function registrationPlace(sandbox: Sandbox, os: OperatingSystem): Promise<RegistrationPlace> {
  const metadata = await signedMetadata(passkeySettings(sandbox)?.metadata);
  return { os, nowMs: sandbox.clock.nowMs(), metadata };
}

/** Takes the answers of browsers, and of the test authenticator, at one moment of a sign-in. */
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

/** Where a page asked for no passkey there was no challenge, so that no answer can be right. */
export const disabledCeremonyService: CeremonyService = {
  use: async () => null,
  useTestPasskey: async () => null,
  register: async () => null,
  upgrade: async () => null,
  registerTestPasskey: async () => null,
};

/** Takes the passkey that a browser created by itself at the end of a sign-in. Takes the challenges that its page was given. */
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

/** The end of a sign-in whose page may have had the browser create a passkey. */
export interface UpgradeMoment extends Omit<CeremonyMoment, 'challenge'> {
  readonly challenge: GivenChallenges;
}

/**
 * Registers a verified passkey outside of a prompt. Takes whose it is, and the device. Returns the code of the error for one that is
 * not admitted or whose id is taken, `null` when it is registered.
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

/** A user as anyone who verifies an assertion has to know him. */
export function passkeyHolder(sandbox: Sandbox, userId: string): PasskeyHolder {
  return { held: sandbox.directory.passkeys(userId), userHandle: createUserHandle(sandbox.id, userId) };
}

/** Keeps a verified passkey until it has its name; one that the policy does not admit, or whose id is taken, fails the setup. */
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

/** A credential by the name of its kind, until its user calls it something else. */
function named(credential: PasskeyCredential, type: PasskeyType): PasskeyCredential {
  return { ...credential, name: passkeyNames[type] };
}

/** What a passkey is called unless its user calls it something else. */
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

/** The test authenticator; loaded when someone uses it, since most servers never do. */
async function testAuthenticator() {
  const { getAuthenticatorProfile: authenticatorProfileOf } = await import('../../../authenticators/profiles.ts');
  const { createKeySeed: keySeedOf, SoftwareAuthenticator } = await import(
    '../../../authenticators/software-authenticator.ts'
  );
  return { authenticatorProfileOf, keySeedOf, SoftwareAuthenticator };
}

/** The test authenticator answers with the first test passkey of the user; `null` when the user has none. */
async function testAssertion(moment: CeremonyMoment, held: readonly HeldPasskey[]): Promise<string | null> {
  const { view, sandbox, relyingParty, challenge } = moment;
  const usable = held.find(({ testKey }) => testKey !== null);
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

/** What the test authenticator is to make. */
export interface TestPasskeyOrder extends CeremonyPlace {
  readonly type: PasskeyType;
  readonly os: OperatingSystem;
  /** Two passkeys of a user need two seeds. */
  readonly seed: string;
}

/** Has the test authenticator make a passkey, and verifies it as any other; `null` when the server would not take it. */
export async function makeTestPasskey(order: TestPasskeyOrder): Promise<MadePasskey | null> {
  const { sandbox, userId, relyingParty, challenge, type, os, seed } = order;
  const { authenticatorProfileOf, keySeedOf, SoftwareAuthenticator } = await testAuthenticator();
  // The key is found again from its seed alone, and a seed gives keys of this algorithm.
  const profile = { ...authenticatorProfileOf(type, os), algorithm: 'ES256' } as const;
  const authenticator = new SoftwareAuthenticator({ profile, seed });
  const options = creationOptionsFor(order) as unknown as CreationOptionsJson;
  const answer = JSON.stringify(await authenticator.create(options, { origin: relyingParty.origin }));
  const made = await verifyRegistration({ answer, challenge, relyingParty }, await registrationPlace(sandbox, os));
  const userHandle = createUserHandle(sandbox.id, userId);
  const seededBy = keySeedOf({ seed, aaguid: profile.aaguid, rpId: relyingParty.id, userHandle, number: 0 });
  return made === null ? null : { ...made, credential: { ...made.credential, seededBy } };
}
