import { rules as gates } from '../../machines/rules/rule-registry.ts';
import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import { ruleSentence, type SnoozeUse, snoozeSentence, verdictHeadline } from '../../machines/verdict-sentences.ts';
import type { ReasonCode, Verdict, VerdictOutcome } from '../../machines/vocabulary.ts';
import type { Mismatch } from '../contract/result.schema.ts';
import type { ObservedNudgeStatus } from './driver.ts';

/** Names of the pages and outcomes that a verdict decides, as a scenario expects them. */
const expectedNames: Readonly<Record<string, string>> = {
  prompt: 'a prompt that the user may skip',
  skippable: 'a prompt that the user may skip',
  required: 'a required prompt',
  'not-nudged': 'no prompt',
  none: 'no prompt',
};

/** Values of a step that explain its mismatches. */
export interface StepFacts {
  readonly verdict: Verdict | null;
  readonly nudgeStatus: ObservedNudgeStatus | null;
}

/**
 * Adds the expected and actual results to mismatches, in the words of the rules. The first mismatch about the verdict
 * says what decided it; later ones would repeat it.
 *
 * @param mismatches - mismatches of one step
 * @param facts - verdict and nudge status after the step
 */
export function explainMismatches(mismatches: readonly Mismatch[], facts: StepFacts): readonly Mismatch[] {
  const decided = mismatches.findIndex(({ key }) => key === 'page' || key === 'outcome' || key === 'reason');
  const snoozes = mismatches.findIndex(({ key }) => key === 'snoozes' || key === 'snoozesLeft');
  return mismatches.map((mismatch, index) => {
    if (mismatch.message !== undefined) return mismatch;
    const message =
      index === decided ? describeVerdict(mismatch, facts) : index === snoozes ? describeSnoozes(facts) : null;
    return message === null ? mismatch : { ...mismatch, message };
  });
}

function describeVerdict({ key, expected }: Mismatch, { verdict, nudgeStatus }: StepFacts): string | null {
  if (verdict === null) return null;
  const actual = describeOutcome(verdict, nudgeStatus);
  if (key === 'reason') {
    const rule = typeof expected === 'string' ? describeRule(expected as ReasonCode, verdict) : null;
    const wanted = expected === null ? 'Expected a prompt.' : `Expected no prompt because of ${String(expected)}.`;
    return [wanted, actual, rule].filter((sentence) => sentence !== null).join(' ');
  }
  const name = expectedNames[String(expected)];
  return name === undefined ? null : `Expected ${name}. ${actual}`;
}

/** Describes what the verdict led to, and what decided it. */
function describeOutcome(verdict: Verdict, nudgeStatus: ObservedNudgeStatus | null): string {
  const { outcome } = verdict;
  if (outcome === 'none') return verdictHeadline(verdict);
  const snoozes = findSnoozes(verdict, nudgeStatus);
  if (snoozes === null) return `${verdictHeadline(verdict)}.`;
  return `${headlines[outcome]}: ${snoozeSentence(snoozes)}`;
}

const headlines: Readonly<Record<Exclude<VerdictOutcome, 'none'>, string>> = {
  skippable: 'The user may skip the prompt',
  required: 'Registration is required',
  blocked: 'The sign-in is blocked',
};

/** Describes why the rule of an expected reason did not stop the prompt, or `null` if it was not evaluated. */
function describeRule(reason: ReasonCode, { rules }: Verdict): string | null {
  const ids = gates.filter(({ reasons }) => reasons.includes(reason)).map(({ id }) => id);
  const sentences = rules
    .filter(({ id, outcome }) => ids.includes(id) && outcome !== 'stopped')
    .map((rule) => `${rule.id}: ${ruleSentence(rule)}`);
  return sentences.length === 0 ? null : sentences.join(' ');
}

function describeSnoozes({ verdict, nudgeStatus }: StepFacts): string | null {
  if (nudgeStatus === null) return null;
  const { snoozes: used, snoozesLeft: left } = nudgeStatus;
  const known = verdict === null ? null : findSnoozes(verdict, nudgeStatus);
  return snoozeSentence(known ?? { used, limit: left === null ? null : used + left });
}

function findSnoozes({ campaign, ruleset }: Verdict, nudgeStatus: ObservedNudgeStatus | null): SnoozeUse | null {
  if (nudgeStatus === null) return null;
  const limit = rulesets.get(ruleset)?.limits.snoozeLimit ?? null;
  return { used: nudgeStatus.snoozes, limit: campaign.limited ? limit : null };
}
