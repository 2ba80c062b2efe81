import { describe, expect, it } from 'vitest';
import { runHere } from '../cli/command-context.ts';
import { suiteFolder } from '../cli/suite-folder.ts';
import { nonEmpty } from '../non-empty.ts';
import { listBlocks, pageAt } from './markdown.ts';

/** Output of a command without its duration, which differs from run to run. */
function withoutTime(text: string): string {
  return text.replaceAll(/ \d+ ms$/gm, '').trim();
}

const blocks = listBlocks(pageAt('docs/how-to/generate.md').text);
const shown = blocks.filter(({ language, text }) => language === 'text' && /^ {2}\d+ tests, /m.test(text));

describe('docs: generated suites', () => {
  it('the page shows the output of two commands', () => expect(shown).toHaveLength(2));

  it.each(nonEmpty(shown))(
    'docs: the output on the page is that of its command: $text',
    async ({ text }) => {
      const [, out = ''] = /files? in (\S+)/.exec(text) ?? [];
      const commands = blocks.filter(({ language }) => language === 'sh').flatMap((block) => block.text.split('\n'));
      const line = commands.find((command) => command.endsWith(`--out ${out}`)) ?? '';
      const { code, stdout } = await runHere(line.split(' ').slice(4), { cwd: suiteFolder({}) });
      expect(code).toBe(0);
      expect(withoutTime(stdout)).toBe(withoutTime(text));
    },
    120_000,
  );
});
