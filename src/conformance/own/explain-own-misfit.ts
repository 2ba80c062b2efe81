import { isDataGate, isModuleGate, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { getOwnUser } from '../../../machines/own/own-state.ts';
import { type LogEventKind, logEventKinds } from '../../contract/conformance.schema.ts';
import type { Misfit, NearestFit } from '../../contract/conformance-report.ts';
import { formatCount } from '../../core/format-count.ts';
import { toShownInstant } from '../check/describe-state.ts';
import { codesByWeight, nearestMax, sentences, signIns, statesMax } from '../check/explain-misfit.ts';
import { silentKinds } from '../model/campaign-model.ts';
import { noFacts, type UserEvent } from '../model/log-event.ts';
import type { Interval } from './open-past.ts';
import type { OwnLogModel } from './own-log-model.ts';
import { type OwnHypothesis, type OwnRejection, ownLogUser } from './own-steps.ts';

/** Kinds that do not take place on the pages of a sign-in. */
const elsewhere: readonly LogEventKind[] = ['reset', 'registered-elsewhere', 'method-removed'];

/** Chooses the rejection that explains an impossible event: fewest missing events, then the most specific one. */
export function chooseOwnRejection(
  model: OwnLogModel,
  before: readonly OwnHypothesis[],
  event: UserEvent,
): OwnRejection {
  const found: OwnRejection[] = [];
  model.observe(before, event, found);
  const sorted = found.toSorted(
    (a, b) =>
      a.hypothesis.missing - b.hypothesis.missing || codesByWeight.indexOf(b.code) - codesByWeight.indexOf(a.code),
  );
  return sorted[0] as OwnRejection;
}

/** Describes the situation of an impossible event, which is the same for all users in it. */
export function describeOwnPattern(model: OwnLogModel, { hypothesis }: OwnRejection, { kinds, lo }: UserEvent): string {
  return `${kinds.join(' or ')} while ${describeSituation(model, hypothesis, lo)}`;
}

/** Explains an impossible event: the states before it, what the ruleset allows, and the nearest behavior that fits. */
export function explainOwnMisfit(
  model: OwnLogModel,
  before: readonly OwnHypothesis[],
  event: UserEvent,
  { rule, code }: OwnRejection,
): Misfit {
  const { user, line, lo, hi, kinds } = event;
  const possible = [...new Set(before.map((h) => describeOwnState(model, h, lo)))];
  const allowed = logEventKinds.filter(
    (kind) => model.observe(before, { ...event, kinds: [kind], facts: noFacts }).length > 0,
  );
  return {
    user,
    line,
    at: toShownInstant(lo),
    until: toShownInstant(hi),
    event: kinds,
    rule,
    code,
    sentence: `${describeOwnProblem({ rule, code }, kinds.join(' or '))}${describeGate(model, rule, lo)}`,
    possible: possible.slice(0, statesMax),
    allowed,
    nearest: findNearest(model, before, event, allowed).slice(0, nearestMax),
  };
}

/** Why the gates that every own ruleset has suppress a prompt. */
const suppressions: ReadonlyMap<string, string> = new Map([
  ['X.trigger', 'this kind of sign-in shows no prompt'],
  ['X.rollout', 'the rollout does not reach this user or sign-in'],
  ['X.done', 'what the prompt is for is already done'],
  ['X.window', 'the campaign is not open at this time'],
  ['X.never', 'the user has turned the prompt down for good, or reached the limit'],
  ['X.session', 'the prompt was answered in this session'],
  ['X.cadence', 'the next prompt is not due yet'],
]);

/** Describes what an event contradicts, by the rule, the gate or the key of the ruleset file. */
export function describeOwnProblem({ rule, code }: Pick<OwnRejection, 'rule' | 'code'>, event: string): string {
  const by = rule === null ? 'ruleset' : `key ${rule}`;
  switch (code) {
    case 'prompt-suppressed':
      return `${event}: ${suppressions.get(rule ?? '') ?? 'a gate suppresses the prompt'}.`;
    case 'prompt-due':
      return `${event}: every gate lets the prompt through, so the user must be prompted.`;
    case 'must-be-blocked':
      return `${event}: the ${by} blocks the sign-in.`;
    case 'prompt-must-be-required':
      return `${event}: the ${by} demands the registration, so the prompt must be required.`;
    case 'prompt-must-be-skippable':
      return `${event}: nothing in the ruleset demands the registration, so the prompt must be skippable.`;
    default:
      return sentences[code](event);
  }
}

/** Adds what the gate requires that suppressed a prompt. */
function describeGate({ ruleset }: OwnLogModel, rule: string | null, atMs: number): string {
  const gate = rulesAt(ruleset, atMs).gates.find((one) => (isDataGate(one) || isModuleGate(one)) && one.id === rule);
  return gate !== undefined && typeof gate === 'object' ? ` ${gate.id} requires: ${gate.summary}` : '';
}

function describeSituation(model: OwnLogModel, h: OwnHypothesis, atMs: number): string {
  const { state, nextPromptAtMs } = model.status(h, Math.max(atMs, h.fromMs));
  const [prompt] = getOwnUser(h.state, ownLogUser).prompts;
  const page =
    prompt === undefined
      ? ''
      : `, ${prompt.phase === 'offered' ? (prompt.required ? 'required prompt' : 'prompt') : prompt.phase} ${prompt.leftAtMs === null ? 'open' : 'closed'}`;
  const waits = nextPromptAtMs !== null && nextPromptAtMs > atMs ? ', waiting' : '';
  const name = state === 'notPrompted' && model.isDone(h, Math.max(atMs, h.fromMs)) ? 'registered' : state;
  return `${stateNames[name]}, ${describeSnoozes(model.readSnoozes(h).count)}${waits}${page}`;
}

function describeSnoozes(count: Interval | null): string {
  if (count === null) return 'any number of snoozes';
  if (count.lo === count.hi) return formatCount(count.lo, 'snooze');
  return Number.isFinite(count.hi)
    ? `${count.lo} to ${count.hi} snoozes`
    : `at least ${formatCount(count.lo, 'snooze')}`;
}

const stateNames = {
  notPrompted: 'not prompted',
  prompted: 'prompted',
  snoozed: 'snoozed',
  registrationRequired: 'registration required',
  registered: 'registered',
} as const;

function describeOwnState(model: OwnLogModel, h: OwnHypothesis, atMs: number): string {
  const { nextPromptAtMs } = model.status(h, Math.max(atMs, h.fromMs));
  const until =
    nextPromptAtMs !== null && model.readSnoozes(h).isTimed ? ` until ${toShownInstant(nextPromptAtMs)}` : '';
  const missing = h.missing > 0 ? `, with ${formatCount(h.missing, 'missing event')}` : '';
  return `${describeSituation(model, h, atMs)}${until}${missing}`;
}

/** Finds single changes after which the event is possible: another event, value or time, a missing event, or no event. */
function findNearest(
  model: OwnLogModel,
  before: readonly OwnHypothesis[],
  event: UserEvent,
  allowed: readonly LogEventKind[],
): readonly NearestFit[] {
  const isSignIn = event.kinds.some((kind) => signIns.includes(kind));
  const outcomes = allowed
    .filter((kind) => signIns.includes(kind) === isSignIn && !event.kinds.includes(kind) && !elsewhere.includes(kind))
    .filter((kind) => model.observe(before, { ...event, kinds: [kind] }).length > 0)
    .map((kind): NearestFit => ({ edit: 'another-event', kind }));
  const inserted = silentKinds
    .filter((kind) => model.observe(model.insert(before, kind, event.hi), event).length > 0)
    .map((kind): NearestFit => ({ edit: 'missing-event', kind }));
  return [
    ...findCount(model, before, event),
    ...outcomes,
    ...findTime(model, before, event),
    ...inserted,
    { edit: 'dropped' },
  ];
}

/** Finds the count nearest to the stated one that the ruleset allows. */
function findCount(model: OwnLogModel, before: readonly OwnHypothesis[], event: UserEvent): readonly NearestFit[] {
  const { count } = event.facts;
  if (count === null) return [];
  const counts = model.observe(before, { ...event, facts: noFacts }).map((h) => model.status(h).snoozes);
  const [nearest] = counts.toSorted((a, b) => Math.abs(a - count) - Math.abs(b - count) || a - b);
  return nearest === undefined || nearest === count ? [] : [{ edit: 'another-value', fact: 'count', value: nearest }];
}

/** Finds the time nearest to the stated one at which the event is possible. */
function findTime(model: OwnLogModel, before: readonly OwnHypothesis[], event: UserEvent): readonly NearestFit[] {
  const { lo, hi } = event;
  const times = before.flatMap((h) => {
    const fromMs = Number.isFinite(h.fromMs) ? h.fromMs : lo;
    return [h.fromMs, ...model.listChanges(h, fromMs).flatMap((atMs) => [atMs - 1, atMs])];
  });
  const distance = (atMs: number): number => (atMs > hi ? atMs - hi : lo - atMs);
  const candidates = [...new Set(times)].filter((atMs) => Number.isFinite(atMs) && (atMs < lo || atMs > hi));
  for (const atMs of candidates.toSorted((a, b) => distance(a) - distance(b))) {
    if (model.observe(model.before(before, atMs), { ...event, lo: atMs, hi: atMs }).length === 0) continue;
    return [{ edit: 'another-time', at: toShownInstant(atMs), byMs: atMs > hi ? atMs - hi : atMs - lo }];
  }
  return [];
}
