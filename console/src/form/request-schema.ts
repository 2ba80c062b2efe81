import type { FormSchema } from './form-schema.ts';

/** Part of the OpenAPI document that forms read. */
export interface ApiDescription {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation | undefined>> | undefined>>;
}

interface ApiOperation {
  readonly operationId?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: FormSchema } | undefined>> };
}

/**
 * Returns the schema of a request body by the id of its operation, with its references resolved. Throws if there is none.
 */
export function findRequestSchema({ paths, components }: ApiDescription, operationId: string): FormSchema {
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations ?? {})) {
      const schema = operation?.requestBody?.content['application/json']?.schema;
      if (operation?.operationId === operationId && schema !== undefined) {
        return findCompleteForm(resolveReferences(schema, components.schemas) as FormSchema);
      }
    }
  }
  throw new Error(`The server describes no request body of ${operationId}.`);
}

const schemasAt = '#/components/schemas/';

/** Replaces the references to shared schemas. Requests have no schema that contains itself. */
function resolveReferences(node: unknown, schemas: ApiDescription['components']['schemas']): unknown {
  if (Array.isArray(node)) return node.map((one) => resolveReferences(one, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref } = node as { readonly $ref?: unknown };
  if (typeof $ref === 'string' && $ref.startsWith(schemasAt)) {
    return resolveReferences(schemas[$ref.slice(schemasAt.length)], schemas);
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolveReferences(value, schemas)]));
}

/**
 * Returns the complete form of a value that a request may also give by a fixture: neither the name of a fixture nor a
 * merge patch over one.
 */
export function findCompleteForm(schema: FormSchema): FormSchema {
  const isComplete = ({ properties, oneOf }: FormSchema): boolean =>
    oneOf !== undefined || (properties !== undefined && !('extends' in properties));
  return schema.anyOf?.find(isComplete) ?? schema;
}
