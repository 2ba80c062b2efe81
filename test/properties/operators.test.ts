import { describe, expect, it } from 'vitest';
import {
  action,
  all,
  always,
  any,
  atMostTimes,
  event,
  eventually,
  never,
  next,
  not,
  precedes,
  previously,
  state,
  timePasses,
  unless,
  until,
  when,
} from '../../src/properties/language/formula-builder.ts';
import { checkFormula, createSystem, explainVerdict } from './small-systems.ts';

/** A door that opens and closes; `wait` changes nothing. */
const door = createSystem({
  closed: { open: 'open', wait: 'closed' },
  open: { close: 'closed', wait: 'open' },
});

/** A task that starts, and is done on the third day at the latest. */
const task = createSystem({
  idle: { start: 'first', day: 'idle' },
  first: { finish: 'done', day: 'second' },
  second: { finish: 'done', day: 'third' },
  third: { finish: 'done', day: 'done' },
  done: { day: 'done' },
});

/** A login that accepts three attempts between two resets. */
const attempts = createSystem({
  none: { attempt: 'one', reset: 'none' },
  one: { attempt: 'two', reset: 'none' },
  two: { attempt: 'three', reset: 'none' },
  three: { attempt: 'three', reset: 'none' },
});

describe('operators of properties', () => {
  it('PR2: always and never hold in every reachable state, or have a shortest path to one where they do not', () => {
    expect(explainVerdict(door, always(state('closed', 'open')))).toBe('proven');
    expect(explainVerdict(door, always(state('closed')))).toBe('open');
    expect(explainVerdict(task, never(state('third')))).toBe('start day day');
    expect(explainVerdict(door, never(state('closed')))).toBe('');
  });

  it('PR3: eventually has a lasso as its counterexample, with the shortest stem and cycle', () => {
    expect(explainVerdict(door, eventually(state('open')))).toBe('| wait');
    expect(explainVerdict(door, eventually(state('closed')))).toBe('proven');
    expect(explainVerdict(door, always(when(state('open'), eventually(state('closed')))))).toBe('open | open');
    const task3 = always(when(state('third'), eventually(state('done'))));
    expect(explainVerdict(task, task3)).toBe('start day day | start');
  });

  it('PR4: fairness excludes paths on which a condition stops to recur', () => {
    const closes = always(when(state('open'), eventually(state('closed'))));
    expect(explainVerdict(door, closes, [event('close')])).toBe('proven');
    expect(explainVerdict(door, closes, [event('wait')])).toBe('open | wait');
    const ends = always(when(state('first'), eventually(state('done'))));
    expect(explainVerdict(task, ends)).toBe('start | start');
    expect(explainVerdict(task, ends, [timePasses()])).toBe('proven');
  });

  it('PR5: until needs its end, and unless does not', () => {
    expect(explainVerdict(door, until(state('closed'), state('open')))).toBe('| wait');
    expect(explainVerdict(door, unless(state('closed'), state('open')))).toBe('proven');
    expect(explainVerdict(door, until(state('closed'), state('open')), [event('open')])).toBe('proven');
    expect(explainVerdict(task, unless(state('idle', 'first'), state('done')))).toBe('start day');
  });

  it('PR6: next looks at the position after one step, and previously at the one before', () => {
    expect(explainVerdict(door, next(state('closed')))).toBe('open');
    expect(explainVerdict(door, always(when(event('close'), state('closed'))))).toBe('proven');
    expect(explainVerdict(task, always(when(state('second'), previously(state('first')))))).toBe('start day start');
    expect(explainVerdict(task, always(when(all(state('second'), event('day')), previously(state('first')))))).toBe(
      'proven',
    );
    expect(explainVerdict(door, previously(state('closed')))).toBe('');
  });

  it('PR7: before allows the second only after the first', () => {
    expect(explainVerdict(task, precedes(state('first'), state('done')))).toBe('proven');
    expect(explainVerdict(task, precedes(state('third'), state('done')))).toBe('start finish');
    expect(explainVerdict(door, precedes(state('closed'), state('open')))).toBe('proven');
    expect(explainVerdict(door, precedes(event('open'), state('open')))).toBe('open');
  });

  it('PR8: a time limit includes its last day, and ends with the next one', () => {
    const within = (days: number) => always(when(event('start'), eventually(state('done'), { days })));
    const startsOnce = always(when(all(event('start'), state('first')), eventually(state('done'), { days: 3 })));
    expect(explainVerdict(task, startsOnce)).toBe('proven');
    expect(explainVerdict(task, within(2))).toBe('start day day day');
    expect(explainVerdict(task, within(0))).toBe('start day');
  });

  it('PR9: always for some days ends after them', () => {
    const quiet = (days: number) =>
      always(when(all(event('start'), state('first')), always(not(state('third')), { days })));
    expect(explainVerdict(task, quiet(1))).toBe('proven');
    expect(explainVerdict(task, quiet(2))).toBe('start day day');
  });

  it('PR10: at most n times counts between the start and the end, without both', () => {
    const counted = (max: number) => atMostTimes(max, event('attempt'), event('reset'), event('reset'));
    expect(explainVerdict(attempts, counted(3))).toBe('reset attempt attempt attempt attempt');
    expect(explainVerdict(attempts, atMostTimes(2, event('reset'), event('attempt'), event('attempt')))).toBe(
      'attempt reset reset reset',
    );
    const limited = atMostTimes(
      3,
      all(event('attempt'), not(previously(state('three')))),
      event('reset'),
      event('reset'),
    );
    expect(explainVerdict(attempts, limited)).toBe('proven');
  });

  it('PR11: not, all, any and when combine formulas over time', () => {
    expect(explainVerdict(door, not(always(state('closed'))))).toBe('| wait');
    expect(explainVerdict(door, any(always(state('closed')), eventually(state('open'))))).toBe('proven');
    expect(explainVerdict(door, all(always(state('closed', 'open')), eventually(state('open'))))).toBe('| wait');
    const recurs = always(eventually(state('open')));
    expect(explainVerdict(door, when(recurs, always(eventually(state('closed')))))).toBe('open | open');
    // The cycle is the shortest one of the product with the automaton, not of the machine.
    expect(explainVerdict(door, when(always(eventually(event('close'))), recurs))).toBe('| close wait');
  });

  it('PR12: a property whose conditions never occur is vacuous, and no proof', () => {
    const never3 = createSystem({ one: { go: 'two' }, two: {} });
    expect(explainVerdict(never3, always(when(all(state('one'), event('go')), state('two'))))).toBe('vacuous');
    expect(explainVerdict(never3, always(when(event('go'), state('two'))))).toBe('proven');
  });

  it('PR13: an action counts where it takes place, and results name the search', () => {
    expect(explainVerdict(door, never(action('open')))).toBe('open');
    const result = checkFormula(door, always(when(state('open'), eventually(state('closed')))));
    expect(result).toMatchObject({ kind: 'liveness', states: 2, verdict: 'violated' });
    expect(checkFormula(door, always(state('closed', 'open')))).toMatchObject({ kind: 'safety', visited: 2 });
  });
});
