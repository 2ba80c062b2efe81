import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { documents } from '../../tooling/documents.ts';
import { foldersOnDemand } from '../../tooling/packages-on-demand.ts';
import { nonEmpty } from '../non-empty.ts';
import { repositoryFiles } from './repository.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** Returns the pinned version of each action in a file by its name: the text after the `@`. */
function pinnedActions(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/\buses: ([\w/-]+)@(.+)$/gm)];
  return new Map(found.map(([, name = '', pin = '']) => [name, pin]));
}

describe('082: continuous integration', () => {
  const text = read('.github/workflows/ci.yml');
  const workflow = parse(text) as {
    readonly permissions: unknown;
    readonly jobs: Readonly<Record<string, { readonly 'timeout-minutes': number; readonly steps: readonly object[] }>>;
  };

  test('082: the workflow runs .ci/run with read access and a timeout', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of nonEmpty(Object.values(workflow.jobs))) {
      expect(job).not.toHaveProperty('permissions');
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      expect(job.steps).toContainEqual(expect.objectContaining({ run: '.ci/run' }));
    }
    expect(text).not.toContain('pull_request_target');
  });

  test('071: every action is pinned to a commit, which is the same as in action.yml', () => {
    const shared = pinnedActions(read('action.yml'));
    for (const [name, pin] of nonEmpty([...pinnedActions(text)])) {
      expect(pin).toMatch(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      expect(shared.get(name) ?? pin).toBe(pin);
    }
  });
});

describe('082: files of the code hosting platform', () => {
  test.for(['bug_report', 'feature_request'])('082: the form %s has a label for each field and unique ids', (name) => {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`)) as {
      readonly name: string;
      readonly description: string;
      readonly body: readonly {
        readonly type: string;
        readonly id?: string;
        readonly attributes: { label?: string };
      }[];
    };
    expect(form.name).toMatch(/\S/);
    expect(form.description).toMatch(/\.$/);
    const fields = nonEmpty(form.body.filter(({ type }) => type !== 'markdown'));
    for (const { attributes } of fields) expect(attributes.label).toMatch(/\S/);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  });

  test('082: every package of a group in renovate.json is in a package.json or is an image of compose.yaml', () => {
    const { $schema, packageRules } = JSON.parse(read('renovate.json')) as {
      readonly $schema: string;
      readonly packageRules: readonly { readonly matchPackageNames?: readonly string[] }[];
    };
    expect($schema).toMatch(/^https:.*renovate-schema\.json$/);
    const names = ['package.json', ...foldersOnDemand.map(({ path }) => `${path}/package.json`)].flatMap((file) => {
      const { dependencies, devDependencies, overrides } = JSON.parse(read(file)) as Record<string, object>;
      return Object.keys({ ...dependencies, ...devDependencies, ...overrides });
    });
    const images = [...read('compose.yaml').matchAll(/image: ([\w-]+):/g)].map(([, name]) => name);
    for (const wanted of nonEmpty(packageRules.flatMap(({ matchPackageNames = [] }) => matchPackageNames))) {
      const known = names.some(
        (name) => name === wanted || (wanted.endsWith('/**') && name.startsWith(wanted.slice(0, -2))),
      );
      expect(known || images.includes(wanted), wanted).toBe(true);
    }
  });

  test('082: every generated document is marked as generated', () => {
    const lockFiles = ['.', ...foldersOnDemand.map(({ path }) => path)].map((path) =>
      posix.join(path, 'package-lock.json'),
    );
    const marked = read('.gitattributes')
      .split('\n')
      .filter((line) => line.endsWith(' linguist-generated'))
      .map((line) => line.split(' ')[0]);
    expect(marked).toEqual(expect.arrayContaining([...documents.map(({ path }) => path), ...lockFiles]));
  });
});

describe('082: index of decisions', () => {
  const index = read('docs/decisions/README.md');
  const rows = [...index.matchAll(/^\| (?:\[(\d{3})\]\((.+?)\)|(\d{3})) \| (.+) \|$/gm)].map(
    ([, number, file = '', unused, title = '']) => ({ number: number ?? unused ?? '', file, title }),
  );
  const pages = repositoryFiles()
    .map((path) => /^docs\/decisions\/(\d{3}-.+\.md)$/.exec(path)?.[1] ?? '')
    .filter((file) => file !== '');

  test('082: the index lists every page in order with its title', () => {
    expect(rows.filter(({ file }) => file !== '').map(({ file }) => file)).toEqual(pages);
    expect(rows.map(({ number }) => Number(number))).toEqual(rows.map((_, place) => place + 1));
    for (const { number, file, title } of rows) {
      if (file === '') continue;
      const heading = read(`docs/decisions/${file}`).split('\n')[0];
      expect(`# ${number} ${title.replace(/ \(replaced (in part )?by .+\)$/, '')}`).toBe(heading);
    }
  });

  test('082: a replaced decision, its replacement and the index refer to each other', () => {
    const notes = new Map(pages.map((file) => [file, read(`docs/decisions/${file}`).split('\n\n')[1] ?? '']));
    const linksIn = (text: string): readonly string[] =>
      [...text.matchAll(/\]\((\d{3}-[^)]+\.md)\)/g)].map(([, to = '']) => to);
    const newer = [...notes].flatMap(([file, note]) =>
      /^Replaces/m.test(note) ? linksIn(note).map((older) => `${older} ${file}`) : [],
    );
    const older = [...notes].flatMap(([file, note]) =>
      /\breplaces |^Replaced by/m.test(note) ? linksIn(note).map((by) => `${file} ${by}`) : [],
    );
    expect(nonEmpty(newer).toSorted()).toEqual(older.toSorted());
    const listed = rows.flatMap(({ file, title }) =>
      [...(/\(replaced .+\)$/.exec(title)?.[0] ?? '').matchAll(/\d{3}/g)].map(
        ([number]) => `${file} ${pages.find((page) => page.startsWith(`${number}-`))}`,
      ),
    );
    expect(listed.toSorted()).toEqual(newer.toSorted());
  });
});
