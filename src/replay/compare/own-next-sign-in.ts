import { demandAt, evaluateOwn, type OwnInput } from '../../../machines/own/evaluate-own.ts';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { collectInput } from '../../../machines/own/own-state.ts';
import { settleOwnCloses } from '../../journal/own-campaign-events.ts';
import { toOwnUser } from '../../journal/own-campaign-facts.ts';
import { settleEndedPrompts } from '../../journal/prompts.ts';
import type { OwnReplay } from './own-replay.ts';

/** Gates that stop only until a time, or until another session. */
const waitingGates: readonly string[] = ['X.session', 'X.cadence'];

/** Numbers of users by the outcome of their next sign-in. */
export interface NextSignIns {
  readonly required: { readonly users: number; readonly stillSnoozing: number };
  readonly blocked: number;
}

/**
 * Counts the users whose next sign-in would be required or blocked if it equals their last one (A46). One replay provides
 * users and ledgers, the other one the ruleset. Settles the prompts of the users, so the replay ends with it.
 */
export function countNextSignIns({ state }: OwnReplay, policy: OwnReplay, nowMs: number): NextSignIns {
  settleEndedPrompts(state, nowMs);
  const { ruleset } = policy;
  const { tenant, users } = policy.state.own;
  const given = { ruleset, tenant, users, ledger: state.own.ledger, edition: policy.state.own.edition };
  let [required, stillSnoozing, blocked] = [0, 0, 0];
  for (const [id] of state.own.users.entries()) {
    settleOwnCloses(state, id, nowMs);
    const lastAttempt = users.get(id)?.lastAttempt ?? null;
    const record = state.users.get(id);
    if (lastAttempt === null || record === undefined) continue;
    const { createdAtMs, signInTimesMs } = state.own.users.keep(id);
    const user = toOwnUser(record.facts, ruleset);
    const owner = { user, createdAtMs, signInTimesMs, prompts: [], ended: new Map(), lastAttempt } as const;
    const input = collectInput(given, { ...owner, status: 'notPrompted' }, { ...lastAttempt, nowMs });
    const next = classifyNext(ruleset, input);
    if (next === 'required') required += 1;
    else if (next === 'blocked') blocked += 1;
    else if (next === 'stillSnoozing') stillSnoozing += 1;
  }
  return { required: { users: required, stillSnoozing }, blocked };
}

/** Returns what a next sign-in would be, or `null` for one that is neither required nor blocked now or after a snooze. */
export function classifyNext(ruleset: OwnRuleset, input: OwnInput): 'required' | 'blocked' | 'stillSnoozing' | null {
  const { outcome, rules } = evaluateOwn(ruleset, input);
  if (outcome === 'required' || outcome === 'blocked') return outcome;
  const stops = rules.filter((rule) => rule.outcome === 'stopped');
  const waits = outcome === 'none' && stops.every((stop) => waitingGates.includes(stop.id));
  return waits && demandAt(ruleset, input) === 'required' ? 'stillSnoozing' : null;
}
