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
  /** `approves` by default. */
  readonly misbehavior?: Misbehavior;
  /**
   * Keys and credential ids depend on it, on the make, the relying party and the user. Two authenticators of one make that a
   * user registers need two seeds, such as the ids of their devices.
   */
  readonly seed?: string;
  /** What `packed-ca` attests by; the default authority without it. */
  readonly authority?: AttestationAuthority;
  readonly credentials?: readonly CredentialDescriptor[];
}

/** What the key of a passkey depends on; `number` counts those of one authenticator for one user, from 0. */
export interface KeySeed {
  readonly seed: string;
  readonly aaguid: string | null;
  readonly rpId: string;
  readonly userHandle: string;
  readonly number: number;
}

/** The text that a passkey's key and id are seeded with: anyone who knows it can answer with the passkey. */
export function createKeySeed({ seed, aaguid, rpId, userHandle, number }: KeySeed): string {
  return JSON.stringify([seed, aaguid, rpId, userHandle, number]);
}

/** The default authority, made once so that its certificates are. */
const sharedAuthority = new AttestationAuthority();

/** An authenticator and the browser before it, in software: what a page would get from `navigator.credentials`, as JSON. */
export class SoftwareAuthenticator {
  readonly profile: AuthenticatorProfile;
  /** How it behaves from the next ceremony on. */
  misbehavior: Misbehavior;
  readonly #seed: string;
  readonly #authority: AttestationAuthority;
  /** By id, the oldest first. */
  readonly #credentials = new Map<string, StoredCredential>();
  #ceremonies = 0;
  #previousChallenge: string | null = null;

  /** Takes the profile, the misbehavior, and the passkeys that it holds from the beginning. */
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

  /** All passkeys with their private keys, as JSON, the oldest first; `hold` takes them back. */
  held(): readonly StoredCredential[] {
    return [...this.#credentials.values()];
  }

  /** Loads a passkey, or puts it in the place of the one with its id. */
  hold(known: CredentialDescriptor): void {
    const { backupEligible, backupState } = this.profile;
    const defaults = { userName: '', counter: 0, discoverable: true, backupEligible, backupState };
    this.#credentials.set(known.id, { ...defaults, ...known });
  }

  /** Forgets a passkey; one that it does not hold changes nothing. */
  forget(id: string): void {
    this.#credentials.delete(id);
  }

  /**
   * Registers a passkey. Takes the creation options and the origin; returns the response for the server. Throws CeremonyError;
   * with the misbehavior `walks-away` it stays open until the signal of the context aborts it.
   */
  create(options: CreationOptionsJson, context: CeremonyContext): Promise<RegistrationResponseJson> {
    return asPromised(this.answerCreation(options, context), context.signal);
  }

  /** Signs a user in. Takes the request options and the origin; throws and stays open as `create` does. */
  get(options: RequestOptionsJson, context: CeremonyContext): Promise<AuthenticationResponseJson> {
    return asPromised(this.answerRequest(options, context), context.signal);
  }

  /** `create` as an outcome, for callers that cannot wait for what no one answers. */
  answerCreation(options: CreationOptionsJson, context: CeremonyContext): CeremonyOutcome<RegistrationResponseJson> {
    return settleCeremony(() => {
      this.#check(context);
      const rpId = createRelyingParty(context.origin, options.rp.id, context.relatedOrigins);
      this.#checkCreation(options);
      // No one is asked: the browser creates the passkey by itself, or nothing happens.
      if (context.conditional === true) this.#checkConditional(options);
      else if (!this.#reachUser()) return { kind: 'unanswered' };
      if (this.#named(rpId, options.excludeCredentials ?? []).length > 0) throw new CeremonyError('excluded');
      return { kind: 'answered', response: this.#register(options, rpId, context) };
    });
  }

  /** `get` as an outcome, for callers that cannot wait for what no one answers. */
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

  /** The passkeys that fit a request, the oldest first: what autofill would offer. Throws CeremonyError for a foreign rpId. */
  fitting(
    { rpId, allowCredentials = [] }: RequestOptionsJson,
    origin: string,
    relatedOrigins?: readonly string[],
  ): readonly StoredCredential[] {
    const party = createRelyingParty(origin, rpId, relatedOrigins);
    if (allowCredentials.length > 0) return this.#named(party, allowCredentials);
    return this.held().filter((credential) => credential.discoverable && credential.rpId === party);
  }

  /** Takes up what a page tells about the passkeys of its relying party (WebAuthn level 3, 5.1.10). */
  signal(signals: SignalsJson): void {
    const { currentUserDetails: details } = signals;
    for (const held of this.held()) {
      if (!isKept(held, signals)) this.forget(held.id);
      else if (details?.rpId === held.rpId && details.userId === held.userHandle) {
        this.hold({ ...held, userName: details.name });
      }
    }
  }

  #check({ signal }: CeremonyContext): void {
    if (signal?.aborted === true) throw new CeremonyError('aborted', signal.reason);
  }

  #checkCreation({ pubKeyCredParams, authenticatorSelection: wished = {} }: CreationOptionsJson): void {
    const { profile } = this;
    const algorithm = coseAlgorithms[profile.algorithm];
    // An empty list stands for the two that every server is expected to take.
    const accepted = pubKeyCredParams.length === 0 ? [{ alg: -7 }, { alg: -257 }] : pubKeyCredParams;
    if (!accepted.some(({ alg }) => alg === algorithm)) throw new CeremonyError('no-algorithm');
    const attachment = wished.authenticatorAttachment ?? profile.attachment;
    const lacking =
      attachment !== profile.attachment ||
      (residentKeyWish(wished) === 'required' && !profile.residentKey) ||
      (wished.userVerification === 'required' && !profile.userVerification);
    if (lacking) throw new CeremonyError('cannot-serve');
  }

  /** What creates passkeys without its user is one of this device that keeps them, and it verifies no one. */
  #checkConditional({ authenticatorSelection }: CreationOptionsJson): void {
    const { attachment, residentKey } = this.profile;
    const mayBeAbsent = authenticatorSelection?.userVerification !== 'required';
    if (this.misbehavior === 'refuses') throw new CeremonyError('refused');
    if (attachment !== 'platform' || !residentKey || !mayBeAbsent) throw new CeremonyError('cannot-serve');
  }

  /** Asks the user. Returns false when the user walked away; throws CeremonyError when the user does not approve. */
  #reachUser(): boolean {
    this.#ceremonies += 1;
    if (this.misbehavior === 'refuses') throw new CeremonyError('refused');
    if (this.misbehavior === 'times-out') throw new CeremonyError('timed-out');
    if (this.misbehavior === 'fails-second-time' && this.#ceremonies === 2) throw new CeremonyError('refused');
    return this.misbehavior !== 'walks-away';
  }

  #named(rpId: string, descriptors: readonly CredentialDescriptorJson[]): readonly StoredCredential[] {
    const ids = new Set(descriptors.map(({ id }) => id));
    return this.held().filter((credential) => credential.rpId === rpId && ids.has(credential.id));
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
    const wished = this.misbehavior === 'bad-signature' ? 'broken' : profile.attestation;
    const format = deliveredFormat(wished, options.attestation);
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

  /** Makes a passkey and holds it. A discoverable one replaces that of the same user, as authenticators do. */
  #newCredential({ user, authenticatorSelection }: CreationOptionsJson, rpId: string): StoredCredential {
    const { profile } = this;
    const wish = residentKeyWish(authenticatorSelection ?? {});
    const discoverable = profile.residentKey && (profile.attachment === 'platform' || wish !== 'discouraged');
    const { id, privateKey } = this.#freshKey(rpId, user.id);
    if (discoverable) {
      const same = this.held().filter((held) => held.discoverable && held.rpId === rpId && held.userHandle === user.id);
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

  /** The first seeded key whose id is not in use. */
  #freshKey(rpId: string, userHandle: string) {
    const { aaguid, algorithm } = this.profile;
    for (let number = 0; ; number += 1) {
      const seed = createKeySeed({ seed: this.#seed, aaguid, rpId, userHandle, number });
      if (!this.#credentials.has(seededCredentialId(seed))) return seededCredential(seed, algorithm);
    }
  }

  #assert(
    held: StoredCredential,
    { challenge, userVerification, extensions }: RequestOptionsJson,
    rpId: string,
    origin: string,
  ): AuthenticationResponseJson {
    const counter = held.backupEligible ? 0 : held.counter + 1;
    const credential = { ...held, counter };
    this.#credentials.set(held.id, credential);
    const userVerified = this.#userVerified(userVerification);
    const data = authenticatorData({ ...credential, rpId, userPresent: true, userVerified }, null);
    const clientData = this.#clientData('webauthn.get', challenge, origin);
    const signed = this.misbehavior === 'bad-signature' ? data : Buffer.concat([data, sha256(clientData)]);
    return {
      ...this.#envelope(held.id),
      clientExtensionResults: this.#prf(held, extensions?.prf, false),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signatureBy(held.privateKey, signed).toString('base64url'),
        // One that is not discoverable does not remember its user.
        ...(held.discoverable ? { userHandle: held.userHandle } : {}),
      },
    };
  }

  /** The output of the PRF extension. Takes the input of the page, and whether the passkey is new. */
  #prf({ privateKey }: StoredCredential, input: PrfInputJson | undefined, isNew: boolean): ExtensionResultsJson {
    if (input === undefined) return {};
    if (this.profile.prf === false) return isNew ? { prf: { enabled: false } } : { prf: {} };
    return { prf: { ...(isNew ? { enabled: true } : {}), ...prfResults(privateKey, input) } };
  }

  #userVerified(wish: string | undefined): boolean {
    return this.profile.userVerification && (this.profile.attachment === 'platform' || wish !== 'discouraged');
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

function residentKeyWish(selection: { readonly residentKey?: string; readonly requireResidentKey?: boolean }): string {
  return selection.residentKey ?? (selection.requireResidentKey === true ? 'required' : 'discouraged');
}
