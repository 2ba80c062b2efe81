import { formatCount } from '../../core/format-count.ts';
import type { SizeProof } from '../../generate/generation.ts';

/** Formats the known size and coverage of a suite in one or two lines. */
export function certificateLines(certificate: SizeProof): readonly string[] {
  const { of, covered, tests, steps, cost, lowerBound, gap } = certificate;
  const size = `${formatCount(tests, 'test')}, ${formatCount(steps, 'step')}; covered: ${covered} ${of}`;
  if (lowerBound === null || gap === null) return [size];
  const proof =
    gap === 0 ? 'proven optimal' : `optimality gap ${gap}: at most ${percent(gap, lowerBound)} above the optimum`;
  return [size, `cost ${cost}, lower bound ${lowerBound}, ${proof}`];
}

function percent(gap: number, lowerBound: number): string {
  return `${((100 * gap) / Math.max(1, lowerBound)).toFixed(1)} %`;
}
