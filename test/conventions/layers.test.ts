import { describe, expect, test } from 'vitest';
import { findCycles } from './cycles.ts';
import { listImports } from './imports.ts';
import { inspectLayers } from './layers.ts';
import { moduleBoundaries } from './module-boundaries.ts';
import type { ModuleBoundary } from './module-boundary.ts';
import { printed, readTextFiles, repositoryFiles, type TextFile } from './repository.ts';

const sources = readTextFiles(repositoryFiles().filter((path) => /^(src|machines|console|site)\/.*\.tsx?$/.test(path)));

describe('module boundaries of the repository', () => {
  const report = inspectLayers(sources, moduleBoundaries);

  test('layers: the table of module boundaries allows every import, and no import closes a cycle', () => {
    expect(printed(report.faults)).toEqual([]);
  });

  test('layers: the test reads files and imports', () => {
    expect(sources.length).toBeGreaterThan(0);
    expect(report.imports).toBeGreaterThan(sources.length / 2);
  });

  test('layers: every module of the table has a file', () => {
    const empty = moduleBoundaries.filter(
      ({ path }) => !sources.some((file) => file.path === path || file.path.startsWith(`${path}/`)),
    );
    expect(empty.map((module) => module.path)).toEqual([]);
  });
});

describe('canaries of module boundaries', () => {
  test.for<[claim: string, file: TextFile]>([
    ['a value import', planted('src/core/clock.ts', "import { start } from '../server/start.ts';")],
    ['a type-only import', planted('src/core/clock.ts', "import type { Server } from '../server/start.ts';")],
    ['an import() type', planted('src/core/clock.ts', "export type S = import('../server/start.ts').Server;")],
    ['a dynamic import', planted('src/core/clock.ts', "export const s = import('../server/start.ts');")],
    ['an export-from', planted('src/core/clock.ts', "export { start } from '../server/start.ts';")],
    ['an export of everything', planted('src/core/clock.ts', "export * from '../server/start.ts';")],
    ['a package that is not listed', planted('machines/evaluate.ts', "import { z } from 'zod';")],
    ['a module of Node that is not listed', planted('machines/evaluate.ts', "import 'node:fs';")],
    [
      'a value where only types are allowed',
      planted('src/contract/facts.schema.ts', "import { judge } from '../../machines/evaluate.ts';"),
    ],
    [
      'a server imported by the http driver',
      planted('src/scenario/drivers/http/walk.ts', "import { start } from '../../../server/start.ts';"),
    ],
    [
      'a sandbox imported by the http driver',
      planted('src/scenario/drivers/http/walk.ts', "import '../../../sandbox/sandbox.ts';"),
    ],
    [
      'a server imported by the file beside the http driver',
      planted('src/scenario/drivers/http.driver.ts', "import '../../server/start.ts';"),
    ],
    ['a private file of the sandbox', planted('src/scenario/run.ts', "import '../sandbox/faults.ts';")],
    [
      'the text of a file in a folder that is not listed',
      planted('site/playground/files.ts', "import text from '../../scenarios/a.yaml?raw';"),
    ],
    ['a file that does not exist', planted('src/core/clock.ts', "import './clocks.ts';")],
    ['a computed import', planted('src/core/clock.ts', 'export const load = (name: string) => import(name);')],
    ['a folder without a row', planted('src/attic/box.ts', 'export const box = 1;')],
  ])('layers: %s is reported once', ([, file]) => {
    const { faults } = inspectLayers([file, ...neighbours], moduleBoundaries);
    expect(faults).toEqual([expect.objectContaining({ path: file.path })]);
  });

  test('layers: an error names the allowed modules and the alternative', () => {
    const file = planted('src/scenario/drivers/http/walk.ts', "import { start } from '../../../server/start.ts';");
    expect(printed(inspectLayers([file, ...neighbours], moduleBoundaries).faults)).toEqual([
      expect.stringMatching(/^src\/scenario\/drivers\/http\/walk\.ts:1 .*may import: src\/client, src\/core, .*HTTP/),
    ]);
  });

  test('layers: type imports are accepted where types are allowed', () => {
    const file = planted('src/contract/facts.schema.ts', "import { type Evaluate } from '../../machines/evaluate.ts';");
    expect(inspectLayers([file, ...neighbours], moduleBoundaries).faults).toEqual([]);
  });

  test('layers: two files that import each other form a cycle, even with type imports', () => {
    const files = [
      planted('src/core/a.ts', "import type { B } from './b.ts';"),
      planted('src/core/b.ts', "import './a.ts';"),
    ];
    expect(printed(inspectLayers(files, moduleBoundaries).faults)).toEqual([
      expect.stringContaining('src/core/a.ts, src/core/b.ts'),
    ]);
  });

  test('layers: a file may lazily load a file that imports its types', () => {
    const files = [
      planted('src/core/a.ts', "export const b = () => import('./b.ts');"),
      planted('src/core/b.ts', "import type { A } from './a.ts';"),
    ];
    expect(inspectLayers(files, moduleBoundaries).faults).toEqual([]);
  });

  test('layers: two modules that import each other form a cycle, even if no two files do', () => {
    const table: readonly ModuleBoundary[] = [module('src/a', ['src/b']), module('src/b', ['src/a'])];
    const files = [
      planted('src/a/one.ts', "import '../b/one.ts';"),
      planted('src/b/one.ts', ''),
      planted('src/b/two.ts', "import '../a/two.ts';"),
      planted('src/a/two.ts', ''),
    ];
    expect(printed(inspectLayers(files, table).faults)).toEqual([expect.stringContaining('src/a, src/b')]);
  });

  test('layers: a file that cannot be parsed causes an error', () => {
    expect(() => listImports(planted('src/core/clock.ts', 'import from from from;'))).toThrow(/cannot be parsed/);
  });

  test('layers: a cycle of three nodes is found behind a tail, and a chain is not a cycle', () => {
    const graph = (...edges: readonly [string, string][]) => new Map(edges.map(([from, to]) => [from, new Set([to])]));
    expect(findCycles(graph(['tail', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a']))).toEqual([['a', 'b', 'c']]);
    expect(findCycles(graph(['a', 'b'], ['b', 'c']))).toEqual([]);
  });
});

/** Files that the canaries import. They have no imports. */
const neighbours: readonly TextFile[] = [
  planted('src/server/start.ts', 'export const start = 1;'),
  planted('src/sandbox/sandbox.ts', 'export const sandbox = 1;'),
  planted('src/sandbox/faults.ts', 'export const faults = 1;'),
  planted('machines/evaluate.ts', 'export const evaluate = 1;'),
];

function planted(path: string, text: string): TextFile {
  return { path, text };
}

function module(path: string, imports: readonly string[]): ModuleBoundary {
  return { path, imports, packages: [], node: [], instead: '' };
}
