import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { createParser } from '../../src/cli/program.ts';
import { testContext } from '../cli/command-context.ts';
import { listBlocks, pages } from '../docs/markdown.ts';
import { nonEmpty } from '../non-empty.ts';
import { runAsReader } from './page-runner.ts';
import { before, elsewhere, needsService, shortened } from './unlike-the-page.ts';

/** Shell blocks of each page as one script. A mark before each block prints its location. */
const scripts = pages()
  .map(({ path, text }) => ({ path, blocks: listBlocks(text).filter(({ language }) => language === 'sh') }))
  .filter(({ blocks }) => blocks.length > 0)
  .map(({ path, blocks }) => ({
    path,
    text: blocks.map(({ line, text }) => `echo "@ ${path}:${line}"\n${text}`).join(''),
  }));

/** Lines that are parsed here and executed elsewhere. */
const unrun = scripts
  .flatMap(({ text }) => text.split('\n'))
  .filter((line) => elsewhere.has(line) || needsService.test(line));

const called = new Set<string>();

describe('055: commands of the documentation', () => {
  test('055: more than 20 pages contain commands', () => {
    expect(scripts.length).toBeGreaterThan(20);
  });

  test.concurrent.for(scripts)(
    '055: the commands of $path run without an error',
    { timeout: 300_000 },
    async ({ path, text }, { expect }) => {
      const { code, output, calls } = await runAsReader(asRunHere(path, text));
      expect(code, output.split('\n').slice(-30).join('\n')).toBe(0);
      for (const call of calls) called.add(call.split(' ').slice(0, 2).join(' '));
    },
  );

  test('055: the pages show every command of the program', () => {
    const names = [...commands.keys()].map((name) => `nudgelab ${name}`);
    const parsed = new Set(unrun.map((line) => `nudgelab ${/nudgelab(?: --)? (\w+)/.exec(line)?.[1]}`));
    expect(names.filter((name) => !called.has(name) && !parsed.has(name))).toEqual([]);
  });

  test('055: every line that is shortened or executed elsewhere is on a page', () => {
    const all = scripts.map(({ text }) => text).join('');
    for (const line of nonEmpty([...elsewhere.keys(), ...shortened.keys()])) expect(all).toContain(line);
  });

  test('055: lines that are executed elsewhere use existing commands and options', async () => {
    expect(unrun.length).toBeGreaterThan(5);
    for (const line of unrun) {
      const [, name = '', rest = ''] = /nudgelab(?: --)? (\w+) ?(.*?)(?: +#.*| &| \\)?$/.exec(line) ?? [];
      const command = await commands.get(name)?.();
      expect(command, line).toBeDefined();
      const parse = () =>
        command && createParser(command, testContext()).parse(rest.split(/ +/).filter(Boolean), { from: 'user' });
      expect(parse, line).not.toThrow();
    }
  });

  test('055 canary: a failed command or an invalid option fails its page', async () => {
    expect((await runAsReader('npx nudgelab run --no-such-option\necho later\n')).code).not.toBe(0);
    expect((await runAsReader('curl http://localhost:4700/nowhere\n')).code).not.toBe(0);
    expect((await runAsReader('npm run no-such-script\n')).code).not.toBe(0);
  });
});

/** Returns the script of a page with the lines replaced that cannot run here as written. */
function asRunHere(path: string, text: string): string {
  const lines = text.split('\n').map((line) => {
    if (elsewhere.has(line) || needsService.test(line)) return `: ${JSON.stringify(line)}`;
    return shortened.get(line) ?? line;
  });
  return [before.get(path) ?? '', ...lines].join('\n');
}
