import { z } from 'zod';
import {
  browsers,
  mfaMethods,
  operatingSystems,
  passkeyTypes,
  registeredMethods,
  surfaces,
  userTypes,
} from '../../machines/vocabulary.ts';

/** Confidence levels of values that an import read or inferred. */
export const confidences = ['high', 'low'] as const;
export type Confidence = (typeof confidences)[number];

const confidence = z.enum(confidences).default('high');
const names = z.array(z.string().min(1)).min(1);

const pattern = z.string().refine(isPattern, { message: 'must be a regular expression' });

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'i') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Creates a schema for an ordered list of patterns. The first matching pattern determines the value. */
function words<W extends string>(allowed: readonly W[]) {
  return z.array(z.strictObject({ match: pattern, is: z.enum(allowed), confidence }));
}

/** Fields that the mapping reads from a row of the sign-in logs. */
export const signInFields = [
  'id',
  'createdAt',
  'correlationId',
  'userId',
  'userPrincipalName',
  'userType',
  'crossTenantAccess',
  'clientApp',
  'deviceId',
  'os',
  'browser',
  'interactive',
  'eventTypes',
  'incomingToken',
  'requirement',
  'details',
  'detailMethod',
  'accessPolicies',
  'issuer',
  'errorCode',
  'facts',
] as const;
export type SignInField = (typeof signInFields)[number];

const createColumns = <F extends string>(fields: readonly F[]) => z.partialRecord(z.enum(fields), names);

const codeMeanings = ['registers', 'external', 'prompt-required', 'prompt-skippable'] as const;

/** Fields of the registration report. */
const registrationFields = ['id', 'userPrincipalName', 'userType', 'mfaCapable', 'methods', 'updatedAt'] as const;

/** Import mapping that describes how to read exports. Users can change it. */
export const importMappingSchema = z.strictObject({
  version: z.literal(1),
  timeFormats: z.array(z.string()).default([]),
  signIns: z.strictObject({
    columns: createColumns(signInFields),
    detailFields: z.strictObject({
      method: names,
      succeeded: names,
      requirement: names,
      resultDetail: names,
      time: names,
    }),
    policyFields: z.strictObject({ grants: names, result: names }),
    values: z.strictObject({
      os: words(operatingSystems),
      browser: words([...browsers, 'none']),
      surface: words(surfaces),
      userType: words(userTypes),
      crossTenant: words(['own', 'guest']),
      issuer: words(['own', 'foreign']),
      method: words([...mfaMethods, 'previously-satisfied', 'first-factor', 'external', 'other']),
      multiFactorRequirement: words(['first', 'second']),
      requirement: words(['multi', 'single']),
      eventType: words(['interactive', 'non-interactive', 'no-user']),
      grant: words(['terms-of-use', 'custom-controls', 'nothing']),
      accessResult: words(['applied', 'reported', 'not-applied']),
    }),
    codes: z.record(
      z.string(),
      z.strictObject({
        is: z.enum(['success', 'failed', 'interrupted']),
        means: z.enum(codeMeanings).optional(),
        confidence,
      }),
    ),
  }),
  registrations: z.strictObject({
    columns: createColumns(registrationFields),
    methods: z.array(
      z.strictObject({
        match: pattern,
        method: z.enum(registeredMethods).optional(),
        passkey: z.enum(passkeyTypes).optional(),
        confidence,
      }),
    ),
  }),
  policies: z.strictObject({
    authenticatorNames: names,
    audit: z.strictObject({
      columns: z.strictObject({ at: names, resources: names, properties: names, before: names, after: names }),
    }),
  }),
});
export type ImportMapping = z.infer<typeof importMappingSchema>;
export type SignInValues = ImportMapping['signIns']['values'];
