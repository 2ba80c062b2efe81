import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitShellWords } from '../shell-words.ts';
import { parseOutput, runHere } from './command-context.ts';
import { failing, suiteFolder } from './suite-folder.ts';

/** Name that an unquoted shell word would split or expand. */
const odd = "a $HOME; it's";

const toy = join(import.meta.dirname, 'fixtures/exported-driver/toy.driver.mjs');

/** Creates a folder whose configuration path needs quoting, with a driver `toy` that differs from the model. */
function folderWithToy(): string {
  const cwd = suiteFolder({ [`${odd}/nudgelab.config.json`]: '{"drivers":{"toy":{"module":"./toy.driver.mjs"}}}' });
  copyFileSync(toy, join(cwd, odd, 'toy.driver.mjs'));
  return cwd;
}

/** Runs a printed command as a shell would, and returns its exit code. */
async function getExitCode(line: string, cwd: string): Promise<number> {
  return (await runHere(splitShellWords(line), { cwd })).code;
}

describe('printed commands with file names that need quoting', () => {
  it('fuzz: the printed commands repeat the shrunk journey and the whole random walk', async () => {
    const cwd = folderWithToy();
    const config = `${odd}/nudgelab.config.json`;
    const ended = await runHere(
      ['fuzz', '--driver', 'toy', '--config', config, '--out', odd, '--runs', '50', '--json'],
      { cwd },
    );
    const { failure } = parseOutput(ended) as { failure: { file: string; command: string; walkAgain: string } };
    expect(splitShellWords(failure.command)).toEqual(['run', failure.file, '--driver', 'toy', '--config', config]);
    expect(splitShellWords(failure.walkAgain)).toContain(config);
    expect([await getExitCode(failure.command, cwd), await getExitCode(failure.walkAgain, cwd)]).toEqual([1, 1]);
  }, 120_000);

  it('run: the printed command includes the configuration and the scenario', async () => {
    const cwd = folderWithToy();
    writeFileSync(join(cwd, odd, 'b c.yaml'), failing);
    const config = `${odd}/nudgelab.config.json`;
    const ended = await runHere(['run', `${odd}/b c.yaml`, '--config', config, '--json', '--driver', 'model'], { cwd });
    const { results } = parseOutput(ended) as { results: { command: string }[] };
    expect(splitShellWords(results[0]?.command ?? '')).toEqual([
      'run',
      `${odd}/b c.yaml`,
      '--driver',
      'model',
      '--config',
      config,
    ]);
  });

  it('shrink: the printed command runs the written file', async () => {
    const cwd = suiteFolder({ [`${odd}.yaml`]: failing });
    const { command } = parseOutput(
      await runHere(['shrink', `${odd}.yaml`, '--driver', 'model', '--json'], { cwd }),
    ) as {
      command: string;
    };
    expect(splitShellWords(command)).toEqual(['run', `${odd}.shrunk.yaml`, '--driver', 'model']);
    expect(await getExitCode(command, cwd)).toBe(1);
  }, 60_000);

  it('init: the printed command and the package script include the configuration', async () => {
    const cwd = suiteFolder({});
    const { stdout } = await runHere(['init', odd], { cwd });
    const config = `${odd}/nudgelab.config.ts`;
    expect(splitShellWords(/Run it: +(.*)/.exec(stdout)?.[1] ?? '')).toEqual(['run', '--config', config]);
    const [, , script = ''] = splitShellWords(/As a package script: +(.*)/.exec(stdout)?.[1] ?? '');
    const [name, line = ''] = [script.slice(0, 'scripts.scenarios='.length), script.slice('scripts.scenarios='.length)];
    expect([name, splitShellWords(line)]).toEqual(['scripts.scenarios=', ['run', '--config', config]]);
  });
});
