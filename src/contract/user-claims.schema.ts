import { z } from 'zod';
import { boundedText } from './bounded-text.ts';

/** Claims that the protocol and this server write themselves, so neither users nor clients can have them. */
export const protocolClaims = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'azp',
  'acr',
  'amr',
  'auth_time',
  'sid',
  'scp',
  'scope',
  'roles',
  'wids',
  'tid',
  'oid',
  'ver',
  'client_id',
  'cnf',
  '_claim_names',
  '_claim_sources',
] as const;

/** Start of the private claims of this server. */
const privatePrefix = 'nl_';

/** Names that objects have by themselves. */
const inheritedNames: readonly string[] = ['__proto__', 'constructor'];

const claimNamePattern = /^[\x21-\x7e]+$/;
const claimNameMax = 256;
const claimNameText = 'must be 1 to 256 printable ASCII characters without spaces';

/** Names of claims that are not allowed, for the published schema. */
const ownedNames = { anyOf: [{ enum: [...protocolClaims, ...inheritedNames] }, { pattern: `^${privatePrefix}` }] };

/** Returns what is wrong with the name of a claim. `null` if it is allowed. */
function findNameProblem(name: string): string | null {
  if (name.length > claimNameMax || !claimNamePattern.test(name)) return claimNameText;
  const isOwned = protocolClaims.some((owned) => owned === name) || name.startsWith(privatePrefix);
  if (!isOwned && !inheritedNames.includes(name)) return null;
  return `"${name}" is a claim of the protocol, so it cannot be configured; use another name`;
}

/** Name of a claim. Those of the protocol are not allowed. */
export const claimNameSchema = boundedText({
  min: 1,
  max: claimNameMax,
  pattern: claimNamePattern,
  allowed: claimNameText,
})
  .superRefine((name, context) => {
    const problem = claimNamePattern.test(name) ? findNameProblem(name) : null;
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: name });
  })
  .meta({ not: { type: 'string', ...ownedNames } });

/** Maximum length of the value of a claim as JSON. Larger values would make tokens that no server accepts. */
const valueCharactersMax = 65_536;

/** Any JSON value. */
export const claimValueSchema = z
  .unknown()
  .refine(isJson, `must be a JSON value of at most ${valueCharactersMax} characters`);

function isJson(value: unknown): boolean {
  try {
    return (JSON.stringify(value) ?? '').length <= valueCharactersMax && value !== undefined;
  } catch {
    return false;
  }
}

const userClaimsMax = 100;

/**
 * Claims of a user by name, which no rule reads. Clients receive those that their configuration or request names.
 *
 * @see CL70
 */
export const userClaimsSchema = z
  .record(z.string(), claimValueSchema)
  .superRefine((claims, context) => {
    const names = Object.keys(claims);
    for (const name of names) {
      const message = findNameProblem(name);
      if (message !== null) context.addIssue({ code: 'custom', path: [name], message, input: claims[name] });
    }
    if (names.length > userClaimsMax) {
      context.addIssue({ code: 'custom', message: `must have at most ${userClaimsMax} claims`, input: claims });
    }
  })
  .meta({
    maxProperties: userClaimsMax,
    propertyNames: {
      type: 'string',
      minLength: 1,
      maxLength: claimNameMax,
      pattern: claimNamePattern.source,
      not: { type: 'string', ...ownedNames },
    },
    examples: [{ costCenter: '4711' }],
  });
