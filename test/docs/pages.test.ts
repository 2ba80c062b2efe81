import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { configSchema } from '../../src/cli/config.schema.ts';
import { expectSchema, scenarioHeadSchema } from '../../src/contract/scenario.schema.ts';
import { pageNames, stepKinds } from '../../src/contract/step-names.ts';
import { errorTable } from '../../src/core/errors.ts';
import { foldersOnDemand } from '../../tooling/packages-on-demand.ts';
import type { TextFile } from '../conventions/repository.ts';
import { nonEmpty } from '../non-empty.ts';
import { listAnchors, listLinks, listPaths, pageAt, pages } from './markdown.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));

describe.for(nonEmpty(pages().map(({ path }) => path)))('docs: page %s', (path) => {
  const page = pageAt(path);

  test('docs: every link leads to an existing file and heading', () => {
    expect(brokenLinks(page)).toEqual([]);
  });

  test('docs: every file and folder that the page names exists', () => {
    expect(missingPaths(page)).toEqual([]);
  });
});

describe('docs: all pages', () => {
  test('docs: the checks read pages with links and paths', () => {
    expect(pages().length).toBeGreaterThan(10);
    expect(pages().flatMap(({ text }) => listLinks(text)).length).toBeGreaterThan(20);
    expect(pages().flatMap(({ text }) => listPaths(text)).length).toBeGreaterThan(50);
  });

  test('docs: every page can be reached from the README by links', () => {
    const reached = new Set<string>();
    const queue = ['README.md'];
    for (const path of queue) {
      if (reached.has(path) || !path.endsWith('.md')) continue;
      reached.add(path);
      queue.push(...listLinks(pageAt(path).text).map(({ target }) => resolved(path, target).file));
    }
    expect(
      pages()
        .map(({ path }) => path)
        .filter((path) => !reached.has(path)),
    ).toEqual([]);
  });

  test.for<[what: string, text: string]>([
    ['a link to no file', 'See [this](docs/nowhere.md).'],
    ['a link to no heading', 'See [this](README.md#no-such-heading).'],
  ])('docs: %s is reported', ([, text]) => {
    expect(brokenLinks({ path: 'PLANTED.md', text })).toHaveLength(1);
  });

  test('docs: a missing file is reported', () => {
    expect(missingPaths({ path: 'PLANTED.md', text: 'It stands in `src/core/no-such-file.ts`.' })).toHaveLength(1);
  });
});

describe('docs: completeness of the pages', () => {
  const scenarios = pageAt('docs/how-to/scenarios.md').text;

  test.for(nonEmpty(stepKinds))('docs: the step %s is described', (kind) => {
    expect(scenarios).toContain(`| \`${kind}: `);
  });

  test.for(nonEmpty(Object.keys(expectSchema.shape)))('docs: the expectation %s is described', (key) => {
    expect(scenarios).toMatch(new RegExp(`^\\| \`${key}\` \\|`, 'm'));
  });

  test.for(nonEmpty(pageNames))('docs: the page %s is described', (name) => {
    expect(scenarios).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'));
  });

  test.for(nonEmpty(Object.keys(scenarioHeadSchema.shape)))('docs: the key %s of a scenario is described', (key) => {
    expect(scenarios).toMatch(new RegExp(`^\\| \`${key}\` \\|`, 'm'));
  });

  test.for(nonEmpty(Object.keys(configSchema.shape)))('docs: the key %s of the configuration is described', (key) => {
    expect(pageAt('docs/how-to/ci.md').text).toMatch(new RegExp(`^\\| \`${key}\` \\|`, 'm'));
  });

  test.for(nonEmpty(Object.keys(errorTable)))('docs: the error %s is listed', (code) => {
    expect(pageAt('docs/errors.md').text).toContain(`| \`${code}\` |`);
  });
});

describe('docs: dependencies', () => {
  const { dependencies, devDependencies } = manifest('package.json');
  const names = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
  const rows = pageAt('docs/decisions/dependencies.md')
    .text.split('\n')
    .map((line) => /^\| `([^`]+)` \|.*\| ([^|]+) \|$/.exec(line))
    .flatMap((match) => (match === null ? [] : [{ name: match[1] ?? '', last: match[2] ?? '' }]));

  test.for(nonEmpty(names))('docs: %s is listed with its license', (name) => {
    const { license } = manifest(`node_modules/${name}/package.json`);
    expect(rows).toContainEqual({ name, last: license });
  });

  test.for(nonEmpty(foldersOnDemand))('docs: packages of $path are listed with their license', ({ path }) => {
    const { packages } = JSON.parse(readFileSync(join(top, path, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly license?: string }>>;
    };
    for (const name of nonEmpty(Object.keys(manifest(`${path}/package.json`).dependencies))) {
      expect(rows).toContainEqual({ name, last: packages[`node_modules/${name}`]?.license });
    }
  });
});

interface Manifest {
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function manifest(path: string): Manifest {
  return JSON.parse(readFileSync(join(top, path), 'utf8')) as Manifest;
}

function brokenLinks({ path, text }: TextFile): readonly string[] {
  return listLinks(text).flatMap(({ target, line }) => {
    const { file, anchor } = resolved(path, target);
    if (!existsSync(join(top, file))) return [`${path}:${line} leads to ${file}, which does not exist`];
    if (anchor === '' || listAnchors(pageAt(file).text).has(anchor)) return [];
    return [`${path}:${line} leads to #${anchor}, and ${file} has no such heading`];
  });
}

function missingPaths({ path, text }: TextFile): readonly string[] {
  return listPaths(text)
    .filter(({ target }) => !existsSync(join(top, target)))
    .map(({ target, line }) => `${path}:${line} names ${target}, which does not exist`);
}

/** Resolves the link of a page to a file path from the repository root and a heading in the file. */
function resolved(path: string, target: string): { readonly file: string; readonly anchor: string } {
  const [file = '', anchor = ''] = target.split('#');
  return { file: file === '' ? path : posix.join(posix.dirname(path), file), anchor };
}
