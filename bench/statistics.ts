/** Statistics of benchmark rows. All functions depend only on their arguments. */

/** Confidence interval of a ratio. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Figures of rounds in which both programs ran one after the other. */
export interface Pair {
  readonly ours: number;
  readonly theirs: number;
}

/** Ratio over paired rounds. */
export interface PairedRatio {
  /** Geometric mean of the ratios. */
  readonly ratio: number;
  /** Interval of that mean with 95 % confidence; `null` for fewer than two rounds. */
  readonly interval: Interval | null;
}

/** What an interval says about a target. */
export type Decision = 'reached' | 'missed' | 'undecided';

/** Quantiles of Student's t at 97.5 %, from 1 degree of freedom on. */
const tQuantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** Computes the median of the given figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Computes the ratio over paired rounds, with Student's t interval of the logarithms of their ratios. Both programs of
 * a pair meet the same state of the machine, so its slow changes cancel out.
 */
export function computePairedRatio(pairs: readonly Pair[]): PairedRatio {
  const logs = pairs.map(({ ours, theirs }) => Math.log(ours / theirs));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  if (logs.length < 2) return { ratio: Math.exp(mean), interval: null };
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const t = tQuantiles[logs.length - 2] ?? (tQuantiles.at(-1) as number);
  const half = t * Math.sqrt(variance / logs.length);
  return { ratio: Math.exp(mean), interval: { low: Math.exp(mean - half), high: Math.exp(mean + half) } };
}

/** Decides whether a ratio reaches a target. An interval that contains values on both sides of it decides nothing. */
export function decide({ ratio, interval }: PairedRatio, way: '≥' | '≤', bar: number): Decision {
  const { low, high } = interval ?? { low: ratio, high: ratio };
  const [worst, best] = way === '≥' ? [low, high] : [-high, -low];
  const limit = way === '≥' ? bar : -bar;
  if (worst >= limit) return 'reached';
  return best < limit ? 'missed' : 'undecided';
}
