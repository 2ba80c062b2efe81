import { z } from 'zod';
import { boundedText, lengthBounded } from './bounded-text.ts';
import { clientPermissions } from './client-permissions.ts';

/**
 * Scopes that a refresh can add to those of the sign-in: none, those that were consented to for the same resource, or
 * those of any resource.
 */
export const refreshScopeRules = ['granted', 'consented', 'any-resource'] as const;
export type RefreshScopeRule = (typeof refreshScopeRules)[number];

/** Characters of a scope (RFC 6749, section 3.3). */
const scopeCharacters = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const scopeText = 'must be printable ASCII without spaces, quotation marks and backslashes';

const uri = boundedText({ min: 1, max: 512, pattern: scopeCharacters, allowed: scopeText });
const name = boundedText({
  min: 1,
  max: 128,
  pattern: /^[A-Za-z0-9_-][A-Za-z0-9._:-]*$/,
  allowed: 'must be letters, digits, and . _ : - (not . or : at the start)',
});

/** Maximum numbers of URIs of a resource, and of its scopes or roles. */
const urisMax = 10;
const namesMax = 200;

/**
 * API of an application that other applications request tokens for.
 *
 * @see CL30
 */
export const resourceSchema = z.strictObject({
  /** Audience of its tokens. */
  id: uri,
  /** URIs that scopes of the resource begin with. */
  uris: z.array(uri).min(1).max(urisMax),
  /** Scopes that users delegate. */
  scopes: z.array(name).max(namesMax).default([]),
  /** Roles of applications without a user. */
  appRoles: z.array(name).max(namesMax).default([]),
});
export type ClientResource = z.output<typeof resourceSchema>;

const resourcePermission = /^[\x21\x23-\x5b\x5d-\x7e]+\/[A-Za-z0-9_-][A-Za-z0-9._:-]*$/;

/** Permission of the built-in APIs, or `{uri}/{name}` of the resource of a client. */
export const permissionSchema = lengthBounded({ min: 1, max: 700 })
  .superRefine((text, context) => {
    if (clientPermissions.includes(text) || resourcePermission.test(text)) return;
    context.addIssue({ code: 'invalid_value', values: [...clientPermissions], input: text });
  })
  .meta({ anyOf: [{ enum: [...clientPermissions] }, { pattern: resourcePermission.source }] });

/** Returns a URI of a resource for comparison. Its case and slashes at its end play no part. */
export function toComparableUri(given: string): string {
  let end = given.length;
  while (given[end - 1] === '/') end -= 1;
  return given.slice(0, end).toLowerCase();
}

/** Writes a permission of a resource with one of its URIs. */
export function writePermission(resourceUri: string, permission: string): string {
  return `${resourceUri}${resourceUri.endsWith('/') ? '' : '/'}${permission}`;
}
