import { describe, expect, it } from 'vitest';
import { paletteFor } from '../../src/cli/palette.ts';
import { RecordedSink } from './command-context.ts';

describe('colors of a terminal', () => {
  it.each([
    ['strong', '\u001b[1mx\u001b[22m'],
    ['faint', '\u001b[2mx\u001b[22m'],
    ['good', '\u001b[32mx\u001b[39m'],
    ['bad', '\u001b[31mx\u001b[39m'],
    ['doubtful', '\u001b[33mx\u001b[39m'],
  ] as const)('a %s text is wrapped in its codes, which end after it', (name, visible) => {
    expect(paletteFor(new RecordedSink(true), { env: {} })[name]('x')).toBe(visible);
  });

  it.each([
    [false, {}, true],
    [true, { NO_COLOR: '1' }, true],
    [true, { TERM: 'dumb' }, true],
    [true, {}, false],
  ])('with the terminal %s, the environment %j and colors %s a text stays plain', (isTty, env, wanted) => {
    expect(paletteFor(new RecordedSink(isTty), { env }, wanted).bad('x')).toBe('x');
  });

  it.each([{ NO_COLOR: '' }, { TERM: 'xterm' }])('the environment %j keeps the colors', (env) => {
    expect(paletteFor(new RecordedSink(true), { env }).bad('x')).not.toBe('x');
  });
});
