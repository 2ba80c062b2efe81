import {
  type PasskeyType,
  passkeyTypes,
  type RegisteredMethod,
  registeredMethods,
} from '../../../machines/vocabulary.ts';
import type { Confidence, ImportMapping } from '../../contract/import-mapping.schema.ts';

/** Registered methods as bits, in the order of the vocabulary. */
export function methodBits(methods: readonly RegisteredMethod[]): number {
  return methods.reduce((bits, method) => bits | (1 << registeredMethods.indexOf(method)), 0);
}

/** The methods that bits stand for. */
export function decodeMethods(bits: number): readonly RegisteredMethod[] {
  return registeredMethods.filter((_, place) => (bits & (1 << place)) !== 0);
}

/** The passkeys that a text of the import names. */
export function parsePasskeys(text: string): readonly PasskeyType[] {
  return passkeyTypes.filter((type) => text.split(',').includes(type));
}

/** Passkeys that stay on the device on which they were made, and the system of that device (A9, A32). */
const systemsOfPasskeys: Partial<Record<PasskeyType, 'windows' | 'mac'>> = {
  'windows-hello-for-business': 'windows',
  'windows-bound': 'windows',
  'mac-platform-sso': 'mac',
};

/** The system on whose device a passkey stays; `null` for one that does not belong to a device. */
export function systemOfPasskey(type: PasskeyType): 'windows' | 'mac' | null {
  return systemsOfPasskeys[type] ?? null;
}

/** Types of passkeys that belong to a device. */
export const deviceBoundPasskeys = passkeyTypes.filter((type) => systemOfPasskey(type) !== null);

/** What a list of registered methods was read as. */
export interface ReadMethods {
  readonly bits: number;
  readonly passkeys: string;
  readonly low: boolean;
  readonly unknown: readonly string[];
}

/** Reads the methods of the report of registrations. Takes the mapping and the text: JSON, or words between separators. */
export function readMethods({ registrations }: ImportMapping, text: string | null): ReadMethods {
  const methods = new Set<RegisteredMethod>();
  const passkeys = new Set<PasskeyType>();
  const unknown: string[] = [];
  let confidence: Confidence = 'high';
  for (const word of wordsOf(text)) {
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

function wordsOf(text: string | null): readonly string[] {
  if (text === null || text.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value.map(String);
  } catch {
    // Words between separators are the other way to write a list.
  }
  return text
    .replaceAll(/^\[|\]$/g, '')
    .split(/[;,|]/)
    .map((word) => word.trim().replaceAll(/^["']|["']$/g, ''))
    .filter((word) => word !== '');
}
