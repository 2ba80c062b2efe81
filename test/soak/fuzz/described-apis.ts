import { controlDocument } from '../../../src/contract/control-openapi.ts';
import { directoryDocument } from '../../../src/contract/directory-api/directory-openapi.ts';
import { documentDocument } from '../../../src/contract/document-openapi.ts';
import { lookupDocument } from '../../../src/contract/lookup-openapi.ts';
import { policyDocument } from '../../../src/contract/policy-openapi.ts';
import { withoutReferences } from '../../openapi-references.ts';

/** JSON Schema as plain JSON. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
}

/** Operation of one of the OpenAPI documents. */
export interface Described {
  readonly api: 'control' | 'policy' | 'directory' | 'lookup' | 'document';
  readonly method: string;
  /** Path with parameters in braces, including the sandbox prefix if the API belongs to a sandbox. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Body schemas by media type. */
  readonly bodies: Readonly<Record<string, Schema>>;
  /** Responses by status, each with its schemas by media type. */
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const uuidForm = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

const methods = ['get', 'put', 'post', 'patch', 'delete'];

/**
 * Limits for values that start long work, by path and property name. A forecast of a few users has the same format
 * as one of a million users, and no browser is started. Corrupted values may exceed the limits.
 */
const bounds: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  '/sandboxes/{sandbox}/analyses': {
    users: { maximum: 2_000 },
    days: { maximum: 20 },
    seeds: { maximum: 2 },
    snoozeDays: { maxItems: 2 },
    limited: { maxItems: 2 },
    method: { maxItems: 2 },
  },
  '/runs': {
    driver: { enum: ['model', 'nobody'] },
    files: { maxItems: 2, items: { type: 'string', enum: ['campaign', 'nobody', '../..', '/etc'] } },
    filter: { enum: ['R3', 'nobody', ''] },
  },
  '/sandboxes/{sandbox}/synthetic-documents': { count: { maximum: 40 }, pages: { maximum: 3 } },
};

/** All operations of the five documents, with references resolved. */
export const described: readonly Described[] = [
  ...listOperations('control', controlDocument as unknown as Document, '/_control/v1'),
  ...listOperations('policy', policyDocument as unknown as Document, '/s/{sandbox}/v1.0'),
  ...listOperations('directory', directoryDocument as unknown as Document, '/s/{sandbox}/v1.0'),
  ...listOperations('lookup', lookupDocument as unknown as Document, '/s/{sandbox}'),
  ...listOperations('document', documentDocument as unknown as Document, '/s/{sandbox}'),
];

function listOperations(api: Described['api'], document: Document, prefix: string): readonly Described[] {
  const whole = withPlainIdentifiers(withoutReferences(document)) as Document;
  return Object.entries(whole.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as
        | {
            readonly parameters?: readonly Parameter[];
            readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
            readonly responses: Described['responses'];
          }
        | undefined;
      if (operation === undefined) return [];
      const bodies = Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema = {} }]) => [
        type,
        bounded(schema, bounds[path] ?? {}) as Schema,
      ]);
      return [
        {
          api,
          method: method.toUpperCase(),
          path: `${prefix}${path}`,
          parameters: [
            ...((item['parameters'] as readonly Parameter[] | undefined) ?? []),
            ...(operation.parameters ?? []),
          ],
          bodies: Object.fromEntries(bodies) as Described['bodies'],
          responses: operation.responses,
        },
      ];
    }),
  );
}

/** Returns a schema with additional keywords for all properties of the given names. */
function bounded(node: unknown, by: Readonly<Record<string, Schema>>): unknown {
  if (Array.isArray(node)) return node.map((one) => bounded(one, by));
  if (typeof node !== 'object' || node === null) return node;
  const { properties, ...rest } = node as Schema;
  const others = Object.entries(rest).map(([key, value]) => [key, bounded(value, by)]);
  if (typeof properties !== 'object' || properties === null) return Object.fromEntries(others);
  const own = Object.entries(properties).map(([key, value]) => [
    key,
    { ...(bounded(value, by) as Schema), ...by[key] },
  ]);
  return { ...Object.fromEntries(others), properties: Object.fromEntries(own) };
}

/**
 * Replaces the format of authenticator model identifiers, which only have the syntax of UUIDs, as the schema keyword
 * requires.
 */
function withPlainIdentifiers(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withPlainIdentifiers);
  if (typeof node !== 'object' || node === null) return node;
  if ((node as Schema)['format'] === 'uuid') return { type: 'string', pattern: uuidForm };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withPlainIdentifiers(value)]));
}
