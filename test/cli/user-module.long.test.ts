import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { passing, suiteFolder } from './suite-folder.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const program = join(top, 'tooling/nudgelab.js');

function runIn(cwd: string) {
  return spawnSync(process.execPath, [program, 'run', '--config', 'nudgelab.config.ts'], { cwd, encoding: 'utf8' });
}

describe('configuration module', () => {
  it.each(['{}', '{"type":"commonjs"}', '{"type":"module"}'])('loads beside a package.json of %s', (manifest) => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    writeFileSync(join(cwd, 'package.json'), manifest);
    writeFileSync(join(cwd, 'place.ts'), "export const place: string = 'scenarios';\n");
    const text = "import { place } from './place.ts';\nexport default { scenarios: place };\n";
    writeFileSync(join(cwd, 'nudgelab.config.ts'), text);
    const { status, stderr } = runIn(cwd);
    expect([status, stderr]).toEqual([0, '']);
  });

  it.each(['mts', 'cts', 'cjs'])('is found in the current folder with the extension .%s', (extension) => {
    const cwd = suiteFolder({ 'own/a.yaml': passing });
    const exporting = extension === 'mts' ? 'export default' : 'module.exports =';
    writeFileSync(join(cwd, `nudgelab.config.${extension}`), `${exporting} { scenarios: 'own' };\n`);
    const { status, stderr } = spawnSync(process.execPath, [program, 'run'], { cwd, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('config-invalid: a syntax error is reported once with its location', () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    writeFileSync(join(cwd, 'package.json'), '{"type":"commonjs"}');
    writeFileSync(join(cwd, 'nudgelab.config.ts'), 'export default { scenarios: (');
    const { status, stderr } = runIn(cwd);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error config-invalid/);
  });
});

describe('driver module of a checkout', () => {
  const sources = join(top, 'src/cli/main.ts');
  const index = join(top, 'src/index.ts');

  function runDriver(entry: string, name: string, text: string) {
    const cwd = suiteFolder({
      'scenarios/a.yaml': passing,
      'nudgelab.config.json': JSON.stringify({ drivers: { own: { module: `./${name}` } } }),
      [name]: text,
    });
    const given = ['--no-warnings', entry, 'run', '--driver', 'own', '--json'];
    const { stdout, stderr } = spawnSync(process.execPath, given, { cwd, encoding: 'utf8' });
    return { report: JSON.parse(stdout) as unknown, stderr };
  }

  beforeAll(() => {
    expect(spawnSync(process.execPath, [join(top, 'tooling/program.ts')], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
    const { findProgram } = createRequire(import.meta.url)('../../tooling/program-sources.js');
    expect(findProgram()).toMatch(/\.program-/);
  }, 60_000);

  describe.each([
    ['the bundled program', program],
    ['the sources', sources],
  ])('%s', (_, entry) => {
    it.each([
      ['basket.machine.ts', "import { createMachine } from 'xstate';"],
      [
        'basket.machine.ts',
        "import { createMachine } from 'xstate';\nimport { getShortestPaths } from 'xstate/graph';",
      ],
      ['basket.machine.cjs', "const { createMachine } = require('xstate');"],
    ])('a machine uses the xstate of the program where none is installed: %s, %s', (name, imported) => {
      const exported = name.endsWith('.cjs')
        ? 'exports.machine = machine; exports.events = events;'
        : 'export { machine, events };';
      const machine = `${imported}
        const states = { empty: { on: { ADD: 'full' } }, full: {} };
        const machine = createMachine({ id: 'basket', initial: 'empty', states });
        const events = [{ type: 'ADD' }];
        ${exported}`;
      const cwd = suiteFolder({ [name]: machine });
      const given = ['--no-warnings', entry, 'explore', `./${name}`, '--json'];
      const { stdout, stderr } = spawnSync(process.execPath, given, { cwd, encoding: 'utf8' });
      expect([JSON.parse(stdout), stderr]).toMatchObject([{ holds: true, machines: [{ states: 2 }] }, '']);
    });

    it.each([
      ['the name of the package', 'driver.ts', "import { NudgeLabError } from 'nudgelab';"],
      ['the path of the sources', 'driver.ts', `import { NudgeLabError } from ${JSON.stringify(index)};`],
      ['a later import', 'driver.ts', "const { NudgeLabError } = await import('nudgelab');"],
      ['require of the name', 'driver.cjs', "const { NudgeLabError } = require('nudgelab');"],
      ['require of the path', 'driver.cjs', `const { NudgeLabError } = require(${JSON.stringify(index)});`],
    ])('throws errors of the program after %s', (_name, name, imported) => {
      const exported = name.endsWith('.cjs') ? 'exports.driver =' : 'export const driver =';
      const opened = "() => { throw new NudgeLabError('server-unreachable'); }";
      const driver = `{ name: 'own', can: new Set(['signIn']), open: ${opened}, close: () => {} }`;
      expect(runDriver(entry, name, `${imported}\n${exported} ${driver};\n`)).toMatchObject({
        report: { results: [{ message: 'The own driver failed: server-unreachable: The server does not respond.' }] },
        stderr: '',
      });
    });
  });

  it('config-invalid: a function that fails to create the driver is not a bug in the program', () => {
    const failing = "export const driver = () => { throw new Error('no test system'); };\n";
    const { report, stderr } = runDriver(program, 'driver.ts', failing);
    expect(report).toMatchObject({
      error: {
        code: 'config-invalid',
        problems: [
          {
            location: 'config.drivers.own',
            message: 'the function that creates the driver failed: no test system',
          },
        ],
      },
    });
    expect(stderr).toMatch(/^error config-invalid/);
  });
});
