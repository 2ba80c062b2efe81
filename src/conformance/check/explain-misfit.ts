import { type LogEventKind, logEventKinds } from '../../contract/conformance.schema.ts';
import type { Misfit, NearestFit } from '../../contract/conformance-report.ts';
import { type CampaignModel, silentKinds } from '../model/campaign-model.ts';
import type { Hypothesis } from '../model/hypothesis.ts';
import { noFacts, type UserEvent } from '../model/log-event.ts';
import type { Rejection, RejectionCode } from '../model/rejection.ts';
import { describeState, toShownInstant } from './describe-state.ts';

/** Maximum number of states that an explanation lists. */
export const statesMax = 5;

/** Maximum number of changes that an explanation lists. */
export const nearestMax = 6;

/** Codes from the least specific one: a rejection with a later code comes from a hypothesis that admitted more. */
export const codesByWeight: readonly RejectionCode[] = [
  'time-goes-back',
  'prompt-still-open',
  'no-prompt-open',
  'prompt-expired',
  'page-not-open',
  'too-many-prompts',
  'prompt-suppressed',
  'not-blocked',
  'prompt-due',
  'must-be-blocked',
  'prompt-must-be-required',
  'prompt-must-be-skippable',
  'skip-allowed',
  'skip-not-allowed',
  'limit-differs',
  'days-differ',
  'snoozes-left-differ',
  'count-differs',
];

/** Chooses the rejection that explains an impossible event: fewest missing events, then the most specific one. */
export function chooseRejection(model: CampaignModel, before: readonly Hypothesis[], event: UserEvent): Rejection {
  const found: Rejection[] = [];
  model.observe(before, event, found);
  const weight = ({ code }: Rejection): number => codesByWeight.indexOf(code);
  let best = found[0] as Rejection;
  for (const one of found) {
    const fewer = one.hypothesis.missing - best.hypothesis.missing;
    if (fewer < 0 || (fewer === 0 && weight(one) > weight(best))) best = one;
  }
  return best;
}

/** Explains an impossible event: the states before it, what the model allows, and the nearest behavior that fits. */
export function explainMisfit(
  model: CampaignModel,
  before: readonly Hypothesis[],
  event: UserEvent,
  { rule, code }: Rejection,
): Misfit {
  const { user, line, lo, hi, kinds } = event;
  const possible = [...new Set(before.map((h) => describeState(h, lo, model)))];
  const allowed = logEventKinds.filter(
    (kind) => model.observe(before, { ...event, kinds: [kind], facts: noFacts }).length > 0,
  );
  const sentence = sentences[code](kinds.join(' or '));
  return {
    user,
    line,
    at: toShownInstant(lo),
    until: toShownInstant(hi),
    event: kinds,
    rule,
    code,
    sentence,
    possible: possible.slice(0, statesMax),
    allowed,
    nearest: findNearest(model, before, event, allowed).slice(0, nearestMax),
  };
}

/** Sentences of the codes for an event. */
export const sentences: Readonly<Record<RejectionCode, (event: string) => string>> = {
  'time-goes-back': (event) => `${event} is earlier than the event before it.`,
  'prompt-suppressed': (event) => `${event}: a rule suppresses the prompt.`,
  'prompt-must-be-required': (event) => `${event}: no snoozes are left, so the prompt must be required.`,
  'prompt-must-be-skippable': (event) => `${event}: the prompt must be skippable.`,
  'prompt-due': (event) => `${event}: the user must be prompted.`,
  'must-be-blocked': (event) => `${event}: the sign-in must be blocked.`,
  'too-many-prompts': (event) => `${event}: the user has as many open prompts as are possible.`,
  'no-prompt-open': (event) => `${event}: no prompt is open.`,
  'prompt-expired': (event) => `${event}: the prompt has expired.`,
  'page-not-open': (event) => `${event}: the page of the prompt has no such action.`,
  'skip-not-allowed': (event) => `${event}: no snoozes are left, so a skip is rejected.`,
  'skip-allowed': (event) => `${event}: the skip must be accepted.`,
  'prompt-still-open': (event) => `${event}: the prompt is open, so a skip counts.`,
  'count-differs': (event) => `${event}: the snooze count differs.`,
  'snoozes-left-differ': (event) => `${event}: the snoozes left differ.`,
  'days-differ': (event) => `${event}: the snooze duration differs from the policy.`,
  'not-blocked': (event) => `${event}: no rule blocks the sign-in.`,
  'limit-differs': (event) => `${event}: the snooze limit differs from the policy.`,
};

/** Kinds that do not take place on the pages of a sign-in. */
const elsewhere: readonly LogEventKind[] = ['reset', 'registered-elsewhere', 'method-removed'];

/** Kinds of sign-ins. */
export const signIns: readonly LogEventKind[] = [
  'prompt-skippable',
  'prompt-required',
  'not-prompted',
  'signed-in',
  'blocked',
];

/** Finds single changes after which the event is possible: another event, value or time, a missing event, or no event. */
function findNearest(
  model: CampaignModel,
  before: readonly Hypothesis[],
  event: UserEvent,
  allowed: readonly LogEventKind[],
): readonly NearestFit[] {
  const isSignIn = event.kinds.some((kind) => signIns.includes(kind));
  const outcomes = allowed
    .filter((kind) => signIns.includes(kind) === isSignIn && !event.kinds.includes(kind) && !elsewhere.includes(kind))
    .filter((kind) => model.observe(before, { ...event, kinds: [kind] }).length > 0)
    .map((kind): NearestFit => ({ edit: 'another-event', kind }));
  const count = findCount(model, before, event);
  const time = findTime(model, before, event);
  const inserted = silentKinds
    .filter((kind) => model.observe(model.insert(before, kind, event.hi), event).length > 0)
    .map((kind): NearestFit => ({ edit: 'missing-event', kind }));
  return [...count, ...outcomes, ...time, ...inserted, { edit: 'dropped' }];
}

/** Finds the count nearest to the stated one that the model allows. */
function findCount(model: CampaignModel, before: readonly Hypothesis[], event: UserEvent): readonly NearestFit[] {
  const { count } = event.facts;
  if (count === null) return [];
  const counts = model
    .observe(before, { ...event, facts: { ...event.facts, count: null, left: null } })
    .map((h) => h.count);
  const [nearest] = counts.toSorted((a, b) => Math.abs(a - count) - Math.abs(b - count) || a - b);
  return nearest === undefined || nearest === count ? [] : [{ edit: 'another-value', fact: 'count', value: nearest }];
}

/** Finds the time nearest to the stated one at which the event is possible. */
function findTime(model: CampaignModel, before: readonly Hypothesis[], event: UserEvent): readonly NearestFit[] {
  const { lo, hi } = event;
  const { snoozeDays } = model.campaignAt(lo);
  const { dayMs, promptLifetimeMs } = model.ruleset.limits;
  const times = before.flatMap((h) => [
    h.fromMs,
    ...(h.shape.snoozed
      ? [h.snoozeLo + snoozeDays * dayMs, h.snoozeHi + snoozeDays * dayMs, h.snoozeLo + snoozeDays * dayMs - 1]
      : []),
    ...h.prompts.flatMap(({ shownHi }) => [shownHi, shownHi + promptLifetimeMs - 1, shownHi + promptLifetimeMs]),
  ]);
  const distance = (atMs: number): number => (atMs > hi ? atMs - hi : lo - atMs);
  const candidates = [...new Set(times)].filter((atMs) => Number.isFinite(atMs) && (atMs < lo || atMs > hi));
  for (const atMs of candidates.toSorted((a, b) => distance(a) - distance(b))) {
    if (model.observe(model.before(before, atMs), { ...event, lo: atMs, hi: atMs }).length === 0) continue;
    return [{ edit: 'another-time', at: toShownInstant(atMs), byMs: atMs > hi ? atMs - hi : atMs - lo }];
  }
  return [];
}
