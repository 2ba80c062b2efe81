import { z } from 'zod';
import { clientPermissions } from './client-permissions.ts';

const permissions = z.array(z.enum(clientPermissions));

/** Schemes that lead to no application: a browser would run or read something itself. */
const ownSchemes = /^(?:javascript|data|file|vbscript|about|blob):/i;

const address = z
  .url({ error: 'an absolute address is wanted' })
  .max(2_048)
  .refine((text) => !ownSchemes.test(text), 'an address of an application, which javascript:, data: or file: is not')
  .refine((text) => !text.includes('#'), 'an address without a fragment');

/**
 * An application that may ask for tokens: test data, as users are.
 * - `web` runs on a server and has a secret; `public` runs in a browser or on a device, has none and proves itself by PKCE;
 *   `service` acts for itself alone, by client credentials.
 */
export const clientSchema = z
  .strictObject({
    id: z.string().regex(/^[\x21-\x7e]{1,256}$/, '1 to 256 printable ASCII characters without spaces'),
    name: z.string().min(1).max(256).optional(),
    kind: z.enum(['web', 'public', 'service']).default('web'),
    /** Test data; never a real secret. */
    secret: z
      .string()
      .regex(/^[\x20-\x7e]{1,256}$/, '1 to 256 printable ASCII characters')
      .optional(),
    redirectUris: z.array(address).max(100).default([]),
    postLogoutRedirectUris: z.array(address).max(100).default([]),
    /** Lets every address of a loopback name be redirected to, whatever its port and path: for applications on this machine. */
    anyLoopbackRedirect: z.boolean().default(false),
    /** Signs the client's ID tokens. */
    signingAlgorithm: z.enum(['ES256', 'RS256']).default('ES256'),
    /** Permissions that users may delegate to it. */
    permissions: permissions.default([...clientPermissions]),
    /** Permissions that it has itself, without a user. */
    appRoles: permissions.default([]),
    /** Whether users are asked; `granted` stands for the consent of an administrator for everybody. */
    consent: z.enum(['granted', 'required']).default('granted'),
    accessTokenLifetimeSeconds: z.int().min(1).max(86_400).default(3_600),
  })
  .refine(({ kind, secret }) => kind === 'public' || secret !== undefined, {
    path: ['secret'],
    error: 'a web client and a service need a secret',
  })
  .refine(({ kind, secret }) => kind !== 'public' || secret === undefined, {
    path: ['secret'],
    error: 'a public client cannot keep a secret',
  })
  .refine((client) => client.kind === 'service' || client.anyLoopbackRedirect || client.redirectUris.length > 0, {
    path: ['redirectUris'],
    error: 'give an address to redirect to, or anyLoopbackRedirect',
  });

/** A client of a sandbox, complete. */
export type Client = z.output<typeof clientSchema>;
