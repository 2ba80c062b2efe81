import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../journal/temporary-folder.ts';

const top = join(import.meta.dirname, '../..');
const copied = ['tooling/nudgelab.js', 'tooling/program-sources.js'];
const bundle = '.program-0123456789abcdef';
const entry = `${bundle}/src/cli/main.js`;
const record = 'node_modules/.cache/nudgelab/program';
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
    write(`${bundle}/chunks/one.js`, '');
    write(entry, "console.log('bundled');\n");
    const module = JSON.stringify(join(folder, copied[1] ?? ''));
    const script = `import(${module}).then((own) => process.stdout.write(own.writeRecord('${bundle}', own.describeSources())))`;
    write(record, spawnSync(process.execPath, ['--eval', script]).stdout.toString());
  };
  const damage = (change: (content: string) => string): void =>
    write(record, change(readFileSync(join(folder, record), 'utf8')));
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
    () => write(entry, ''),
    () => damage((content) => content.slice(0, content.lastIndexOf(',['))),
    () => damage((content) => content.slice(0, content.indexOf(']') + 1)),
    () => damage((content) => `${content.slice(0, 200)}${'\0'.repeat(content.length - 200)}`),
    () => damage(() => ''),
    () => rmSync(join(folder, 'node_modules'), { recursive: true }),
  ]) {
    edit();
    expect(start()).toBe('sources');
    build();
    expect(start()).toBe('bundled');
  }
  // A record that cannot be read is that of no program.
  rmSync(join(folder, record));
  mkdirSync(join(folder, record));
  expect(start()).toBe('sources');
  rmSync(join(folder, record), { recursive: true });
  // Links to files are sources too, and names can have any characters.
  write('src/copy of é.ts', '{}');
  write('linked.ts', '{}');
  symlinkSync('../linked.ts', join(folder, 'src/link.ts'));
  build();
  expect(start()).toBe('bundled');
  write('linked.ts', '{ }');
  expect(start()).toBe('sources');
  build();
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
