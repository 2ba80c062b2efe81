import { expect } from 'vitest';
import type { AuthenticatorProfile } from '../../src/authenticators/profile.ts';
import { getAuthenticatorProfile } from '../../src/authenticators/profiles.ts';
import {
  SoftwareAuthenticator,
  type SoftwareAuthenticatorOptions,
} from '../../src/authenticators/software-authenticator.ts';
import { passkeyCampaign, type Site, type Surroundings } from './site.ts';
import type { Visitor } from './visitor.ts';

/** Default model of the authenticators in these tests. */
export const securityKey = getAuthenticatorProfile('security-key', 'windows');

export function createAuthenticator(
  profile: Partial<AuthenticatorProfile> = {},
  rest: Omit<SoftwareAuthenticatorOptions, 'profile'> = {},
): SoftwareAuthenticator {
  return new SoftwareAuthenticator({ ...rest, profile: { ...securityKey, ...profile } });
}

/** Opens the passkey setup page as Ada. */
export async function atSetup(site: Site, surroundings: Surroundings = {}): Promise<Visitor> {
  const visitor = await (await site.visitor({ tenant: passkeyCampaign, ...surroundings })).signIn();
  return visitor.press('Next');
}

/** Expects the error screen, no registration and no snooze. */
export function expectFailed({ sandbox, seen }: Visitor): void {
  expect(seen).toEqual([200, 'error-screen']);
  expect(sandbox.directory.user('ada').passkeys).toEqual([]);
  expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ snoozes: 0 });
  expect(sandbox.directory.nudgeStatus('ada').state).not.toBe('registered');
}
