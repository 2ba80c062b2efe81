import { expect } from 'vitest';
import { z } from 'zod';
import { documentDocument } from '../../src/contract/document-openapi.ts';

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>;
}

const paths = documentDocument.paths as unknown as Readonly<
  Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Described>> }>>>
>;
const { schemas } = documentDocument.components;

/** Schema cache by text, so each schema is created once. */
const known = new Map<string, z.ZodType>();

/**
 * Validates a response of the document records API against its OpenAPI document: status, media type and body.
 * Responses of other paths, and of methods that the document does not have, are not validated. Returns the response
 * with its body unread.
 */
export async function heldToDocument(method: string, pathname: string, answer: Response): Promise<Response> {
  const path = pathname
    .replace(/^\/s\/[^/]+/, '')
    .replace(/\/?$/, '/')
    .replace(/^(\/api\/v1\/document\/)[^/]+\/$/, '$1{id}/');
  const described = paths[path]?.[method.toLowerCase()]?.responses;
  if (described === undefined) return answer;
  const response = described[answer.status];
  expect(response, `${method} ${path} ${answer.status} is described`).toBeDefined();
  const schema = response?.content?.['application/json']?.schema;
  const text = await answer.clone().text();
  if (schema === undefined || method === 'HEAD') {
    expect(text).toBe('');
    return answer;
  }
  expect(answer.headers.get('content-type')).toBe('application/json');
  const result = toSchema(schema).safeParse(JSON.parse(text));
  expect(result.error?.issues ?? []).toEqual([]);
  return answer;
}

function toSchema(schema: unknown): z.ZodType {
  const key = JSON.stringify(schema);
  let made = known.get(key);
  if (made === undefined) {
    made = z.fromJSONSchema(JSON.parse(resolved(key)) as never);
    known.set(key, made);
  }
  return made;
}

/** Returns a schema with its references resolved. */
function resolved(text: string): string {
  return text.replaceAll(/\{"\$ref":"#\/components\/schemas\/(\w+)"\}/g, (_, name: keyof typeof schemas) =>
    JSON.stringify(schemas[name]),
  );
}
