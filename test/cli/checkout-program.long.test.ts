import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../journal/temporary-folder.ts';

const top = join(import.meta.dirname, '../..');
const copied = ['tooling/nudgelab.js', 'tooling/program-sources.js'];
const program = { 'src/cli/main.ts': "console.log('sources');\n", 'dist/src/cli/main.js': "console.log('dist');\n" };
const others = [
  'machines/one.ts',
  'src/two.ts',
  'package.json',
  'package-lock.json',
  'tooling/bundle.ts',
  'tooling/program.ts',
];

it('a checkout starts the program in dist/ only while no source has changed, was added or is gone', () => {
  const folder = temporaryFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const start = (): string => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', join(folder, 'tooling/nudgelab.js')]);
    return `${stdout}${stderr}`.trim();
  };
  const build = (): void => {
    const script = `import('${join(folder, 'tooling/program-sources.js')}').then((own) => process.stdout.write(own.describeSources()))`;
    write('dist/.built-from', spawnSync(process.execPath, ['--eval', script]).stdout.toString());
  };
  for (const [path, text] of Object.entries(program)) write(path, text);
  for (const path of others) write(path, '{}');
  for (const path of copied) copyFileSync(join(top, path), join(folder, path));

  expect(start()).toBe('sources');
  build();
  expect(start()).toBe('dist');
  for (const edit of [
    () => write('machines/one.ts', '{ }'),
    () => write('src/deep/three.ts', '{}'),
    () => rmSync(join(folder, 'src/two.ts')),
    () => write('package-lock.json', '{ }'),
  ]) {
    edit();
    expect(start()).toBe('sources');
    build();
    expect(start()).toBe('dist');
  }
  rmSync(join(folder, 'dist'), { recursive: true });
  expect(start()).toBe('sources');
});

it('commands that the program of a checkout suggests begin with its npm script', () => {
  const { stderr } = spawnSync(process.execPath, [join(top, 'tooling/nudgelab.js'), 'run', '--bogus']);
  expect(stderr.toString()).toContain('`npm run nudgelab -- run --help` shows');
});
