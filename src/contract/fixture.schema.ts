import { z } from 'zod';
import { clientSchema } from './client.schema.ts';
import { tenantFactsSchema } from './facts.schema.ts';
import { faultSchema } from './fault.schema.ts';
import { lookupSchema } from './lookup.schema.ts';
import { sandboxUserSchema, tenantSettingsSchema } from './sandbox.schema.ts';

/**
 * Schemas of fixtures, for editors. The program itself checks a fixture only after `extends` has been resolved, so the published
 * schema has two forms: one for a complete fixture, and one for a fixture that is merged over another one.
 */

/** Kind of merge in a published schema: `fixture` allows `extends`, `patch` is a merge patch in any case. */
export type MergeKind = 'fixture' | 'patch';

/** The keyword under which a schema carries its kind of merge until it is published. */
export const mergeKeyword = 'x-merge';

const name = z.string().min(1).max(128);

/** Marks a schema as one whose published form allows merging. */
function mergeable<S extends z.ZodType>(schema: S, kind: MergeKind): S {
  return schema.meta({ ...schema.meta(), [mergeKeyword]: kind });
}

const settings = tenantSettingsSchema.optional().describe('Settings of the tenant that no rule reads.');
const base = (what: string, example: string) =>
  name.optional().meta({
    description: `Name of the ${what} fixture that this one is merged over. A value of null removes a key of it.`,
    examples: [example],
  });

const tenantShape = { ...tenantFactsSchema.shape, settings };
const { id: _named, ...userShape } = sandboxUserSchema.shape;

/** Tenant in a fixture or a scenario. */
export const tenantFixtureSchema = mergeable(
  z.strictObject({ ...tenantShape, extends: base('tenant', 'app-enabled') }),
  'fixture',
);

/** User in a fixture or a scenario; its id is its key in the scenario. */
export const userFixtureSchema = mergeable(
  z.strictObject({
    ...userShape,
    id: z.unknown().optional().meta({
      description: 'Has no effect: the id of a user is its key in the scenario.',
      deprecated: true,
    }),
    extends: base('user', 'sms-user'),
  }),
  'fixture',
);

/** Client in a fixture or a scenario; the default id is the name of its fixture. */
export const clientFixtureSchema = mergeable(
  z
    .strictObject({ ...clientSchema.shape, id: clientSchema.shape.id.optional(), extends: base('client', 'web-site') })
    .meta(clientSchema.meta() ?? {}),
  'fixture',
);

/** Fault in a fixture or a scenario. */
export const faultFixtureSchema = mergeable(
  z.union(faultSchema.options.map((option) => option.extend({ extends: base('fault', 'push-denied') }))),
  'fixture',
);

/** Lookup service in a fixture or a scenario. */
export const lookupFixtureSchema = mergeable(lookupSchema.extend({ extends: base('lookup', 'default') }), 'fixture');

/** What the step `setTenant` changes. */
export const tenantPatchSchema = mergeable(z.strictObject(tenantShape), 'patch');

/** What the step `setUser` changes, with the user that it is about. */
export const userPatchSchema = mergeable(
  sandboxUserSchema.extend({ user: name.describe('The user to change.') }),
  'patch',
);
