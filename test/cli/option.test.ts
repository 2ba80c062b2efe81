import { describe, expect, it } from 'vitest';
import {
  choice,
  flag,
  instant,
  integer,
  list,
  negatedFlag,
  type OptionSpec,
  shard,
  text,
  timeLimitOption,
} from '../../src/cli/option.ts';
import { describeOption } from '../../src/cli/program.ts';

/** Parses an option value. Returns the code and location of the error if the value is invalid. */
function read(option: OptionSpec<unknown>, value: string, soFar: unknown = option.initial): unknown {
  try {
    return option.parse?.(value, soFar);
  } catch (error) {
    const { code, problems } = error as { code: string; problems: readonly { location: string }[] };
    return [code, problems[0]?.location];
  }
}

const wrong = ['usage-invalid', '--it'];

describe('command options', () => {
  it('options have a default value, and switches take no argument', () => {
    expect([flag('--it', '').initial, negatedFlag('--no-it', '').initial]).toEqual([false, true]);
    expect([flag('--it', '').parse, negatedFlag('--no-it', '').parse]).toEqual([undefined, undefined]);
    const made = [text('--it', ''), choice('--it', '', ['a']), integer('--it', '', { min: 0, max: 1 })];
    const others = [timeLimitOption(''), instant('--it', '', ''), shard('--it', '')];
    expect([...made, ...others].map(({ initial }) => initial)).toEqual(Array.from({ length: 6 }, () => null));
    expect(list('--it', '').initial).toEqual([]);
    expect(read(text('--it <text>', ''), ' any ')).toBe(' any ');
  });

  it('a list is separated by commas or given by repeated options', () => {
    const option = list('--it <list>', '');
    expect(read(option, 'a, b,,c ')).toEqual(['a', 'b', 'c']);
    expect(read(option, 'd', ['a'])).toEqual(['a', 'd']);
    expect(read(option, ' , ')).toEqual([]);
    const withDefault = list('--it <list>', '', { default: ['x'] });
    expect([withDefault.initial, read(withDefault, 'a'), read(withDefault, 'b', ['a'])]).toEqual([
      ['x'],
      ['a'],
      ['a', 'b'],
    ]);
  });

  it('usage-invalid: a choice option rejects other words', () => {
    const option = choice('-i, --it <word>', 'a word', ['one', 'two'], { default: 'two' });
    expect(option.initial).toBe('two');
    expect(describeOption(option)).toBe('a word (choices: "one", "two", default: two)');
    expect(describeOption(choice('--it <word>', 'a word', ['one'], { whenOmitted: 'the first' }))).toBe(
      'a word (choices: "one", default: the first)',
    );
    expect(['one', 'two', 'One', 'on', ''].map((value) => read(option, value))).toEqual([
      'one',
      'two',
      wrong,
      wrong,
      wrong,
    ]);
  });

  it.for([
    ['2', 2],
    ['10', 10],
    ['007', 7],
    ['1', wrong],
    ['11', wrong],
    ['-3', wrong],
    ['3.0', wrong],
    ['3x', wrong],
    ['x3', wrong],
    ['', wrong],
  ] as const)('usage-invalid: an integer option from 2 to 10 parses "%s" as %j', ([value, expected]) => {
    expect(read(integer('--it <number>', '', { min: 2, max: 10 }), value)).toEqual(expected);
  });

  it.for([
    ['500ms', 500],
    ['10s', 10_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1.5s', 1_500],
    ['0.5ms', 0.5],
    ['0s', wrong],
    ['10', 10_000],
    ['s', wrong],
    ['1d', wrong],
    ['10sec', wrong],
    ['-1s', wrong],
    ['1.s', wrong],
    ['1234567890s', wrong],
    ['x1s', wrong],
  ] as const)('usage-invalid: a duration option parses "%s" as %j', ([value, expected]) => {
    expect(read(timeLimitOption(''), value)).toEqual(expected === wrong ? ['usage-invalid', '--time-limit'] : expected);
  });

  it('usage-invalid: an instant option accepts only ISO 8601', () => {
    const option = instant('--it <instant>', '', '');
    expect(read(option, '2026-01-05T09:00:00.000Z')).toBe(1_767_603_600_000);
    expect([read(option, 'soon'), read(option, '')]).toEqual([wrong, wrong]);
  });

  it.for([
    ['1/4', { index: 1, count: 4 }],
    ['4/4', { index: 4, count: 4 }],
    ['1/1', { index: 1, count: 1 }],
    ['0/4', wrong],
    ['5/4', wrong],
    ['1/0', wrong],
    ['1', wrong],
    ['1/', wrong],
    ['1/4/5', wrong],
    ['x1/4', wrong],
    ['12345/12345', wrong],
  ] as const)('usage-invalid: a shard option parses "%s" as %j', ([value, expected]) => {
    expect(read(shard('--it <part/whole>', ''), value)).toEqual(expected);
  });
});
