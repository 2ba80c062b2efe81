import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { installOnDemand } from '../../tooling/packages-on-demand.ts';

installOnDemand('tooling/checkers');
const { entryFaults } = await import('../../tooling/checkers/entry-faults.ts');

const folder = mkdtempSync(join(tmpdir(), 'nudgelab-entries-'));

afterAll(() => rmSync(folder, { recursive: true }));

const sound = { types: './main.d.ts', default: './main.js' };
const files = {
  'main.js': 'export const answer = 42;\n',
  'main.d.ts': 'export declare const answer: number;\n',
  'old.cjs': 'exports.answer = 42;\n',
};

describe('054: entries of the package', () => {
  test('054: a valid package has no fault', async () => {
    expect(await findFaults('sound', { '.': sound })).toEqual([]);
  });

  test.for([
    ['an entry whose file does not exist', { '.': sound, './more': './more.js' }, 'FILE_DOES_NOT_EXIST'],
    [
      'types that come after what they describe',
      { '.': { default: './main.js', types: './main.d.ts' } },
      'TYPES_SHOULD_BE_FIRST',
    ],
    ['an entry without types', { '.': './main.js', './more': './old.cjs' }, 'UntypedResolution'],
    ['types of a module for what is none', { '.': { types: './main.d.ts', default: './old.cjs' } }, 'FalseESM'],
  ] as const)('054 canary: %s is found', async ([name, exports, code]) => {
    expect((await findFaults(name.replaceAll(' ', '-'), exports)).join('\n')).toContain(code);
  });
});

/** Creates a package with the given name and entries from the files above, and returns its faults. */
async function findFaults(name: string, exports: unknown): Promise<readonly string[]> {
  const unpacked = join(folder, name, 'package');
  const manifest = { name: 'planted', version: '1.0.0', type: 'module', license: 'MIT', files: ['.'], exports };
  mkdirSync(unpacked, { recursive: true });
  for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
    writeFileSync(join(unpacked, path), text);
  }
  const tarball = join(dirname(unpacked), 'planted.tgz');
  spawnSync('tar', ['-czf', tarball, 'package'], { cwd: dirname(unpacked) });
  return entryFaults(unpacked, tarball);
}
