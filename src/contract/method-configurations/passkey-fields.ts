import { z } from 'zod';
import {
  element,
  formatValue,
  type ItemReader,
  list,
  type ObjectRule,
  type Reader,
  section,
  word,
} from '../policy-reader.ts';
import {
  type ConfigurationField,
  type ConfigurationFields,
  createTextsReader,
  flagField,
  readFlag,
} from './configuration-fields.ts';
import type { MethodConfiguration } from './method-configuration.ts';

/** Restriction of passkeys to models, by the AAGUIDs as sent. */
export interface WireKeyRestrictions {
  readonly isEnforced: boolean;
  readonly enforcementType: 'allow' | 'block';
  readonly aaGuids: readonly string[];
}

const passkeyTypeSets = ['deviceBound,synced', 'deviceBound', 'synced'] as const;

/** Passkey profile in the format of responses. */
export interface WirePasskeyProfile {
  readonly id: string;
  readonly name: string;
  readonly passkeyTypes: (typeof passkeyTypeSets)[number];
  readonly attestationEnforcement: 'disabled' | 'registrationOnly';
  readonly keyRestrictions: WireKeyRestrictions;
}

/** Restrictions that allow every model. */
export const noRestrictions: WireKeyRestrictions = { isEnforced: false, enforcementType: 'allow', aaGuids: [] };

const restrictionsSchema = z.strictObject({
  isEnforced: z.boolean(),
  enforcementType: z.enum(['allow', 'block']),
  aaGuids: z.array(z.string()).readonly(),
});

const readRestrictions = section<WireKeyRestrictions>({
  typeName: 'fido2KeyRestrictions',
  readers: {
    isEnforced: readFlag,
    enforcementType: word(['allow', 'block']),
    aaGuids: createTextsReader(z.guid(), 'a Guid'),
  },
});

/** Flags may be in any order, with blanks. */
const readPasskeyTypes = word(passkeyTypeSets, new Map([['synced,devicebound', 'deviceBound,synced']]));

const profileItem = element<WirePasskeyProfile>({
  typeName: 'passkeyProfile',
  readers: {
    id: (given, current: string | undefined, place, refusals) => {
      if (typeof given === 'string' && (given === current || z.guid().safeParse(given).success)) return given;
      refusals.refuse(place, `${formatValue(given)} is not a Guid`);
      return current as string;
    },
    name: (given, current, place, refusals) => {
      if (typeof given === 'string' && given.length <= nameCharactersMax) return given;
      refusals.refuse(place, `${formatValue(given)} is not a String of at most ${nameCharactersMax} characters`);
      return current;
    },
    passkeyTypes: (given, current, place, refusals) =>
      readPasskeyTypes(typeof given === 'string' ? given.replaceAll(' ', '') : given, current, place, refusals),
    attestationEnforcement: word(['disabled', 'registrationOnly']),
    keyRestrictions: (given, current: WireKeyRestrictions | undefined, place, refusals) =>
      readRestrictions(given, current ?? noRestrictions, place, refusals),
  },
});

const nameCharactersMax = 256;

/** Adds the defaults of an item that its request omits. */
function withDefaults<T extends object>(item: ItemReader<T>, defaults: Partial<T>): ItemReader<T> {
  return (given, known, place, refusals) =>
    item(
      typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...defaults, ...given } : given,
      known,
      place,
      refusals,
    );
}

const profilesMax = 100;

const readProfiles = list<WirePasskeyProfile>({
  item: withDefaults(profileItem, {
    name: '',
    passkeyTypes: 'deviceBound,synced',
    attestationEnforcement: 'disabled',
    keyRestrictions: noRestrictions,
  }),
  identityOf: (profile) => {
    const id = (profile as { readonly id?: unknown } | null)?.id;
    return typeof id === 'string' ? id.toLowerCase() : null;
  },
  itemsMax: profilesMax,
});

function field<T>(schema: z.ZodType<T>, initial: T, read: Reader<T>): ConfigurationField {
  return { schema, initial, createReader: () => read as Reader<unknown> };
}

/** Fields of the configuration of passkeys. */
export const passkeyFields: ConfigurationFields = {
  isSelfServiceRegistrationAllowed: flagField(true),
  isAttestationEnforced: flagField(false),
  keyRestrictions: field(restrictionsSchema, noRestrictions, readRestrictions),
  passkeyProfiles: field(
    z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          passkeyTypes: z.enum(passkeyTypeSets),
          attestationEnforcement: z.enum(['disabled', 'registrationOnly']),
          keyRestrictions: restrictionsSchema,
        }),
      )
      .readonly(),
    [],
    readProfiles,
  ),
  defaultPasskeyProfile: field(z.string().nullable(), null, (given, current, place, refusals) => {
    if (given === null || typeof given === 'string') return given;
    refusals.refuse(place, `${formatValue(given)} is not the Guid of a passkey profile, or null`);
    return current;
  }),
};

/** Rejects passkey profiles that do not exist or are there twice. */
export const ruleOfProfiles: ObjectRule<MethodConfiguration> = (after, place, refusals) => {
  const at = (name: string) => (place === '' ? name : `${place}.${name}`);
  const profiles = after['passkeyProfiles'] as readonly WirePasskeyProfile[];
  const ids = profiles.map(({ id }) => id);
  const allowed =
    ids.length === 0 ? 'the policy has no passkey profiles' : `the passkey profiles are ${ids.join(', ')}`;
  ids.forEach((id, index) => {
    if (ids.indexOf(id) !== index)
      refusals.refuse(at(`passkeyProfiles[${index}].id`), `${formatValue(id)} is the id of another profile`);
  });
  const usual = after['defaultPasskeyProfile'];
  if (usual !== null && !ids.some((id) => id === usual)) {
    refusals.refuse(at('defaultPasskeyProfile'), `${formatValue(usual)} does not exist; ${allowed}`);
  }
  after.includeTargets.forEach((target, index) => {
    for (const id of target['allowedPasskeyProfiles'] as readonly string[]) {
      if (ids.includes(id)) continue;
      refusals.refuse(
        at(`includeTargets[${index}].allowedPasskeyProfiles`),
        `${formatValue(id)} does not exist; ${allowed}`,
      );
    }
  });
};
