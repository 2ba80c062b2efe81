import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type OpenApiDocument, openApiPage } from '../../site/openapi-page.ts';
import { nonEmpty } from '../non-empty.ts';

const files = globSync('docs/schemas/*-openapi.json').toSorted();

describe('page of an HTTP API', () => {
  it.each(nonEmpty(files))('084: every link of the page of %s leads to a heading of the page', (file) => {
    const page = openApiPage(JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument, file);
    const anchors = [...page.matchAll(/\{#([^}]+)\}$/gm)].map(([, anchor]) => anchor);
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
  });

  it('084: a property and a parameter that refer to a component have its description', () => {
    const page = openApiPage(plantedDocument({ $ref: '#/components/parameters/top' }), 'planted.json');
    expect(page).toContain('| `top` | query | integer | no | The size of a page. |');
    expect(page).toContain('| `owner` | [Owner](#schema-owner) | no | The owner of the item. |');
  });

  it('084 canary: a reference to a parameter that the document lacks is an error', () => {
    const document = plantedDocument({ $ref: '#/components/parameters/skip' });
    expect(() => openApiPage(document, 'planted.json')).toThrow('#/components/parameters/skip');
  });
});

/** A document of one operation with a parameter and a shared schema. */
function plantedDocument(parameter: { readonly $ref: string }): OpenApiDocument {
  const schema = { type: 'object', properties: { owner: { $ref: '#/components/schemas/Owner' } } };
  return {
    info: { title: 'Items', version: '1', description: 'Stores items.' },
    servers: [],
    paths: {
      '/items': {
        put: {
          operationId: 'putItem',
          summary: 'Stores an item',
          parameters: [parameter],
          requestBody: { content: { 'application/json': { schema } } },
          responses: {},
        },
      },
    },
    components: {
      parameters: {
        top: { name: 'top', in: 'query', description: 'The size of a page.', schema: { type: 'integer' } },
      },
      schemas: { Owner: { type: 'string', description: 'The owner of the item.' } },
    },
  };
}
