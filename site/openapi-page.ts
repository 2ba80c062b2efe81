/** A JSON Schema as the OpenAPI documents use it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** A parameter, or a reference to a shared one. */
type GivenParameter = Parameter | { readonly $ref: string };

interface Body {
  readonly description?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly GivenParameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body & { readonly $ref?: string }>>;
}

type PathItem = Readonly<Partial<Record<(typeof methods)[number], Operation>>> & {
  readonly parameters?: readonly GivenParameter[];
};

/** Parts of an OpenAPI 3.1 document that the pages show. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, Body>>;
    readonly securitySchemes?: Readonly<Record<string, { readonly type: string; readonly description?: string }>>;
  };
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** Levels of nested properties that a table shows; deeper ones are in the document. */
const depthMax = 3;

/**
 * Writes the page of an HTTP API: each operation with its parameters, body and responses, then the shared schemas.
 *
 * @param document the published OpenAPI document
 * @param file name of the document, which the site offers for download
 * @returns the page as Markdown
 */
export function openApiPage(document: OpenApiDocument, file: string): string {
  const { info, servers, components } = document;
  const blocks = [
    `# ${info.title}`,
    text(info.description),
    `Version ${info.version}. Generated from the [OpenAPI document](/openapi/${file}){target="_self"}.`,
    '## Servers',
    table(
      ['Address', 'Use'],
      servers.map(({ url, description = '' }) => [code(url), text(description)]),
    ),
    ...security(components.securitySchemes ?? {}),
    ...groups(document).flatMap(([tag, operations]) => [`## ${heading(tag)}`, ...operations]),
    ...sharedSchemas(components.schemas ?? {}),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function security(schemes: NonNullable<OpenApiDocument['components']['securitySchemes']>): readonly string[] {
  const rows = Object.entries(schemes).map(([name, { type, description = '' }]) => [
    code(name),
    type,
    text(description),
  ]);
  return rows.length === 0 ? [] : ['## Authentication', table(['Name', 'Type', 'Description'], rows)];
}

/** The operations by their first tag, in the order of the document. */
function groups(document: OpenApiDocument): readonly (readonly [tag: string, blocks: readonly string[]])[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
        resolveParameter(one, document),
      );
      const blocks = operationBlocks(`${method.toUpperCase()} ${path}`, operation, parameters, document);
      return [{ tag: operation.tags?.[0] ?? 'operations', blocks }];
    }),
  );
  return [...Map.groupBy(all, ({ tag }) => tag)].map(([tag, operations]) => [
    tag,
    operations.flatMap(({ blocks }) => blocks),
  ]);
}

function resolveParameter(given: GivenParameter, { components }: OpenApiDocument): Parameter {
  if (!('$ref' in given)) return given;
  const shared = components.parameters?.[referenceName(given.$ref)];
  if (shared === undefined) throw new Error(`The document has no parameter ${given.$ref}.`);
  return shared;
}

function operationBlocks(
  route: string,
  { operationId, summary, description, requestBody, responses }: Operation,
  parameters: readonly Parameter[],
  document: OpenApiDocument,
): readonly string[] {
  const schemas = document.components.schemas ?? {};
  return [
    `### ${code(route)} {#operation-${slug(operationId)}}`,
    text(summary),
    description === undefined || description === summary ? '' : text(description),
    `Operation: ${code(operationId)}.`,
    ...(parameters.length === 0
      ? []
      : [
          '**Parameters**',
          table(
            ['Name', 'In', 'Type', 'Required', 'Description'],
            parameters.map(({ name, in: place, schema, required, description: about }) => [
              code(name),
              place,
              getType(schema),
              required === true ? 'yes' : 'no',
              sentence(about ?? schema.description, schema),
            ]),
          ),
        ]),
    ...(requestBody === undefined ? [] : bodyBlocks('Request body', requestBody, schemas)),
    '**Responses**',
    table(
      ['Status', 'Body', 'Description'],
      Object.entries(responses).map(([status, response]) => {
        const shared = document.components.responses?.[referenceName(response.$ref ?? '')];
        const { content = {}, description: about = '' } = shared ?? response;
        return [code(status), contentTypes(content), text(about)];
      }),
    ),
  ];
}

function bodyBlocks(title: string, body: Body, schemas: Readonly<Record<string, Schema>>): readonly string[] {
  return Object.entries(body.content ?? {}).flatMap(([mediaType, { schema = {} }]) => [
    `**${title}**: ${code(mediaType)}${schema.$ref === undefined ? '' : `, ${getType(schema)}`}${
      body.required === false ? ', optional' : ''
    }`,
    body.description === undefined ? '' : text(body.description),
    schema.$ref === undefined ? propertiesTable(schema, schemas) : '',
  ]);
}

function contentTypes(content: NonNullable<Body['content']>): string {
  return Object.entries(content)
    .map(([mediaType, { schema = {} }]) => (mediaType === 'application/json' ? getType(schema) : code(mediaType)))
    .join(', ');
}

function sharedSchemas(schemas: Readonly<Record<string, Schema>>): readonly string[] {
  const blocks = Object.entries(schemas).flatMap(([name, schema]) => [
    `### ${name} {#${schemaAnchor(name)}}`,
    schema.description === undefined ? '' : text(schema.description),
    propertiesTable(schema, schemas),
  ]);
  return blocks.length === 0 ? [] : ['## Schemas', ...blocks];
}

/** The properties of a schema with those nested in them; one line of text for a schema without properties. */
function propertiesTable(schema: Schema, schemas: Readonly<Record<string, Schema>>): string {
  const rows = propertyRows(schema, schemas, '', 1);
  if (rows.length > 0) return table(['Property', 'Type', 'Required', 'Description'], rows);
  return `Type: ${getType(schema, schemas)}.`;
}

function propertyRows(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  prefix: string,
  depth: number,
): readonly (readonly string[])[] {
  const parts = [schema, ...(schema.allOf ?? [])];
  return parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, property]) => {
      const path = `${prefix}${name}`;
      const shared = property.$ref === undefined ? undefined : schemas[referenceName(property.$ref)];
      const row = [
        code(path),
        getType(property),
        required.includes(name) ? 'yes' : 'no',
        sentence(property.description ?? shared?.description, property),
      ];
      if (depth === depthMax) return [row];
      const items = property.items === false ? undefined : property.items;
      const nested =
        items === undefined
          ? propertyRows(property, schemas, `${path}.`, depth + 1)
          : propertyRows(items, schemas, `${path}[].`, depth + 1);
      return [row, ...nested];
    }),
  );
}

/** The type of a schema in a few words; a shared schema is a link. */
function getType(schema: Schema, schemas?: Readonly<Record<string, Schema>>): string {
  if (schema.$ref !== undefined) {
    const name = referenceName(schema.$ref);
    return `[${name}](#${schemaAnchor(name)})`;
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) {
    return [...new Set(alternatives.map((one) => getType(one, schemas)))].join(' or ');
  }
  if (schema.items !== undefined && schema.items !== false) return `array of ${getType(schema.items, schemas)}`;
  if (typeof schema.additionalProperties === 'object' && schema.properties === undefined) {
    return `map to ${getType(schema.additionalProperties, schemas)}`;
  }
  const types = [schema.type ?? (schema.properties === undefined ? 'any' : 'object')].flat();
  return types.join(' or ');
}

/** The description of a schema and its constraints. */
function sentence(description: string | undefined, schema: Schema): string {
  const limits = [
    schema.default === undefined ? '' : `Default: ${code(JSON.stringify(schema.default))}.`,
    range('', schema.minimum, schema.maximum),
    range('Length ', schema.minLength, schema.maxLength),
    range('Items ', schema.minItems, schema.maxItems),
    schema.format === undefined ? '' : `Format: ${code(schema.format)}.`,
    schema.pattern === undefined || schema.format !== undefined ? '' : `Pattern: ${code(schema.pattern)}.`,
  ];
  return [text(description ?? ''), ...limits].filter((part) => part !== '').join(' ');
}

function range(what: string, least: number | undefined, most: number | undefined): string {
  const atMost = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most;
  const atLeast = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : least;
  if (atLeast === undefined && atMost === undefined) return '';
  if (atMost === undefined) return `${what === '' ? 'At least ' : `${what}at least `}${atLeast}.`;
  if (atLeast === undefined) return `${what === '' ? 'At most ' : `${what}at most `}${atMost}.`;
  return `${what === '' ? 'From ' : what}${atLeast} to ${atMost}.`;
}

function referenceName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function schemaAnchor(name: string): string {
  return `schema-${slug(name)}`;
}

function slug(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase();
}

function heading(tag: string): string {
  const words = tag.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Prose of the document on one line of Markdown. */
function text(prose: string): string {
  return prose.replaceAll(/\s*\n\s*/g, ' ');
}

function code(value: string): string {
  return `\`${value.replaceAll('`', '´')}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
