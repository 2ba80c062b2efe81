import type { RejectionCode } from '../../contract/conformance-report.ts';
import type { Hypothesis } from './hypothesis.ts';
import type { SignInVerdict } from './verdict-table.ts';

export type { RejectionCode } from '../../contract/conformance-report.ts';

/** Reason why an event is impossible in a hypothesis. */
export interface Rejection {
  /** Id of the rule or assumption; `null` for an order of times that no rule is about. */
  readonly rule: string | null;
  readonly code: RejectionCode;
  readonly hypothesis: Hypothesis;
}

/** Receives the reasons of impossible steps; `null` if they are not needed. */
export type Collect = Rejection[] | null;

/** Kinds of sign-ins that the rules decide about. */
export type SignInKind = 'prompt-skippable' | 'prompt-required' | 'not-prompted' | 'blocked';

/**
 * Compares what a log states about a sign-in with the verdict of the rules.
 * @param snoozed - `true` if the user has a stored snooze
 * @returns what differs, or `null`
 */
export function compareVerdict(
  kind: SignInKind,
  { outcome, rule }: SignInVerdict,
  snoozed: boolean,
): Pick<Rejection, 'rule' | 'code'> | null {
  if (kind !== 'blocked' && outcome === 'blocked') return { rule, code: 'must-be-blocked' };
  if (kind === 'blocked') return outcome === 'blocked' ? null : { rule, code: 'not-blocked' };
  if (kind === 'not-prompted') {
    if (outcome === 'none') return null;
    return { rule: outcome === 'required' ? 'R6' : snoozed ? 'R5' : 'R1', code: 'prompt-due' };
  }
  if (outcome === 'none') return { rule, code: 'prompt-suppressed' };
  const wanted = kind === 'prompt-required' ? 'required' : 'skippable';
  if (outcome === wanted) return null;
  return { rule: 'R6', code: outcome === 'required' ? 'prompt-must-be-required' : 'prompt-must-be-skippable' };
}
