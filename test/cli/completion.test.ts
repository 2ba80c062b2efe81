import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/commands.ts';
import { createParser } from '../../src/cli/program.ts';
import { publishedSchemas } from '../../src/cli/schema/schemas.ts';
import { nonEmpty } from '../non-empty.ts';
import { runHere, testContext } from './command-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'nudgelab-completion-'));
const script = async (shell: string): Promise<string> => (await runHere(['completion', shell])).stdout;
const all = await allCommands();
const written = new Map<string, string>();
for (const shell of ['bash', 'zsh', 'fish']) {
  const path = join(folder, shell === 'zsh' ? '_nudgelab' : `nudgelab.${shell}`);
  writeFileSync(path, await script(shell));
  written.set(shell, path);
}

afterAll(() => rmSync(folder, { recursive: true }));

/** Lists the completions that bash offers after the given words. */
function offeredByBash(...words: readonly string[]): readonly string[] {
  const program = `
    compopt() { [ "$2" = default ] && echo '<no files>' >&2; }
    source ${written.get('bash')}
    COMP_WORDS=(nudgelab ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
    _nudgelab; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', program], { encoding: 'utf8' });
  return [...stdout.split('\n').filter((line) => line !== ''), ...(stderr.includes('<no files>') ? [] : ['<files>'])];
}

function offeredByFish(line: string): readonly string[] {
  const { stdout } = spawnSync('fish', ['--no-config', '-c', `source ${written.get('fish')}; complete -C '${line}'`], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout.split('\n').flatMap((one) => (one === '' ? [] : [one.split('\t')[0] ?? '']));
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

describe('completion', () => {
  it('completes commands in bash by their typed prefix', () => {
    for (const { name } of nonEmpty(all)) expect(offeredByBash('')).toContain(name);
    expect(offeredByBash('exp')).toEqual(['explore', 'explain', 'export']);
    expect(offeredByBash('help', 'fo')).toEqual(['forecast']);
  });

  it.each(nonEmpty(all))('completes exactly the parser options of $name in bash', (command) => {
    const { options } = createParser(command, testContext());
    const names = [...options.flatMap(({ short, long }) => [short, long]), '-h', '--help'];
    expect(offeredByBash(command.name, '-').toSorted()).toEqual(names.filter((one) => one !== undefined).toSorted());
  });

  it('completes the values of an option and leaves file names to the shell', () => {
    expect(offeredByBash('run', '--driver', 'm')).toEqual(['model']);
    expect(offeredByBash('serve', '--ruleset', '')).toEqual(['seed', '2026-09', 'announced']);
    expect(offeredByBash('run', '--config', '')).toEqual(['<files>']);
    expect(offeredByBash('run', 'scen')).toEqual(['<files>']);
    expect(offeredByBash('schema', '')).toEqual([...publishedSchemas.keys()]);
    expect(offeredByBash('run', '--seed', '')).toEqual([]);
    expect(offeredByBash('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it('completes in fish if it is installed', async () => {
    expect(await script('fish')).toContain('complete -c nudgelab -f\n');
    if (!has('fish')) return;
    expect(offeredByFish('nudgelab exp')).toEqual(['explain', 'explore', 'export']);
    expect(offeredByFish('nudgelab run --dri')).toEqual(['--driver']);
    expect(offeredByFish('nudgelab run --driver m')).toEqual(['model']);
    expect(offeredByFish('nudgelab run nudg')).toEqual(['nudgelab.bash', 'nudgelab.fish']);
  });

  it('loads in zsh if it is installed', async () => {
    expect(await script('zsh')).toMatch(/^#compdef nudgelab\n/);
    if (!has('zsh')) return;
    const load = `autoload -Uz compinit; compinit -u -D; source ${written.get('zsh')}; print $_comps[nudgelab]`;
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', load], { encoding: 'utf8' });
    expect([stdout.trim(), stderr]).toEqual(['_nudgelab', '']);
  });

  it('usage-invalid: completion rejects an unknown shell', async () => {
    const { code, stderr } = await runHere(['completion', 'csh']);
    expect(code).toBe(2);
    expect(stderr).toContain('usage-invalid');
  });
});
