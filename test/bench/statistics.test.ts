import { describe, expect, it } from 'vitest';
import { runCalibrationLoop } from '../../bench/calibrate.ts';
import { formatRatio, pairedAtLeast, pairedAtMost, parseTimes, rowText, withinLimit } from '../../bench/measure.ts';
import { computePairedRatio, decide, median } from '../../bench/statistics.ts';

describe('statistics of benchmarks', () => {
  it('the median of an even number of figures is between the middle two', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([5, 1, 3])).toBe(3);
  });

  it('the ratio is the geometric mean of the pairs, with the interval of Student for their logarithms', () => {
    // By hand: the logarithms are 0, ln 2 and ln 4; mean ln 2, standard error ln 2 / √3, t of two degrees 4.303.
    const { ratio, interval } = computePairedRatio([
      { ours: 1, theirs: 1 },
      { ours: 20, theirs: 10 },
      { ours: 400, theirs: 100 },
    ]);
    expect(ratio).toBeCloseTo(2, 12);
    expect(interval?.low).toBeCloseTo(2 * 2 ** (-4.303 / Math.sqrt(3)), 6);
    expect(interval?.high).toBeCloseTo(2 * 2 ** (4.303 / Math.sqrt(3)), 6);
  });

  it('a change of the machine that affects both programs of a pair leaves the interval narrow', () => {
    const pairs = [1, 10, 3, 0.5, 7].map((slowness) => ({ ours: 20 / slowness, theirs: 10 / slowness }));
    const { ratio, interval } = computePairedRatio(pairs);
    expect(ratio).toBeCloseTo(2, 12);
    expect(interval?.low).toBeCloseTo(2, 6);
    expect(interval?.high).toBeCloseTo(2, 6);
  });

  it('one round has no interval, so its ratio decides', () => {
    const paired = computePairedRatio([{ ours: 3, theirs: 2 }]);
    expect(paired.interval).toBeNull();
    expect(decide(paired, '≥', 1.5)).toBe('reached');
    expect(decide(paired, '≥', 1.6)).toBe('missed');
  });

  it.for([
    ['≥', 1, 'reached'],
    ['≥', 2, 'undecided'],
    ['≥', 4, 'missed'],
    ['≤', 4, 'reached'],
    ['≤', 2, 'undecided'],
    ['≤', 1, 'missed'],
  ] as const)('an interval from 1.5 to 3 against %s %d is %s', ([way, bar, decision]) => {
    expect(decide({ ratio: 2, interval: { low: 1.5, high: 3 } }, way, bar)).toBe(decision);
  });

  it('a row shows its interval and its decision', () => {
    const noisy = { ours: [10, 30], theirs: [10, 10] };
    expect(pairedAtLeast(1.5, 'noisy', noisy, 'x/s')).toMatchObject({ reached: false, decision: 'undecided' });
    const steady = pairedAtMost(3, 'steady', { ours: [20, 20], theirs: [10, 10] }, 'ms');
    expect(formatRatio(steady)).toBe('2.00 (2.00–2.00)');
    expect(rowText(steady)).toBe('reached    steady: 20.0 ms against 10.0: 2.00 (2.00–2.00) × (bar ≤ 3 ×)');
    expect(withinLimit(100, 'memory', 150, 'MiB')).toMatchObject({ ratio: 1.5, bar: '≤ 1 ×', reached: false });
  });

  it('rounds without a counterpart are refused', () => {
    expect(() => pairedAtLeast(1, 'odd', { ours: [1, 2], theirs: [1] }, 'x/s')).toThrow('2 rounds have 1');
  });

  it('the processor time of children is the second line of the command times', () => {
    expect(parseTimes('0m0.010s 0m0.020s\n1m2.500s 0m0.250s\n')).toBeCloseTo(62_750, 6);
  });

  it('the calibration loop is fixed work: a seed gives the same result', () => {
    expect(runCalibrationLoop(1)).toBe(339_971_635);
    expect(runCalibrationLoop(2)).toBe(-1_194_781_351);
  });
});
