import { coseAlgorithms, toCoseKey } from '../core/cose-key.ts';
import { seededBytes, seededCredential, seededCredentialId } from '../core/seeded-key.ts';
import { attestationObject, deliveredFormat } from './attestation.ts';
import { AttestationAuthority } from './attestation-authority.ts';
import { authenticatorData } from './authenticator-data.ts';
import { asPromised, type CeremonyContext, type CeremonyOutcome, settleCeremony } from './ceremony.ts';
import { CeremonyError } from './ceremony-error.ts';
import { type Misbehavior, wrongOrigin } from './misbehavior.ts';
import { prfResults } from './prf.ts';
import { type AuthenticatorProfile, zeroAaguid } from './profile.ts';
import { createRelyingParty, sha256 } from './relying-party.ts';
import { isKept } from './signals.ts';
import {
  type CredentialDescriptor,
  encodePublicKeyInfo,
  type StoredCredential,
  signatureBy,
} from './stored-credential.ts';
import type {
  AuthenticationResponseJson,
  CreationOptionsJson,
  CredentialDescriptorJson,
  ExtensionResultsJson,
  PrfInputJson,
  RegistrationResponseJson,
  RequestOptionsJson,
  SignalsJson,
} from './webauthn-json.ts';

export interface SoftwareAuthenticatorOptions {
  readonly profile: AuthenticatorProfile;
  /** Initial misbehavior. The default is `approves`. */
  readonly misbehavior?: Misbehavior;
  /**
   * Random seed. Keys and credential ids depend on it, the AAGUID, the relying party and the user.
   * Two authenticators of one model that the same user registers need different values, such as their device ids.
   */
  readonly seed?: string;
  /** Certificate authority for `packed-ca`. The default is the default authority. */
  readonly authority?: AttestationAuthority;
  readonly credentials?: readonly CredentialDescriptor[];
}

/**
 * Inputs that determine the key of a passkey. `number` counts the passkeys of one authenticator and user, from 0.
 */
export interface KeySeed {
  readonly seed: string;
  readonly aaguid: string | null;
  readonly rpId: string;
  readonly userHandle: string;
  readonly number: number;
}

/**
 * Creates the seed text of a passkey's key and id. The text is secret, because it is enough to sign with the
 * passkey.
 */
export function createKeySeed({ seed, aaguid, rpId, userHandle, number }: KeySeed): string {
  return JSON.stringify([seed, aaguid, rpId, userHandle, number]);
}

/** Default authority, created once to share its certificates. */
const sharedAuthority = new AttestationAuthority();

/**
 * Software implementation of an authenticator and its browser. It returns the results of `navigator.credentials` as
 * JSON.
 */
export class SoftwareAuthenticator {
  readonly profile: AuthenticatorProfile;
  /** Misbehavior for the next and all later ceremonies. */
  misbehavior: Misbehavior;
  readonly #seed: string;
  readonly #authority: AttestationAuthority;
  /** Passkeys by id, the oldest first. */
  readonly #credentials = new Map<string, StoredCredential>();
  #ceremonies = 0;
  #previousChallenge: string | null = null;

  /** Creates an authenticator from a profile, a misbehavior and its initial passkeys. */
  constructor({
    profile,
    misbehavior = 'approves',
    seed = '',
    authority,
    credentials = [],
  }: SoftwareAuthenticatorOptions) {
    this.profile = profile;
    this.misbehavior = misbehavior;
    this.#seed = seed;
    this.#authority = authority ?? sharedAuthority;
    for (const credential of credentials) this.hold(credential);
  }

  /** Returns all passkeys with their private keys as JSON, the oldest first. `hold` loads them again. */
  listCredentials(): readonly StoredCredential[] {
    return [...this.#credentials.values()];
  }

  /** Loads a passkey, and replaces any passkey with the same id. */
  hold(known: CredentialDescriptor): void {
    const { backupEligible, backupState } = this.profile;
    const defaults = { userName: '', counter: 0, discoverable: true, backupEligible, backupState };
    this.#credentials.set(known.id, { ...defaults, ...known });
  }

  /** Removes a passkey. An unknown id has no effect. */
  forget(id: string): void {
    this.#credentials.delete(id);
  }

  /**
   * Registers a passkey.
   * @param options - creation options
   * @param context - context with the origin of the page
   * @returns the response for the server; with the misbehavior `walks-away`, the promise stays pending until the
   *   signal of the context aborts it
   * @throws CeremonyError if the ceremony fails
   */
  create(options: CreationOptionsJson, context: CeremonyContext): Promise<RegistrationResponseJson> {
    return asPromised(this.answerCreation(options, context), context.signal);
  }

  /**
   * Signs a user in with a passkey.
   * @param options - request options
   * @param context - context with the origin of the page
   * @returns the response for the server; the promise stays pending under the same condition as for `create`
   * @throws CeremonyError if the ceremony fails
   */
  get(options: RequestOptionsJson, context: CeremonyContext): Promise<AuthenticationResponseJson> {
    return asPromised(this.answerRequest(options, context), context.signal);
  }

  /** Runs `create` synchronously and returns its outcome, for callers that cannot wait for an unanswered ceremony. */
  answerCreation(options: CreationOptionsJson, context: CeremonyContext): CeremonyOutcome<RegistrationResponseJson> {
    return settleCeremony(() => {
      this.#check(context);
      const rpId = createRelyingParty(context.origin, options.rp.id, context.relatedOrigins);
      this.#checkCreation(options);
      // Conditional create does not prompt the user: the browser creates the passkey or does nothing.
      if (context.conditional === true) this.#checkConditional(options);
      else if (!this.#reachUser()) return { kind: 'unanswered' };
      if (this.#named(rpId, options.excludeCredentials ?? []).length > 0) throw new CeremonyError('excluded');
      return { kind: 'answered', response: this.#register(options, rpId, context) };
    });
  }

  /** Runs `get` synchronously and returns its outcome, for callers that cannot wait for an unanswered ceremony. */
  answerRequest(options: RequestOptionsJson, context: CeremonyContext): CeremonyOutcome<AuthenticationResponseJson> {
    return settleCeremony(() => {
      this.#check(context);
      const rpId = createRelyingParty(context.origin, options.rpId, context.relatedOrigins);
      if (options.userVerification === 'required' && !this.profile.userVerification) {
        throw new CeremonyError('cannot-serve');
      }
      if (!this.#reachUser()) return { kind: 'unanswered' };
      const fitting = this.fitting(options, context.origin, context.relatedOrigins);
      const picked = context.credentialId;
      const credential = fitting.findLast(({ id }) => picked === undefined || id === picked);
      if (credential === undefined) throw new CeremonyError('no-credential');
      return { kind: 'answered', response: this.#assert(credential, options, rpId, context.origin) };
    });
  }

  /**
   * Lists the passkeys that match a request, the oldest first, as autofill would offer them. Throws CeremonyError if
   * the `rpId` belongs to another relying party.
   */
  fitting(
    { rpId, allowCredentials = [] }: RequestOptionsJson,
    origin: string,
    relatedOrigins?: readonly string[],
  ): readonly StoredCredential[] {
    const party = createRelyingParty(origin, rpId, relatedOrigins);
    if (allowCredentials.length > 0) return this.#named(party, allowCredentials);
    return this.listCredentials().filter((credential) => credential.discoverable && credential.rpId === party);
  }

  /** Applies the signals of a page about the passkeys of its relying party (WebAuthn Level 3, 5.1.10). */
  signal(signals: SignalsJson): void {
    const { currentUserDetails: details } = signals;
    for (const stored of this.listCredentials()) {
      if (!isKept(stored, signals)) this.forget(stored.id);
      else if (details?.rpId === stored.rpId && details.userId === stored.userHandle) {
        this.hold({ ...stored, userName: details.name });
      }
    }
  }

  #check({ signal }: CeremonyContext): void {
    if (signal?.aborted === true) throw new CeremonyError('aborted', signal.reason);
  }

  #checkCreation({ pubKeyCredParams, authenticatorSelection: selection = {} }: CreationOptionsJson): void {
    const { profile } = this;
    const algorithm = coseAlgorithms[profile.algorithm];
    // An empty list means ES256 and RS256, which every server is expected to support.
    const accepted = pubKeyCredParams.length === 0 ? [{ alg: -7 }, { alg: -257 }] : pubKeyCredParams;
    if (!accepted.some(({ alg }) => alg === algorithm)) throw new CeremonyError('no-algorithm');
    const attachment = selection.authenticatorAttachment ?? profile.attachment;
    const lacking =
      attachment !== profile.attachment ||
      (getResidentKey(selection) === 'required' && !profile.residentKey) ||
      (selection.userVerification === 'required' && !profile.userVerification);
    if (lacking) throw new CeremonyError('cannot-serve');
  }

  /**
   * Checks the requirements of conditional create: a platform authenticator with discoverable passkeys and no
   * required user verification.
   */
  #checkConditional({ authenticatorSelection }: CreationOptionsJson): void {
    const { attachment, residentKey } = this.profile;
    const mayBeAbsent = authenticatorSelection?.userVerification !== 'required';
    if (this.misbehavior === 'refuses') throw new CeremonyError('refused');
    if (attachment !== 'platform' || !residentKey || !mayBeAbsent) throw new CeremonyError('cannot-serve');
  }

  /**
   * Requests the user's approval. Returns `false` with the misbehavior `walks-away`. Throws CeremonyError if the user
   * does not
   * approve.
   */
  #reachUser(): boolean {
    this.#ceremonies += 1;
    if (this.misbehavior === 'refuses') throw new CeremonyError('refused');
    if (this.misbehavior === 'times-out') throw new CeremonyError('timed-out');
    if (this.misbehavior === 'fails-second-time' && this.#ceremonies === 2) throw new CeremonyError('refused');
    return this.misbehavior !== 'walks-away';
  }

  #named(rpId: string, descriptors: readonly CredentialDescriptorJson[]): readonly StoredCredential[] {
    const ids = new Set(descriptors.map(({ id }) => id));
    return this.listCredentials().filter((credential) => credential.rpId === rpId && ids.has(credential.id));
  }

  #register(
    options: CreationOptionsJson,
    rpId: string,
    { origin, conditional: isConditional = false }: CeremonyContext,
  ): RegistrationResponseJson {
    const { profile } = this;
    const credential = this.#newCredential(options, rpId);
    const { id, privateKey } = credential;
    const aaguid = profile.aaguid ?? zeroAaguid;
    const data = authenticatorData(
      {
        ...credential,
        userPresent: !isConditional,
        userVerified: !isConditional && this.#userVerified(options.authenticatorSelection?.userVerification),
      },
      { aaguid, id: Buffer.from(id, 'base64url'), publicKey: toCoseKey(privateKey) },
    );
    const clientData = this.#clientData('webauthn.create', options.challenge, origin);
    const storedFormat = this.misbehavior === 'bad-signature' ? 'broken' : profile.attestation;
    const format = deliveredFormat(storedFormat, options.attestation);
    const clientDataHash = sha256(clientData);
    const attested = {
      format,
      aaguid,
      privateKey,
      authenticatorData: data,
      clientDataHash,
      authority: this.#authority,
    };
    const attestation = attestationObject(attested);
    return {
      ...this.#envelope(id),
      clientExtensionResults: {
        ...(options.extensions?.credProps === true ? { credProps: { rk: credential.discoverable } } : {}),
        ...this.#prf(credential, options.extensions?.prf, true),
      },
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
        authenticatorData: data.toString('base64url'),
        transports: [...profile.transports],
        publicKey: encodePublicKeyInfo(privateKey).toString('base64url'),
        publicKeyAlgorithm: coseAlgorithms[profile.algorithm],
      },
    };
  }

  /**
   * Creates and stores a passkey. A discoverable passkey replaces the one of the same user, as in real
   * authenticators.
   */
  #newCredential({ user, authenticatorSelection }: CreationOptionsJson, rpId: string): StoredCredential {
    const { profile } = this;
    const residentKey = getResidentKey(authenticatorSelection ?? {});
    const discoverable = profile.residentKey && (profile.attachment === 'platform' || residentKey !== 'discouraged');
    const { id, privateKey } = this.#freshKey(rpId, user.id);
    if (discoverable) {
      const same = this.listCredentials().filter(
        (credential) => credential.discoverable && credential.rpId === rpId && credential.userHandle === user.id,
      );
      for (const replaced of same) this.forget(replaced.id);
    }
    this.hold({
      id,
      rpId,
      userHandle: user.id,
      userName: user.name,
      privateKey,
      counter: profile.backupEligible ? 0 : 1,
      discoverable,
    });
    return this.#credentials.get(id) as StoredCredential;
  }

  /** Returns the first key of the random sequence whose id is not in use. */
  #freshKey(rpId: string, userHandle: string) {
    const { aaguid, algorithm } = this.profile;
    for (let number = 0; ; number += 1) {
      const seed = createKeySeed({ seed: this.#seed, aaguid, rpId, userHandle, number });
      if (!this.#credentials.has(seededCredentialId(seed))) return seededCredential(seed, algorithm);
    }
  }

  #assert(
    stored: StoredCredential,
    { challenge, userVerification, extensions }: RequestOptionsJson,
    rpId: string,
    origin: string,
  ): AuthenticationResponseJson {
    const counter = stored.backupEligible ? 0 : stored.counter + 1;
    const credential = { ...stored, counter };
    this.#credentials.set(stored.id, credential);
    const userVerified = this.#userVerified(userVerification);
    const data = authenticatorData({ ...credential, rpId, userPresent: true, userVerified }, null);
    const clientData = this.#clientData('webauthn.get', challenge, origin);
    const signed = this.misbehavior === 'bad-signature' ? data : Buffer.concat([data, sha256(clientData)]);
    return {
      ...this.#envelope(stored.id),
      clientExtensionResults: this.#prf(stored, extensions?.prf, false),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signatureBy(stored.privateKey, signed).toString('base64url'),
        // A passkey that is not discoverable does not store its user handle.
        ...(stored.discoverable ? { userHandle: stored.userHandle } : {}),
      },
    };
  }

  /** Computes the output of the PRF extension. */
  #prf({ privateKey }: StoredCredential, input: PrfInputJson | undefined, isNew: boolean): ExtensionResultsJson {
    if (input === undefined) return {};
    if (this.profile.prf === false) return isNew ? { prf: { enabled: false } } : { prf: {} };
    return { prf: { ...(isNew ? { enabled: true } : {}), ...prfResults(privateKey, input) } };
  }

  #userVerified(preference: string | undefined): boolean {
    return this.profile.userVerification && (this.profile.attachment === 'platform' || preference !== 'discouraged');
  }

  #clientData(type: string, given: string, pageOrigin: string): Buffer {
    const ownChallenge = seededBytes(this.#seed, 'challenge', 32).toString('base64url');
    const challenge = this.misbehavior === 'replayed-challenge' ? (this.#previousChallenge ?? ownChallenge) : given;
    this.#previousChallenge = given;
    const origin = this.misbehavior === 'wrong-origin' ? wrongOrigin : pageOrigin;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #envelope(id: string) {
    return { id, rawId: id, type: 'public-key', authenticatorAttachment: this.profile.attachment } as const;
  }
}

function getResidentKey(selection: { readonly residentKey?: string; readonly requireResidentKey?: boolean }): string {
  return selection.residentKey ?? (selection.requireResidentKey === true ? 'required' : 'discouraged');
}
