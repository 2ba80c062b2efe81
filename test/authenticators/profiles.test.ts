import { describe, expect, test } from 'vitest';
import { operatingSystems, passkeyTypes } from '../../machines/vocabulary.ts';
import { findZeroAaguidProfile, getAuthenticatorProfile } from '../../src/authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import {
  virtualAuthenticatorAaguid,
  virtualAuthenticatorOptions,
} from '../../src/authenticators/virtual-authenticator.ts';
import { findAaguidRow } from '../../src/contract/aaguids.ts';
import { detectPasskeyType } from '../../src/contract/passkey-type-detection.ts';
import { nonEmpty } from '../non-empty.ts';
import { creationOptions, origin, register } from './relying-party-server.ts';

const combinations = passkeyTypes.flatMap((type) => operatingSystems.map((os) => [type, os] as const));

/** Synced passkey types of assumption A31, copied by hand. */
const syncedTypes = ['password-manager', 'keychain', 'handset-vendor'];

describe('profiles for each row of the suppression matrix', () => {
  test.each(nonEmpty(combinations))(
    'R12: the authenticator profile for %s on %s creates a passkey of that type',
    async (type, os) => {
      const authenticator = new SoftwareAuthenticator({ profile: getAuthenticatorProfile(type, os) });
      const options = creationOptions();
      const response = await authenticator.create(options, { origin });
      const { aaguid, credentialDeviceType } = await register(response, options);
      const backupEligible = credentialDeviceType === 'multiDevice';
      expect(backupEligible).toBe(syncedTypes.includes(type));
      const kind = detectPasskeyType({ aaguid, transports: response.response.transports, backupEligible, os });
      expect(kind).toEqual({ type, confidence: 'known' });
    },
  );

  test('R12: the authenticator app has a separate AAGUID for each mobile platform', () => {
    const nameOn = (os: 'ios' | 'android') => {
      return findAaguidRow(String(getAuthenticatorProfile('authenticator-app', os).aaguid))?.name;
    };
    expect(nameOn('ios')).toBe('authenticator app (iOS)');
    expect(nameOn('android')).toBe('authenticator app (Android)');
  });

  test.each([
    ['keychain', 'macos', 'platform'],
    ['keychain', 'windows', 'cross-platform'],
    ['handset-vendor', 'android', 'platform'],
    ['handset-vendor', 'windows', 'cross-platform'],
    ['authenticator-app', 'ios', 'platform'],
    ['authenticator-app', 'windows', 'cross-platform'],
    ['password-manager', 'linux', 'platform'],
    ['security-key', 'android', 'cross-platform'],
  ] as const)('R12: %s in a browser on %s has the attachment %s', (type, os, attachment) => {
    expect(getAuthenticatorProfile(type, os).attachment).toBe(attachment);
  });
});

describe('profiles with the zero AAGUID', () => {
  /** Types and platforms that assumption A51 derives, copied by hand. */
  const derivable = [
    ['security-key', 'windows'],
    ['security-key', 'linux'],
    ['keychain', 'ios'],
    ['keychain', 'macos'],
    ['handset-vendor', 'android'],
    ['password-manager', 'windows'],
    ['password-manager', 'linux'],
    ['windows-bound', 'windows'],
    ['mac-platform-sso', 'macos'],
  ] as const;

  test.each(derivable)(
    'A51: with the zero AAGUID, %s on %s is derived and available as a Chromium virtual authenticator',
    async (type, os) => {
      const profile = findZeroAaguidProfile(type, os);
      expect(profile).not.toBeNull();
      if (profile === null) return;
      const options = creationOptions();
      const response = await new SoftwareAuthenticator({ profile }).create(options, { origin });
      const { aaguid, credentialDeviceType } = await register(response, options);
      const backupEligible = credentialDeviceType === 'multiDevice';
      const traits = { transports: response.response.transports, backupEligible, os };
      expect(detectPasskeyType({ ...traits, aaguid })).toEqual({ type, confidence: 'derived' });
      expect(detectPasskeyType({ ...traits, aaguid: virtualAuthenticatorAaguid })).toEqual({
        type,
        confidence: 'derived',
      });
      expect(virtualAuthenticatorOptions(profile, 'approves')).toMatchObject({
        defaultBackupEligibility: backupEligible,
        isUserVerified: true,
      });
    },
  );

  test.each([
    ['windows-hello-for-business', 'windows'],
    ['authenticator-app', 'ios'],
    ['keychain', 'windows'],
    ['mac-platform-sso', 'windows'],
  ] as const)('A51: no zero-AAGUID profile exists for %s on %s', (type, os) => {
    expect(findZeroAaguidProfile(type, os)).toBeNull();
  });
});

describe('Chromium’s virtual authenticator', () => {
  const nameless = findZeroAaguidProfile('windows-bound', 'windows');

  test('virtual-authenticator: a declined ceremony is simulated by a failed user verification', () => {
    expect(nameless && virtualAuthenticatorOptions(nameless, 'refuses')).toEqual({
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: false,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: false,
      defaultBackupState: false,
    });
  });

  test('virtual-authenticator: an AAGUID, attestation, algorithm, second transport or other misbehavior is unsupported', () => {
    expect.assert(nameless !== null);
    const beyond = [
      { ...nameless, aaguid: '08987058-cadc-4b81-b6e1-30de50dcbe96' },
      { ...nameless, attestation: 'packed-self' },
      { ...nameless, algorithm: 'RS256' },
      { ...nameless, transports: ['internal', 'hybrid'] },
      { ...nameless, transports: ['smart-card'] },
      { ...nameless, transports: [] },
    ] as const;
    for (const profile of beyond) expect(virtualAuthenticatorOptions(profile, 'approves')).toBeNull();
    expect(virtualAuthenticatorOptions(nameless, 'walks-away')).toBeNull();
    expect(virtualAuthenticatorOptions({ ...nameless, userVerification: false }, 'refuses')).toBeNull();
  });
});
