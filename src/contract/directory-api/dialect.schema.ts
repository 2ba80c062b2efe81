import { z } from 'zod';
import type { Immutable } from '../../core/immutable.ts';
import { builtInDialects } from './built-in-dialects.ts';

/** Maximum number of names in a list or table of a dialect. */
const namesMax = 500;

/**
 * Creates the schema of the names and forms that the APIs use on the wire. They are data, so the code contains no name of a
 * provider. Few programs need the schema, which takes longer to create than that of a sandbox.
 */
export function createDialectSchema() {
  const name = z.string().min(1).max(128);
  const names = z.array(name).max(namesMax);
  const property = z.string().regex(/^[A-Za-z_]\w{0,127}$/, 'must be the name of a property');
  const namespace = z.string().regex(/^[A-Za-z][\w.]{0,127}$/, 'must be a namespace such as example.graph');

  /** Words of the specification with the words on the wire. */
  const words = table(name, name);

  const notSimulated = z.strictObject({
    values: z.array(property).max(namesMax).describe('Properties whose value is null.'),
    lists: z.array(property).max(namesMax).describe('Properties whose value is an empty list.'),
  });

  return z.strictObject({
    name: name.describe('The name of the dialect.'),
    namespace: namespace.describe('The namespace of types and functions in responses.'),
    namespaces: z.array(namespace).max(10).describe('The namespaces that requests can use.'),
    typePrefix: z
      .string()
      .regex(/^#[\w.]{1,128}$/, 'must start with #')
      .describe('The text before the name of a type in `@odata.type`.'),
    policyContext: z
      .enum(['relative', 'absolute'])
      .describe('Whether `@odata.context` of the policy is relative to it, or an absolute URL.'),
    wireIds: z
      .enum(['facts', 'guid'])
      .describe('Ids in responses unless the tenant has its own setting: those of the facts, or GUIDs.'),
    errorDates: z
      .enum(['milliseconds', 'seconds'])
      .describe('The precision of the time in an error; in seconds, it has no time zone.'),
    unknownSegmentStatus: z.literal([400, 404]).describe('The status for a path that is no resource.'),
    errorCodes: table(
      z.string().regex(/^[45]\d\d$/, 'must be a status from 400 to 599'),
      createErrorCodeSchema(),
    ).describe('Error codes by status. A status without one has the code of 400 or internalError.'),
    signInErrors: z
      .strictObject({
        prefix: z.string().max(32).describe('The text before the number in the description.'),
        numbers: table(name, z.int().min(1)).describe('Numbers by condition.'),
      })
      .describe('Numbers of errors of the sign-in service.'),
    words: words.describe('Words within names: the word of the specification, and the word on the wire.'),
    methodNames: words.describe('Names of authentication methods that differ by more than a word.'),
    reportNames: words.describe('Names in reports that differ by more than a word.'),
    logWords: words.describe('Names and texts in logs that differ by more than a word.'),
    resourceIds: names.describe('Identifiers of the built-in resource for tokens, besides its URL.'),
    methodConfigurations: names.describe('The method configurations that the policy contains, in their order.'),
    betaConfigurations: names.describe('The method configurations that only /beta contains.'),
    targetContexts: z.boolean().describe('Whether lists of targets have an `@odata.context` beside them.'),
    policyProperties: notSimulated.describe('Properties of the policy without a value.'),
    tenant: createTenantSchema(name).describe('Values of the tenant.'),
    userProperties: notSimulated.describe('Properties of users that are known but not simulated.'),
    roleProperties: notSimulated.describe('Properties of directory roles that are known but not simulated.'),
    tenantProperties: notSimulated.describe('Properties of the tenant that are known but not simulated.'),
    shownProperties: table(name, z.strictObject({ always: names.optional(), beta: names.optional() })).describe(
      'Properties that are not simulated, by the key that lists them, which responses without `$select` contain: always, and in addition under /beta.',
    ),
    groupProperties: notSimulated.describe('Properties of groups that are known but not simulated.'),
    signInProperties: notSimulated.describe('Properties of sign-ins that are known but not simulated.'),
    auditProperties: notSimulated.describe('Properties of audit rows that are known but not simulated.'),
    notSimulated: z
      .array(z.string().regex(/^[a-z0-9/]{1,256}$/, 'must be a path in lower case'))
      .max(namesMax)
      .describe('Known collections that are not simulated, in lower case. They can be answered as empty.'),
  });
}

/**
 * Creates the schema of the error codes of one status: one code for all, or one for each cause. A cause is an area of the
 * API, an aspect of the request, or both with a period between them; the most specific one takes precedence.
 */
function createErrorCodeSchema() {
  const errorCode = z.string().regex(/^[A-Za-z]\w{0,127}$/, 'must be an error code');
  return z.union([
    errorCode,
    z.object({ default: errorCode.describe('The code for all other causes.') }).catchall(errorCode),
  ]);
}

function createTenantSchema(name: z.ZodString) {
  return z.strictObject({
    tenantType: name.describe('The type of the tenant.'),
    domainCapabilities: name.describe('The capabilities of its domains.'),
    paidService: name.describe('The service of a paid subscription.'),
    paidPlanId: z.guid().describe('The plan of a paid subscription.'),
  });
}

function table<Value extends z.ZodType>(keys: z.ZodString, values: Value) {
  return z
    .record(keys, values)
    .refine((entries) => Object.keys(entries).length <= namesMax, `must have at most ${namesMax} entries`)
    .meta({ maxProperties: namesMax });
}

export type DialectData = Immutable<z.infer<ReturnType<typeof createDialectSchema>>>;

function createFileSchema() {
  return z.strictObject({
    extends: z.enum(builtInDialects).optional().describe('The built-in dialect that the file changes (default: seed).'),
    ...createDialectSchema().partial().shape,
  });
}
type FileSchema = ReturnType<typeof createFileSchema>;
export type DialectFile = Immutable<z.infer<FileSchema>>;

let fileSchema: FileSchema | null = null;

/**
 * Returns the schema of a dialect in a file: the keys that differ from a built-in one. Tables are merged, and lists are
 * replaced.
 */
export function getDialectFileSchema(): FileSchema {
  fileSchema ??= createFileSchema();
  return fileSchema;
}

/**
 * Dialect of a tenant: the name of a built-in one, or the content of a file. Published schemas describe the file only
 * once, in a schema of its own.
 */
export const dialectSettingSchema = z.union([
  z.enum(builtInDialects),
  z.record(z.string(), z.unknown()).superRefine((file, context) => {
    for (const issue of getDialectFileSchema().safeParse(file).error?.issues ?? []) {
      context.addIssue(issue.code === 'unrecognized_keys' ? toUnknownKey(issue) : { ...issue });
    }
  }),
]);

function toUnknownKey({ keys, path }: z.core.$ZodIssueUnrecognizedKeys): {
  path: PropertyKey[];
  message: string;
  code: 'custom';
} {
  const allowed = path.length === 0 ? `; allowed: ${Object.keys(getDialectFileSchema().shape).join(', ')}` : '';
  return { code: 'custom', path: [...path], message: `unknown key "${keys.join('", "')}"${allowed}` };
}
