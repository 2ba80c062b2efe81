import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { navigation, pageTitle, siteAddress, sitePath } from '../../site/navigation.ts';
import { type OpenApiDocument, openApiPage } from '../../site/openapi-page.ts';
import { withSiteLinks, withSitePictures } from '../../site/stage.ts';
import { deadLinks, firstPageScript } from '../../tooling/site/built-site.ts';
import { repositoryFiles } from '../conventions/repository.ts';
import { nonEmpty } from '../non-empty.ts';

describe('navigation of the documentation', () => {
  const listed = nonEmpty(navigation.flatMap(({ pages }) => pages));

  it('084: it lists every page of docs except single decisions, each once', () => {
    const pages = repositoryFiles().filter(
      (path) =>
        (/^docs\/.*\.md$/.test(path) && !/^docs\/(decisions\/\d|README)/.test(path)) || /-openapi\.json$/.test(path),
    );
    const paths = listed.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
    expect(paths.toSorted()).toEqual(pages.toSorted());
  });

  it('084: every page has a title and one sentence about it', () => {
    for (const { path, about } of listed) {
      expect(pageTitle(path), path).toMatch(/\S/);
      expect(about, path).toMatch(/^[A-Z].+[^.]\.$/);
    }
  });

  it.each([
    ['docs/how-to/server.md', 'how-to/server.md', '/how-to/server'],
    ['docs/decisions/README.md', 'decisions/index.md', '/decisions/'],
    ['docs/schemas/control-openapi.json', 'reference/control-http-api.md', '/reference/control-http-api'],
    ['CONTRIBUTING.md', 'contributing.md', '/contributing'],
  ])('084: %s is %s of the site, at %s', (path, file, address) => {
    expect([sitePath(path), siteAddress(path)]).toEqual([file, address]);
  });
});

describe('links of a page', () => {
  const known = new Set(['docs/rules.md', 'docs/how-to/server.md']);

  it.each([
    ['[rules](../rules.md#r5)', '[rules](/rules.md#r5)'],
    ['[server](server.md)', '[server](/how-to/server.md)'],
    ['[source](../../src/core/errors.ts)', 'source'],
    ['[gone](gone.md)', '[gone](gone.md)'],
    ['[here](#part)', '[here](#part)'],
    ['[site](https://example.test/a.md)', '[site](https://example.test/a.md)'],
    ['```md\n[rules](../rules.md)\n```', '```md\n[rules](../rules.md)\n```'],
  ])('084: %s becomes %s', (before, after) => {
    expect(withSiteLinks(before, 'docs/how-to/scenarios.md', known)).toBe(after);
  });
});

describe('pictures of a page', () => {
  it('084: a picture becomes an image for each color scheme, and other text stays', () => {
    const picture = [
      '<picture>',
      '  <source media="(prefers-color-scheme: dark)" srcset="../pictures/a-dark.png">',
      '  <img alt="A page." src="../pictures/a-light.png" width="300">',
      '</picture>',
    ].join('\n');
    expect(withSitePictures(`Before ${picture} after <img src="b.png">`)).toBe(
      'Before ![A page.](/pictures/a-light.png){.picture .picture-light}![A page.](/pictures/a-dark.png){.picture .picture-dark} ' +
        'after <img src="b.png">',
    );
  });
});

describe('pages of the HTTP APIs', () => {
  const document: OpenApiDocument = {
    info: { title: 'Test API', version: '1.0.0', description: 'For tests.' },
    servers: [{ url: '/v1', description: 'One.' }],
    paths: {
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 8 } }],
        patch: {
          operationId: 'changeThing',
          summary: 'Changes a thing.',
          tags: ['things'],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  properties: { size: { enum: ['small', 'large'], description: 'A | B.' } },
                  required: ['size'],
                },
              },
            },
          },
          responses: {
            200: { description: 'Changed.', content: { 'application/json': { schema: { $ref: '#/c/Thing' } } } },
            404: { $ref: '#/components/responses/missing' },
          },
        },
      },
    },
    components: {
      schemas: { Thing: { type: 'object', properties: { count: { type: 'integer', minimum: 0, default: 3 } } } },
      responses: { missing: { description: 'No such thing.' } },
    },
  };

  it('084: a page has each operation with its parameters, body, responses and shared schemas', () => {
    const lines = openApiPage(document, 'test.json').split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '### `PATCH /things/{id}` {#operation-changething}',
        '| `id` | path | string | yes | Length at most 8. |',
        '| `size` | `"small"`, `"large"` | yes | A \\| B. |',
        '| `200` | [Thing](#schema-thing) | Changed. |',
        '| `404` |  | No such thing. |',
        '### Thing {#schema-thing}',
        '| `count` | integer | no | Default: `3`. At least 0. |',
      ]),
    );
  });
});

describe('checks of the built site', () => {
  /** A folder with these files. */
  function built(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'nudgelab-site-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  }

  it('084: a link to a missing page or heading is reported, and no other', () => {
    const folder = built({
      'index.html':
        '<a href="/b.html#here">1</a><a href="/b.html#gone">2</a><a href="c.html">3</a><a href="d.txt">4</a>',
      'b.html': '<h2 id="here"></h2><a href="#here">5</a><a href="/">6</a><a href="https://example.test/x">7</a>',
      'd.txt': '',
    });
    expect(deadLinks(folder, ['index.html', 'b.html'])).toEqual([
      'index.html: dead link /b.html#gone',
      'index.html: dead link c.html',
    ]);
  });

  it('084: the size of the first page counts every module that it imports, once', () => {
    const folder = built({
      'index.html': '<script type="module" src="/a.js"></script><link rel="modulepreload" href="/b.js">',
      'a.js': 'import"./b.js";import{c as x}from"./c.js";',
      'b.js': 'import "./c.js";',
      'c.js': 'export const c=()=>import("./later.js");',
      'later.js': '0'.repeat(1_000),
    });
    expect(firstPageScript(folder).bytes).toBe(42 + 16 + 40);
  });
});
