import { rules as gates } from '../../machines/rules/rule-registry.ts';
import type { CoverageReport, RuleCoverage } from '../contract/result.schema.ts';

/** Rule with an outcome that no scenario produced. */
export interface CoverageGap {
  readonly id: string;
  readonly missing: 'met' | 'stopped' | 'seen';
}

/** Gates that can never stop a prompt, because they are permissions. */
const permitting: ReadonlySet<string> = new Set(
  gates.filter(({ reasons }) => reasons.length === 0).map(({ id }) => id),
);

/** Lists the rule outcomes that did not occur in a run. */
export function coverageGaps({ rules }: CoverageReport): readonly CoverageGap[] {
  return rules.flatMap(findGaps);
}

/** Returns true if a rule is counted by outcome. Other rules are only counted as seen. */
export function isGate({ kind }: RuleCoverage): boolean {
  return kind === 'gate' || kind === 'permission';
}

function findGaps(rule: RuleCoverage): readonly CoverageGap[] {
  const { id, met, stopped, observed: seen } = rule;
  if (!isGate(rule)) return seen > 0 ? [] : [{ id, missing: 'seen' }];
  return [
    ...(met > 0 ? [] : [{ id, missing: 'met' } as const]),
    ...(stopped > 0 || permitting.has(id) ? [] : [{ id, missing: 'stopped' } as const]),
  ];
}
