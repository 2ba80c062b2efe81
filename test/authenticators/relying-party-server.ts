import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  SettingsService,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import type {
  AuthenticationResponseJson,
  CreationOptionsJson,
  RegistrationResponseJson,
  RequestOptionsJson,
} from '../../src/authenticators/webauthn-json.ts';
import { coseAlgorithms } from '../../src/core/cose-key.ts';

/** The verifier of these tests: the library that the server uses, at an address of its own. */
export const origin = 'http://localhost:3000';
export const rpId = 'localhost';
export const alice = { id: Buffer.from('sandbox\nalice').toString('base64url'), name: 'alice@example.test' };

/** Options of a registration that takes all three algorithms. */
export function creationOptions(changes: Partial<CreationOptionsJson> = {}): CreationOptionsJson {
  return {
    rp: { id: rpId, name: 'Test' },
    user: { ...alice, displayName: 'Alice' },
    challenge: createChallenge('registration'),
    pubKeyCredParams: Object.values(coseAlgorithms).map((alg) => ({ alg, type: 'public-key' })),
    ...changes,
  };
}

/** Options of an assertion that names no passkey. */
export function requestOptions(changes: Partial<RequestOptionsJson> = {}): RequestOptionsJson {
  return { challenge: createChallenge('assertion'), rpId, ...changes };
}

export function createChallenge(text: string): string {
  return Buffer.from(text.padEnd(32, '.')).toString('base64url');
}

/** A verifier at an origin. Both throw when the library does, or when it says no. */
export function verifierAt(expectedOrigin: string) {
  return {
    async register(response: RegistrationResponseJson, { challenge }: CreationOptionsJson) {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin,
        expectedRPID: rpId,
        requireUserVerification: false,
      });
      if (!verified) throw new Error('not verified');
      return registrationInfo;
    },
    async signIn(
      response: AuthenticationResponseJson,
      { challenge }: RequestOptionsJson,
      credential: WebAuthnCredential,
    ) {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin,
        expectedRPID: rpId,
        credential,
        requireUserVerification: false,
      });
      if (!verified) throw new Error('not verified');
      return authenticationInfo;
    },
  };
}

export const { register, signIn } = verifierAt(origin);

/** Makes the library trust the roots given, in PEM, for packed attestation. */
export function trust(...certificates: readonly string[]): void {
  SettingsService.setRootCertificates({ identifier: 'packed', certificates: [...certificates] });
}
