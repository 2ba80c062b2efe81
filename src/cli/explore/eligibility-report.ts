import type { EligibilityReport } from '../../generate/exploration/eligibility.ts';
import type { Palette } from '../../report/palette.ts';

/** Name of the eligibility combinations on the command line. */
export const eligibilityName = 'eligibility';

/**
 * Formats the eligibility report of one ruleset for a terminal. The elapsed time of all rulesets is in
 * milliseconds.
 */
export function eligibilityText(
  { ruleset, combinations, verdicts, sampled, differing }: EligibilityReport,
  elapsedMs: number,
  { strong, good, bad, faint }: Palette,
): string {
  const counted = verdicts.toSorted((one, other) => other.count - one.count);
  const lines = [
    `${strong(eligibilityName)}, ruleset ${ruleset}: ${grouped(combinations)} combinations, ${faint(`${elapsedMs} ms`)}`,
    ...counted.map(
      ({ outcome, reason, count }) => `  ${grouped(count).padStart(13)}  ${reason ?? `asked, ${outcome}`}`,
    ),
    `  ${differing === 0 ? good('holds ') : bad('BROKEN')} ${grouped(sampled)} sampled verdicts compared with the evaluator, ${grouped(differing)} differ`,
  ];
  return `${lines.join('\n')}\n`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-GB');
}
