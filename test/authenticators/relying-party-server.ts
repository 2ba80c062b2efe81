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

/** Origin of the relying party in these tests, which uses the same WebAuthn library as the server. */
export const origin = 'http://localhost:3000';
export const rpId = 'localhost';
export const alice = { id: Buffer.from('sandbox\nalice').toString('base64url'), name: 'alice@example.test' };

/** Creates registration options that accept all three algorithms. */
export function creationOptions(changes: Partial<CreationOptionsJson> = {}): CreationOptionsJson {
  return {
    rp: { id: rpId, name: 'Test' },
    user: { ...alice, displayName: 'Alice' },
    challenge: createChallenge('registration'),
    pubKeyCredParams: Object.values(coseAlgorithms).map((alg) => ({ alg, type: 'public-key' })),
    ...changes,
  };
}

/** Creates options of an authentication ceremony that names no passkey. */
export function requestOptions(changes: Partial<RequestOptionsJson> = {}): RequestOptionsJson {
  return { challenge: createChallenge('assertion'), rpId, ...changes };
}

export function createChallenge(text: string): string {
  return Buffer.from(text.padEnd(32, '.')).toString('base64url');
}

/**
 * Creates a verifier for an origin. Its functions throw if the library throws or does not verify the response.
 */
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

/** Makes the library trust the given PEM root certificates for packed attestation. */
export function trust(...certificates: readonly string[]): void {
  SettingsService.setRootCertificates({ identifier: 'packed', certificates: [...certificates] });
}
