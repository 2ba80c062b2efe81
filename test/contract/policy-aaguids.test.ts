import { describe, expect, test } from 'vitest';
import { passkeyTypes } from '../../machines/vocabulary.ts';
import { findPasskeyType, representativeAaguids } from '../../src/contract/aaguids.ts';
import { nonEmpty } from '../non-empty.ts';

describe('AAGUIDs', () => {
  test('AAGUID: every passkey type has its own AAGUID, which maps back to the type in any letter case', () => {
    expect(Object.keys(representativeAaguids).sort()).toEqual([...passkeyTypes].sort());
    for (const type of nonEmpty(passkeyTypes)) {
      expect(representativeAaguids[type]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(findPasskeyType(representativeAaguids[type])).toBe(type);
      expect(findPasskeyType(representativeAaguids[type].toUpperCase())).toBe(type);
    }
  });

  test('AAGUID: an AAGUID that is not in the list has no type', () => {
    expect(findPasskeyType('00000000-0000-0000-0000-000000000000')).toBeNull();
  });
});
