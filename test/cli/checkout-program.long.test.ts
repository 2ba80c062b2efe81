import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../journal/temporary-folder.ts';

const top = join(import.meta.dirname, '../..');
const copied = ['tooling/nudgelab.js', 'tooling/program-sources.js'];
const bundle = '.program-0123456789abcdef';
const entry = `${bundle}/src/cli/main.js`;
const others = [
  'machines/one.ts',
  'src/two.ts',
  'src/deep/three.ts',
  'package-lock.json',
  'tooling/bundle.ts',
  'tooling/program.ts',
];

it('a checkout starts the bundled program only while no source has changed or is gone', () => {
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
    const script = `import('${join(folder, copied[1] ?? '')}').then((own) => process.stdout.write(own.describeSources()))`;
    const sources = spawnSync(process.execPath, ['--eval', script]).stdout.toString();
    write('node_modules/.cache/nudgelab/program', `${bundle}\n${sources}`);
    write(`${bundle}/chunks/one.js`, '');
    write(entry, "console.log('bundled');\n");
  };
  write('src/cli/main.ts', "console.log('sources');\n");
  write('package.json', '{ "type": "module" }');
  for (const path of others) write(path, '{}');
  for (const path of copied) copyFileSync(join(top, path), join(folder, path));

  expect(start()).toBe('sources');
  build();
  expect(start()).toBe('bundled');
  for (const edit of [
    () => write('machines/one.ts', '{ }'),
    () => rmSync(join(folder, 'src/deep/three.ts')),
    () => rmSync(join(folder, 'src/two.ts')),
    () => write('package-lock.json', '{ }'),
    () => rmSync(join(folder, bundle, 'chunks'), { recursive: true }),
    () => rmSync(join(folder, entry)),
    () => rmSync(join(folder, 'node_modules'), { recursive: true }),
  ]) {
    edit();
    expect(start()).toBe('sources');
    build();
    expect(start()).toBe('bundled');
  }
  // A new file is not part of the program until another source imports it.
  write('src/four.ts', '{}');
  // Editors write hidden files and links, which are no sources.
  write('src/.hidden.swp', '');
  symlinkSync('user@host.123:456', join(folder, 'src/.#two.ts'));
  symlinkSync('user@host.123:456', join(folder, 'src/linked.ts'));
  expect(start()).toBe('bundled');
});

it('commands that the program of a checkout suggests begin with its npm script', () => {
  const { stderr } = spawnSync(process.execPath, [join(top, 'tooling/nudgelab.js'), 'run', '--bogus']);
  expect(stderr.toString()).toContain('`npm run nudgelab -- run --help` shows');
});
