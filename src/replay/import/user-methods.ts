import {
  type PasskeyType,
  passkeyTypes,
  type RegisteredMethod,
  registeredMethods,
} from '../../../machines/vocabulary.ts';
import type { Confidence, ImportMapping } from '../../contract/import-mapping.schema.ts';

/** Converts registered methods to bits, in the order of the vocabulary. */
export function methodBits(methods: readonly RegisteredMethod[]): number {
  return methods.reduce((bits, method) => bits | (1 << registeredMethods.indexOf(method)), 0);
}

/** Converts bits to registered methods. */
export function decodeMethods(bits: number): readonly RegisteredMethod[] {
  return registeredMethods.filter((_, place) => (bits & (1 << place)) !== 0);
}

/** Parses the passkey types in a text of the import. */
export function parsePasskeys(text: string): readonly PasskeyType[] {
  return passkeyTypes.filter((type) => text.split(',').includes(type));
}

/** Device-bound passkey types, with the system of the device (A9, A32). */
const systemsOfPasskeys: Partial<Record<PasskeyType, 'windows' | 'mac'>> = {
  'windows-hello-for-business': 'windows',
  'windows-bound': 'windows',
  'mac-platform-sso': 'mac',
};

/** Returns the system to whose devices a passkey type is bound; `null` if it is not device-bound. */
export function systemOfPasskey(type: PasskeyType): 'windows' | 'mac' | null {
  return systemsOfPasskeys[type] ?? null;
}

/** Device-bound passkey types. */
export const deviceBoundPasskeys = passkeyTypes.filter((type) => systemOfPasskey(type) !== null);

/** Methods parsed from a list of registered methods. */
export interface ReadMethods {
  readonly bits: number;
  readonly passkeys: string;
  readonly low: boolean;
  readonly unknown: readonly string[];
}

/** Parses the methods of the registration report from JSON or from words with separators, by the mapping. */
export function readMethods({ registrations }: ImportMapping, text: string | null): ReadMethods {
  const methods = new Set<RegisteredMethod>();
  const passkeys = new Set<PasskeyType>();
  const unknown: string[] = [];
  let confidence: Confidence = 'high';
  for (const word of splitWords(text)) {
    const known = registrations.methods.filter(({ match }) => new RegExp(match, 'i').test(word));
    if (known.length === 0) unknown.push(word);
    for (const { method, passkey, confidence: sure } of known) {
      if (method !== undefined) methods.add(method);
      if (passkey !== undefined) passkeys.add(passkey);
      if (sure === 'low') confidence = 'low';
    }
  }
  return {
    bits: methodBits([...methods]),
    passkeys: passkeyTypes.filter((type) => passkeys.has(type)).join(','),
    low: confidence === 'low',
    unknown,
  };
}

/** Splits a list in JSON, or words with separators. */
export function splitWords(text: string | null): readonly string[] {
  if (text === null || text.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value.map(String);
  } catch {
    // The text can also be a list of words with separators.
  }
  return text
    .replaceAll(/^\[|\]$/g, '')
    .split(/[;,|]/)
    .map((word) => word.trim().replaceAll(/^["']|["']$/g, ''))
    .filter((word) => word !== '');
}
