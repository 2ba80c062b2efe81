import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

describe('init', () => {
  it('writes a suite that passes without the package being installed', async () => {
    const cwd = suiteFolder({});
    const { code, stdout } = await runHere(['init'], { cwd });
    expect({ code, hint: stdout.includes('npm pkg set scripts.') }).toEqual({ code: 0, hint: true });
    const run = await runHere(['run', '--driver', 'model,http'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('All 2 passed') });
    expect(run.stdout).toContain('nudgelab-report/junit.xml');
    expect((await runHere(['lint'], { cwd })).code).toBe(0);
  });

  it('writes into a named folder and prints the command that runs the suite', async () => {
    const cwd = suiteFolder({});
    const { stdout } = await runHere(['init', 'tests/campaign'], { cwd });
    const [, argv] = /Run it: +nudgelab (.*)/.exec(stdout) ?? [];
    expect(argv).toBe('run --config tests/campaign/nudgelab.config.ts');
    expect((await runHere(argv?.split(' ') ?? [], { cwd })).code).toBe(0);
  });

  it('the scenario references its schema, which is written with the suite', async () => {
    const cwd = suiteFolder({});
    const { files } = parseOutput(await runHere(['init', '--json'], { cwd })) as { files: string[] };
    expect(files).toContain('scenario.schema.json');
    expect(readFileSync(join(cwd, 'scenarios/first-prompt.yaml'), 'utf8')).toContain('$schema=../scenario.schema.json');
    expect(JSON.parse(readFileSync(join(cwd, 'scenario.schema.json'), 'utf8'))).toHaveProperty('$id');
  });

  it('file-exists: a dangling symbolic link counts as an existing file without --force', async () => {
    const cwd = suiteFolder({});
    mkdirSync(join(cwd, 'scenarios'));
    symlinkSync(join(cwd, 'elsewhere.yaml'), join(cwd, 'scenarios/first-prompt.yaml'));
    const refused = await runHere(['init'], { cwd });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('scenarios/first-prompt.yaml') });
    expect(readdirSync(cwd)).toEqual(['scenarios']);
  });

  it('file-exists: without --force, an existing file is kept and no other file is written', async () => {
    const cwd = suiteFolder({ 'fixtures/users/text-message-user.yaml': 'methods: [voice]\n' });
    const kept = (): string => readFileSync(join(cwd, 'fixtures/users/text-message-user.yaml'), 'utf8');
    const refused = await runHere(['init'], { cwd });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('fixtures/users/text-message-user.yaml'),
    });
    expect(kept()).toBe('methods: [voice]\n');
    expect(() => readFileSync(join(cwd, 'nudgelab.config.ts'))).toThrow();
    expect((await runHere(['init', '--force'], { cwd })).code).toBe(0);
    expect(kept()).not.toBe('methods: [voice]\n');
  });
});
