import type { EligibilityReport } from '../../generate/exploration/eligibility.ts';
import type { Palette } from '../../report/palette.ts';

/** The name by which the command knows the combinations of eligibility. */
export const eligibilityName = 'eligibility';

/** Eligibility under one ruleset, for a terminal. Takes the report, and the time that all rulesets took in ms. */
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
    `  ${differing === 0 ? good('holds ') : bad('BROKEN')} ${grouped(sampled)} sampled verdicts are those of the evaluator, ${grouped(differing)} differ`,
  ];
  return `${lines.join('\n')}\n`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-GB');
}
