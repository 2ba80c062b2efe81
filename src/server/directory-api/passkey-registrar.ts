import type { Request } from 'express';
import type { CreationOptionsResource } from '../../contract/directory-api/method-types.ts';
import { machineNowMs, toInstant } from '../../core/clock.ts';
import { computeHmac, parseInstantMs } from '../../core/hmac.ts';
import { randomId } from '../../core/ids.ts';
import { sameSecret } from '../../core/secrets.ts';
import type { PasskeyRegistrar } from '../../sandbox/directory-api/directory-exchange.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { StoredSecret } from '../../sandbox/stored-secret.ts';
import { directoryChallenges, type GivenChallenge, UsedChallenges } from '../../sandbox/used-challenges.ts';
import {
  creationOptionsFor,
  named,
  passkeySettings,
  registrationPlace,
} from '../identity/passkeys/ceremony-service.ts';
import { findRegistrationFault } from '../identity/passkeys/registration-fault.ts';
import { getRelyingParty, type RelyingParty } from '../identity/passkeys/relying-party.ts';
import { type GivenChallenges, verifyRegistration } from '../identity/passkeys/verify.ts';

const minuteMs = 60_000;

/** Device of a passkey that was registered by this API, which does not know it. */
const unknownDevice = 'registered-by-directory-api';

/** Returns the passkey ceremonies of a sandbox for the requests of a client. */
export function passkeyRegistrar(request: Request, sandbox: Sandbox): PasskeyRegistrar {
  return {
    createOptions: async (userId, minutes) => {
      const relyingParty = getPageParty(request, sandbox);
      const expiresAtMs = sandbox.clock.nowMs() + minutes * minuteMs;
      const challenge = await getChallenges(sandbox).make(userId, expiresAtMs);
      const {
        authenticatorSelection,
        timeout: _timeout,
        ...options
      } = creationOptionsFor({
        sandbox,
        userId,
        relyingParty,
        challenge,
      }) as unknown as CreationOptionsResource['publicKey'];
      const { userVerification, requireResidentKey } = authenticatorSelection;
      return {
        challengeTimeoutDateTime: toInstant(expiresAtMs),
        publicKey: {
          ...options,
          timeout: minutes * minuteMs,
          authenticatorSelection: { authenticatorAttachment: 'cross-platform', requireResidentKey, userVerification },
          extensions: options.extensions ?? {},
        },
      };
    },
    verify: async (userId, credential) => {
      const party = getPageParty(request, sandbox);
      const relyingParty = { ...party, relatedOrigins: [...party.relatedOrigins, `https://${party.id}`] };
      const ceremony = {
        answer: JSON.stringify(credential),
        challenge: getChallenges(sandbox).verifier(userId),
        relyingParty,
      };
      const place = await registrationPlace(sandbox, 'unknown');
      // The challenge is consumed by a valid registration, so faults are looked for before.
      const fault = await findRegistrationFault(ceremony);
      if (fault !== null) return fault;
      const made = await verifyRegistration(ceremony, place);
      if (made === null)
        return 'the attestation or the key of the passkey is not valid, or its metadata is not trusted';
      const { type, attested } = made;
      const kept = named(made.credential, type);
      return { passkey: { type, deviceId: unknownDevice, credentialId: kept.id }, credential: kept, attested };
    },
  };
}

/** Returns the relying party of the sandbox's pages: the host that the server knows, or that of the request. */
function getPageParty(request: Request, sandbox: Sandbox): RelyingParty {
  const issuer = URL.parse(sandbox.tokens.issuer);
  const settings = passkeySettings(sandbox);
  if (issuer === null || !/^https?:$/.test(issuer.protocol)) return getRelyingParty(request, settings);
  return getRelyingParty({ protocol: issuer.protocol.slice(0, -1), headers: { host: issuer.host } }, settings);
}

const challengesBySandbox = new WeakMap<Sandbox, RegistrationChallenges>();

function getChallenges(sandbox: Sandbox): RegistrationChallenges {
  let challenges = challengesBySandbox.get(sandbox);
  if (challenges === undefined) {
    challenges = new RegistrationChallenges(sandbox);
    challengesBySandbox.set(sandbox, challenges);
  }
  return challenges;
}

/** Challenges of registrations by this API. Each is valid once, for one user, and until its own time. */
class RegistrationChallenges {
  readonly #sandbox: Sandbox;
  readonly #secret: StoredSecret;
  readonly #used: UsedChallenges;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#secret = new StoredSecret(sandbox.recorder, 'directory-passkey-key');
    this.#used = new UsedChallenges(sandbox.recorder, directoryChallenges);
  }

  /** Creates a challenge in base64url. */
  async make(userId: string, expiresAtMs: number): Promise<string> {
    const content = [randomId(), this.#sandbox.clock.nowMs(), machineNowMs(), expiresAtMs].join(' ');
    return Buffer.from(`${content} ${await this.#seal(content, userId)}`).toString('base64url');
  }

  /** Returns the verifier for the challenges of a user. */
  verifier(userId: string): GivenChallenges {
    return {
      wasGiven: async (text) => {
        const challenge = await this.#read(text, userId);
        return challenge !== null && this.#used.mayBeUsed(challenge);
      },
      use: async (text) => {
        const challenge = await this.#read(text, userId);
        return challenge !== null && this.#used.use(challenge);
      },
    };
  }

  async #seal(content: string, userId: string): Promise<string> {
    return computeHmac(await this.#secret.get(), 'directory-passkey', content, userId);
  }

  /** Decodes a challenge. Returns `null` if it was not created for this user, or if its time is over. */
  async #read(text: string, userId: string): Promise<GivenChallenge | null> {
    const parts = Buffer.from(text, 'base64url').toString().split(' ');
    const seal = parts.at(-1) ?? '';
    const content = parts.slice(0, -1);
    if (content.length !== 4 || !sameSecret(seal, await this.#seal(content.join(' '), userId))) return null;
    const [id = '', givenAtMs = '', givenMadeMs = '', expires = ''] = content;
    const [atMs, madeMs, expiresAtMs] = [givenAtMs, givenMadeMs, expires].map(parseInstantMs);
    if (atMs == null || madeMs == null || expiresAtMs == null) return null;
    return this.#sandbox.clock.nowMs() > expiresAtMs ? null : { id, atMs, madeMs };
  }
}
