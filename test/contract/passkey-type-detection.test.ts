import { describe, expect, test } from 'vitest';
import { operatingSystems, passkeyTypes } from '../../machines/vocabulary.ts';
import { aaguidSources, aaguidTable, findAaguidRow, representativeAaguids } from '../../src/contract/aaguids.ts';
import { detectPasskeyType } from '../../src/contract/passkey-type-detection.ts';
import { nonEmpty } from '../non-empty.ts';

const unknownAaguid = '11111111-2222-4333-8444-555555555555';

/** Cases of assumption A51, copied by hand: transports, backup eligibility, operating system and derived type. */
const derived = [
  [['usb'], false, 'windows', 'security-key'],
  [['nfc'], false, 'macos', 'security-key'],
  [['ble'], false, 'ios', 'security-key'],
  [['hybrid'], false, 'android', 'security-key'],
  [['hybrid'], true, 'ios', 'security-key'],
  [['usb'], true, 'macos', 'security-key'],
  [['internal', 'usb'], true, 'windows', 'security-key'],
  [['internal', 'nfc'], false, 'windows', 'security-key'],
  [['internal'], true, 'ios', 'keychain'],
  [['internal', 'hybrid'], true, 'ios', 'keychain'],
  [['internal'], true, 'macos', 'keychain'],
  [['hybrid', 'internal'], true, 'macos', 'keychain'],
  [[], true, 'macos', 'keychain'],
  [['internal'], true, 'android', 'handset-vendor'],
  [['internal', 'hybrid'], true, 'android', 'handset-vendor'],
  [['internal'], true, 'windows', 'password-manager'],
  [['internal'], true, 'linux', 'password-manager'],
  [['internal'], true, 'unknown', 'password-manager'],
  [['internal'], false, 'windows', 'windows-bound'],
  [['internal', 'hybrid'], false, 'windows', 'windows-bound'],
  [[], false, 'windows', 'windows-bound'],
  [['internal'], false, 'macos', 'mac-platform-sso'],
  [['internal'], false, 'ios', 'security-key'],
  [['internal'], false, 'android', 'security-key'],
  [['internal'], false, 'linux', 'security-key'],
  [['internal'], false, 'unknown', 'security-key'],
  [['smart-card'], false, 'windows', 'windows-bound'],
  [['cable'], true, 'ios', 'keychain'],
] as const;

describe('passkey type detection', () => {
  test.each(derived)(
    'A51: an unknown AAGUID with transports %j and backup eligibility %s on %s is detected as %s',
    (transports, be, os, type) => {
      const kind = detectPasskeyType({ aaguid: unknownAaguid, transports, backupEligible: be, os });
      expect(kind).toEqual({ type, confidence: 'derived' });
    },
  );

  test('A51: a known AAGUID determines the type regardless of transports, flags and operating system', () => {
    for (const row of nonEmpty(aaguidTable)) {
      for (const os of nonEmpty(operatingSystems)) {
        for (const transports of [['usb'], ['internal'], ['hybrid'], []]) {
          for (const backupEligible of [true, false]) {
            const kind = detectPasskeyType({ aaguid: row.aaguid.toUpperCase(), transports, backupEligible, os });
            expect(kind).toEqual({ type: row.type, confidence: 'known' });
          }
        }
      }
    }
  });

  test('A51: the type of a passkey with the zero AAGUID is derived', () => {
    const zeros = '00000000-0000-0000-0000-000000000000';
    expect(detectPasskeyType({ aaguid: zeros, transports: ['internal'], backupEligible: true, os: 'ios' })).toEqual({
      type: 'keychain',
      confidence: 'derived',
    });
  });
});

describe('AAGUID table', () => {
  test('A51: each AAGUID is listed once, in lower case, with a name and a source', () => {
    const aaguids = aaguidTable.map((row) => row.aaguid);
    expect(new Set(aaguids).size).toBe(aaguids.length);
    for (const row of nonEmpty(aaguidTable)) {
      expect(row.aaguid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(row.name).not.toBe('');
      expect(Object.keys(aaguidSources)).toContain(row.source);
      expect(findAaguidRow(row.aaguid.toUpperCase())).toBe(row);
    }
  });

  test('R12: every row of the matrix has a representative AAGUID of its type', () => {
    for (const type of nonEmpty(passkeyTypes)) {
      expect(findAaguidRow(representativeAaguids[type])?.type).toBe(type);
    }
  });

  test('R12: the representative AAGUIDs stay the same, because tenants use them in key restrictions', () => {
    expect(representativeAaguids).toEqual({
      'windows-hello-for-business': '08987058-cadc-4b81-b6e1-30de50dcbe96',
      'windows-bound': '9ddd1817-af5a-4672-a2b9-3e3dd95000a9',
      'password-manager': 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4',
      keychain: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
      'mac-platform-sso': '7fd635b3-2ef9-4542-8d9d-164f2c771efc',
      'handset-vendor': '53414d53-554e-4700-0000-000000000000',
      'authenticator-app': '90a3ccdf-635c-4729-a248-9b709135078f',
      'security-key': '2fc0579f-8113-47ea-b116-bb5a8db9202a',
    });
  });
});
