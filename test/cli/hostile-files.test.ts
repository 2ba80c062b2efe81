import { describe, expect, it } from 'vitest';
import { runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

/** Nine levels of nine YAML aliases each: less than 1 kB of text that would expand to about 387 million values. */
const laughs = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...'bcdefghi'.split('').map((name, at) => {
    const before = 'abcdefgh'[at];
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`;
  }),
].join('\n');

const merges = [
  'a: &a { k: 1 }',
  ...Array.from(
    { length: 30 },
    (_, at) => `m${at}: &m${at} { <<: [*${at === 0 ? 'a' : `m${at - 1}`}, *${at === 0 ? 'a' : `m${at - 1}`}] }`,
  ),
].join('\n');
const itself = 'name: &n { steps: *n }';
const deep = `steps: ${'['.repeat(20_000)}`;
const polluting = '__proto__: { polluted: yes }\nname: x\nconstructor: { prototype: { polluted: yes } }\nsteps: []';

describe('malicious files', () => {
  it.each([
    ['aliases of aliases', laughs],
    ['merges of merges', merges],
    ['an alias of itself', itself],
    ['depth without end', deep],
    ['names of every object', polluting],
  ])('%s: a scenario is rejected quickly as invalid input and changes nothing else', async (_what, text) => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': text });
    for (const command of [
      ['lint'],
      ['run'],
      ['explore', 'scenarios/a.yaml'],
      ['serve', '--port', '0', '--clients', 'scenarios/a.yaml'],
    ]) {
      const { code, stdout, stderr } = await runHere(command, { cwd });
      expect([command, [1, 2].includes(code)]).toEqual([command, true]);
      expect(`${stdout}${stderr}`.length).toBeLessThan(200_000);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
