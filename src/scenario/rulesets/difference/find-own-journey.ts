import type { OwnVerdict } from '../../../../machines/own/evaluate-own.ts';
import { OwnCampaign } from '../../../../machines/own/own-campaign.ts';
import type { OwnAttempt } from '../../../../machines/own/own-facts.ts';
import { type DurationOperand, type OwnRules, type OwnRuleset, rulesAt } from '../../../../machines/own/own-ruleset.ts';
import { createOwnState, type OwnState, registeredItems } from '../../../../machines/own/own-state.ts';
import type { Period } from '../../../../machines/own/representatives.ts';
import { TrialFacts, usualNowMs } from '../../../../machines/own/trial-facts.ts';
import { canonicalJson } from '../../../core/canonical-json.ts';
import type { Example } from '../check/search.ts';
import type { Pair } from './compared-space.ts';
import { describeDecision } from './find-own-differences.ts';
import { exampleUser } from './write-example.ts';

/** Step of a journey, as a scenario states it. */
export type JourneyStep = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Shortest journey whose last sign-in gets unlike verdicts. */
export interface OwnJourney {
  /** Steps between and after the first sign-in; sign-ins have no attributes besides those of the first one. */
  readonly steps: readonly JourneyStep[];
  readonly verdicts: Pair<OwnVerdict>;
}

/** Result of a search for a journey. `complete` means that all journeys up to the length were tried. */
export interface JourneySearch {
  readonly journey: OwnJourney | null;
  readonly stepsMax: number;
  readonly complete: boolean;
}

/** Longest journey, and the maximum number of situations of one search. */
const stepsMax = 16;
const situationsMax = 3_000;

/** Situation of both rulesets after the same steps. */
interface Situation {
  readonly states: Pair<OwnState>;
  readonly nowMs: number;
  readonly steps: readonly JourneyStep[];
  readonly signIns: number;
}

/** Searches the shortest journey of one user on which two rulesets give unlike verdicts, in order of its steps. */
export function findOwnJourney(
  rulesets: Pair<OwnRuleset>,
  { facts, period }: { readonly facts: Example; readonly period: Period },
): JourneySearch {
  const [one, other] = rulesets.map(describeRules);
  if (one === other) return { journey: null, stepsMax, complete: true };
  return new JourneyWalk(rulesets, facts, period).run();
}

/** Describes what decides verdicts: everything but words. */
function describeRules({ facts, first, editions }: OwnRuleset): string {
  const withoutWords = ({ reasons: _reasons, screens: _screens, methods, ...rules }: OwnRules): object => ({
    ...rules,
    edition: null,
    kind: methods[rules.ask]?.kind,
    gates: rules.gates.map((gate) => (typeof gate === 'string' ? gate : { ...gate, summary: null, source: null })),
  });
  const later = editions.map(({ fromMs, rules }) => [fromMs, withoutWords(rules)]);
  return canonicalJson([facts, withoutWords(first), later]);
}

class JourneyWalk {
  readonly #rulesets: Pair<OwnRuleset>;
  readonly #facts: Example;
  readonly #startMs: number;
  /** True if a rule reads the times of earlier sign-ins or showings. */
  readonly #readsTimes: boolean;
  readonly #seen = new Set<string>();
  /** Situations by the number of their steps. */
  readonly #queue: Situation[][] = [];
  #best: OwnJourney | null = null;

  constructor(rulesets: Pair<OwnRuleset>, facts: Example, { fromMs, untilMs }: Period) {
    this.#rulesets = rulesets;
    this.#facts = facts;
    const rules = JSON.stringify(rulesets.map(({ first, editions }) => [first, editions]));
    this.#readsTimes = /"kept\.|"signIns":\{/.test(rules);
    const given = facts.get('attempt.nowMs');
    this.#startMs = typeof given === 'number' ? given : Math.min(Math.max(usualNowMs, fromMs), untilMs - 1);
  }

  run(): JourneySearch {
    const [one, other] = this.#rulesets;
    this.#add({ states: [this.#begin(one), this.#begin(other)], nowMs: this.#startMs, steps: [], signIns: 0 });
    let isOver = false;
    for (let length = 0; length < stepsMax; length += 1) {
      if (this.#best !== null && this.#best.steps.length <= length + 1) break;
      for (const situation of this.#queue[length] ?? []) {
        isOver ||= this.#seen.size > situationsMax;
        if (!isOver) this.#expand(situation);
      }
    }
    return { journey: this.#best, stepsMax, complete: !isOver };
  }

  #begin(ruleset: OwnRuleset): OwnState {
    const { tenant, user, kept } = this.#readFacts(ruleset);
    const createdAtMs = this.#facts.has('kept.createdAt') ? kept.createdAtMs : this.#startMs;
    return createOwnState(ruleset, tenant, [{ user: { ...user, id: exampleUser }, createdAtMs }], this.#startMs);
  }

  /** Returns the facts of the example, with the defaults of a ruleset for all others. */
  #readFacts({ facts, first }: OwnRuleset): TrialFacts['facts'] {
    const trial = new TrialFacts();
    const groups = { 'tenant.facts': facts.tenant, 'user.facts': facts.user, 'attempt.facts': facts.attempt };
    for (const [group, definitions] of Object.entries({ ...groups, 'tenant.settings': first.settings })) {
      for (const [name, definition] of Object.entries(definitions)) trial.set(`${group}.${name}`, definition.default);
    }
    for (const [path, value] of this.#facts) trial.set(path, value);
    return trial.facts;
  }

  #add(situation: Situation): void {
    const key = describeSituation(situation, this.#readsTimes);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const length = situation.steps.length;
    this.#queue[length] = [...(this.#queue[length] ?? []), situation];
  }

  #expand(situation: Situation): void {
    for (const waitMs of [0, ...this.#listWaits(situation.nowMs)]) {
      const wait: readonly JourneyStep[] = waitMs === 0 ? [] : [{ advance: { ms: waitMs } }];
      for (const session of this.#hasSessions() && waitMs === 0 && situation.signIns > 0 ? ['new', 'same'] : ['new']) {
        this.#signIn({ ...situation, nowMs: situation.nowMs + waitMs, steps: [...situation.steps, ...wait] }, session);
      }
    }
  }

  #signIn(before: Situation, session: string): void {
    const states: Pair<OwnState> = [copyState(before.states[0]), copyState(before.states[1])];
    const signIns = before.signIns + 1;
    const sessionId = `session-${session === 'same' ? before.signIns : signIns}`;
    const verdicts = states.map((state, index) =>
      new OwnCampaign(state).signIn(exampleUser, this.#attempt(index, before.nowMs, signIns, sessionId)),
    ) as unknown as Pair<OwnVerdict>;
    const steps = [...before.steps, { signIn: session === 'same' ? { session } : {} }];
    if (describeDecision(verdicts[0]) !== describeDecision(verdicts[1])) {
      if (this.#best === null || steps.length < this.#best.steps.length) this.#best = { steps, verdicts };
      return;
    }
    const after: Situation = { states, nowMs: before.nowMs, steps, signIns };
    this.#add(after);
    if (verdicts[0].outcome === 'none' || verdicts[0].outcome === 'blocked') return;
    const id = `sign-in-${signIns}`;
    for (const answer of verdicts[0].answers) {
      this.#act(after, [{ skip: { answer } }], (campaign, nowMs) => campaign.answer(exampleUser, id, answer, nowMs));
    }
    this.#act(after, [{ closeBrowser: {} }], (campaign, nowMs) => campaign.leave(exampleUser, id, nowMs));
    this.#act(after, [{ register: {} }], (campaign, nowMs, rules) => {
      campaign.selectNext(exampleUser, id, nowMs);
      const kind = rules.methods[rules.ask]?.kind ?? 'form';
      const passkey = { type: 'security-key', deviceId: 'device-1' } as const;
      campaign.complete(exampleUser, id, kind === 'passkey' ? { passkey } : registeredItems[kind], nowMs);
    });
    this.#act(after, [{ next: {} }, { failRegistration: {} }, { skipError: {} }], (campaign, nowMs) => {
      campaign.selectNext(exampleUser, id, nowMs);
      campaign.failSetup(exampleUser, id, nowMs);
      campaign.skipError(exampleUser, id, nowMs);
    });
  }

  #act(
    { states, nowMs, steps, signIns }: Situation,
    added: readonly JourneyStep[],
    act: (campaign: OwnCampaign, nowMs: number, rules: OwnRules) => unknown,
  ): void {
    const next: Pair<OwnState> = [copyState(states[0]), copyState(states[1])];
    for (const state of next) act(new OwnCampaign(state), nowMs, rulesAt(state.ruleset, nowMs));
    this.#add({ states: next, nowMs, steps: [...steps, ...added], signIns });
  }

  #attempt(index: number, nowMs: number, number: number, sessionId: string): OwnAttempt {
    const ruleset = this.#rulesets[index] ?? this.#rulesets[0];
    return { ...this.#readFacts(ruleset).attempt, id: `sign-in-${number}`, sessionId, nowMs };
  }

  #hasSessions(): boolean {
    return this.#rulesets.some(({ first }) =>
      Object.values(first.answers).some(({ effects }) => effects.includes('session')),
    );
  }

  /** Returns the waits after which something can change: durations, and the time until an end or an edition. */
  #listWaits(nowMs: number): readonly number[] {
    const waits = this.#rulesets.flatMap((ruleset) => {
      const rules = rulesAt(ruleset, nowMs);
      const { cadence, answers, deadline, rollout, lifetimeMs } = rules;
      const durations = [
        ...cadence.durations,
        ...Object.values(answers).flatMap((answer) => (answer.for === null ? [] : [answer.for])),
        ...(deadline?.ends ?? []).flatMap((end) => ('after' in end ? [end.after] : [])),
      ].map((operand) => toMs(operand, rules));
      const instants = [
        ...ruleset.editions.map(({ fromMs }) => fromMs),
        ...(rollout?.steps ?? []).map(({ fromMs }) => fromMs),
        ...(deadline?.ends ?? []).flatMap((end) =>
          'at' in end && 'constant' in end.at && typeof end.at.constant === 'number' ? [end.at.constant] : [],
        ),
      ].map((atMs) => atMs - nowMs);
      return [...durations, ...instants, lifetimeMs, ...(cadence.kind === 'daily' ? [86_400_000] : [])];
    });
    return [...new Set(waits)].filter((ms) => ms > 0).toSorted((a, b) => a - b);
  }
}

function toMs(operand: DurationOperand, { settings }: OwnRules): number {
  if ('constant' in operand) return operand.constant.ms + operand.constant.months * 31 * 86_400_000;
  const value = 'setting' in operand ? settings[operand.setting]?.default : null;
  return typeof value === 'number' ? value : 0;
}

function copyState(state: OwnState): OwnState {
  const users: OwnState['users'] = new Map();
  for (const [id, user] of state.users) {
    users.set(id, { ...user, signInTimesMs: [...user.signInTimesMs], ended: new Map(user.ended) });
  }
  return { ...state, users, ledger: new Map(state.ledger) };
}

/** Describes what later verdicts can depend on, with times relative to now. */
function describeSituation({ states, nowMs }: Situation, readsTimes: boolean): string {
  const relative = (key: string, value: unknown): unknown =>
    key.endsWith('Ms') && typeof value === 'number' && key !== 'lifetimeMs' ? value - nowMs : value;
  const parts = states.map(({ users, ledger, edition }) => [
    edition,
    [...ledger.values()],
    [...users.values()].map(({ user, prompts, status, signInTimesMs }) => [
      user,
      prompts.map(({ phase, required, shownAtMs, leftAtMs }) => ({ phase, required, shownAtMs, leftAtMs })),
      readsTimes && prompts.map(({ earlier }) => earlier),
      status,
      readsTimes ? signInTimesMs.map((atMs) => atMs - nowMs) : signInTimesMs.length,
    ]),
  ]);
  return JSON.stringify(parts, relative);
}
