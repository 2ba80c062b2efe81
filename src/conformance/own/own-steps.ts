import { type DemandingKey, findDemand, type OwnVerdict } from '../../../machines/own/evaluate-own.ts';
import { type ActionResult, OwnCampaign } from '../../../machines/own/own-campaign.ts';
import type { OwnAttempt } from '../../../machines/own/own-facts.ts';
import { type OwnRules, type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import {
  collectInput,
  copyOwnState,
  createOwnState,
  earlierTimes,
  getOwnUser,
  type OpenOwnPrompt,
  type OwnState,
  type OwnUserState,
  type RegisteredItem,
  registeredItems,
  withRegistered,
} from '../../../machines/own/own-state.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import { defaultPasskeyType } from '../../contract/step-names.ts';
import { openPromptsMax } from '../../core/limits.ts';
import { nameBrowser } from '../../journal/own-campaign-facts.ts';
import { listDefaults } from '../../scenario/own/declared-values.ts';
import type { UserEvent } from '../model/log-event.ts';
import type { RejectionCode } from '../model/rejection.ts';
import type { LogFacts, OwnGiven } from './log-facts.ts';
import { type OpenPast, readsEarlierTimes, unknownTimes } from './open-past.ts';

/** State in which a user of a log may be. States are not changed after they were reached. */
export interface OwnHypothesis {
  readonly state: OwnState;
  /** Time of the latest event in milliseconds. */
  readonly fromMs: number;
  /** Number of missing events that it supposes. */
  readonly missing: number;
  /** What is not known about the state. */
  readonly past: OpenPast;
}

/** Reason why an event is impossible in a hypothesis. */
export interface OwnRejection {
  readonly rule: string | null;
  readonly code: RejectionCode;
  readonly hypothesis: OwnHypothesis;
}

/** Result of one step. */
export type OwnStepResult = { readonly next: readonly OwnState[] } | Pick<OwnRejection, 'rule' | 'code'>;

/** Sign-in as a log states it. */
interface LoggedSignIn {
  readonly kind: 'prompt-skippable' | 'prompt-required' | 'not-prompted' | 'blocked';
  readonly event: UserEvent;
  readonly atMs: number;
}

/** User of every hypothesis: each user of a log has a campaign of its own. */
export const ownLogUser = 'user';

/** Steps of one user under an own ruleset, as the campaign performs them. */
export class OwnSteps {
  readonly ruleset: OwnRuleset;
  readonly #facts: LogFacts;
  readonly #hidesNext: boolean;
  readonly #readsEarlier: boolean;
  #attempts = 0;

  constructor(ruleset: OwnRuleset, facts: LogFacts, hidesNext: boolean) {
    this.ruleset = ruleset;
    this.#facts = facts;
    this.#hidesNext = hidesNext;
    this.#readsEarlier = readsEarlierTimes(JSON.stringify([ruleset.first, ruleset.editions]));
  }

  /** Returns the state of a user without any history. */
  fresh(atMs: number): OwnState {
    const { facts, first } = this.ruleset;
    const tenant = {
      id: 'tenant',
      subscription: 'paid' as const,
      facts: listDefaults(facts.tenant),
      settings: listDefaults(first.settings),
    };
    const user = {
      id: ownLogUser,
      type: 'member' as const,
      groups: [],
      methods: ['sms' as const],
      passkeys: [],
      mfaCapable: true,
      facts: listDefaults(facts.user),
      ...this.#facts.initialUser,
    };
    return createOwnState(this.ruleset, tenant, [{ user, createdAtMs: atMs }], atMs);
  }

  /** Performs a kind of event at a time on copies of a state. */
  perform(before: OwnState, kind: LogEventKind, event: UserEvent, atMs: number): OwnStepResult {
    if (isEvaluated(kind)) return this.#signIn(before, { kind, event, atMs });
    const state = copyOwnState(before);
    const campaign = new OwnCampaign(state);
    const hadPrompts = getOwnUser(state, ownLogUser).prompts.length > 0;
    campaign.passTime(atMs);
    switch (kind) {
      case 'signed-in':
        campaign.settlePendingCloses(ownLogUser, atMs);
        getOwnUser(state, ownLogUser).signInTimesMs.push(atMs);
        return { next: [state] };
      case 'registered-elsewhere':
        campaign.changeUser(ownLogUser, (user) => withRegistered(user, this.createItem(atMs, null)), atMs);
        return { next: [state] };
      case 'method-removed':
        campaign.removeMethod(ownLogUser, (user) => ({ ...user, methods: [], passkeys: [] }), atMs);
        return { next: [state] };
      case 'reset':
        campaign.resetLedger(ownLogUser, atMs);
        return { next: [state] };
      default:
        return this.#act(state, kind, event, atMs, hadPrompts);
    }
  }

  /** Returns the state with an open prompt that the rules do not allow. */
  force(before: OwnState, event: UserEvent, atMs: number, required: boolean): OwnState {
    const state = copyOwnState(before);
    const owner = getOwnUser(state, ownLogUser);
    const attempt = this.createAttempt(owner, this.#facts.read(event), event, atMs);
    const { keys, facts } = collectInput(state, owner, attempt);
    const earlier = earlierTimes(facts.kept);
    owner.lastAttempt = attempt;
    owner.prompts = [
      ...owner.prompts.slice(0, openPromptsMax - 1),
      {
        id: attempt.id,
        attempt,
        keys,
        required,
        phase: 'offered',
        shownAtMs: atMs,
        leftAtMs: null,
        leftCounts: false,
        earlier,
      },
    ];
    return state;
  }

  #signIn(before: OwnState, { kind, event, atMs }: LoggedSignIn): OwnStepResult {
    const state = copyOwnState(before);
    const campaign = new OwnCampaign(state);
    campaign.passTime(atMs);
    const owner = getOwnUser(state, ownLogUser);
    const given = this.#facts.read(event);
    this.#changeFacts(campaign, given, atMs);
    const attempt = this.createAttempt(owner, given, event, atMs);
    const verdict = campaign.signIn(ownLogUser, attempt);
    const problem = compareOwnVerdict(kind, verdict, () => this.#findDemand(before, given, attempt));
    if (problem !== null) return problem;
    if (owner.prompts.length > openPromptsMax) return { rule: 'A26', code: 'too-many-prompts' };
    // States that differ in nothing that a rule reads are one.
    if (!this.#readsEarlier) owner.prompts = owner.prompts.map((prompt) => ({ ...prompt, earlier: unknownTimes }));
    return { next: [state] };
  }

  #changeFacts(campaign: OwnCampaign, given: OwnGiven, atMs: number): void {
    campaign.changeTenant((tenant) => this.#facts.tenant(tenant, given), atMs);
    campaign.changeUser(
      ownLogUser,
      (user) => ({ ...user, ...given.user, id: ownLogUser, facts: { ...user.facts, ...given.user.facts } }),
      atMs,
    );
  }

  /** Returns the key of the ruleset that demands the registration or blocks a sign-in. */
  #findDemand(before: OwnState, given: OwnGiven, attempt: OwnAttempt): DemandingKey | null {
    const state = copyOwnState(before);
    const campaign = new OwnCampaign(state);
    campaign.settlePendingCloses(ownLogUser, attempt.nowMs);
    this.#changeFacts(campaign, given, attempt.nowMs);
    const input = collectInput(state, getOwnUser(state, ownLogUser), attempt);
    return findDemand(state.ruleset, input)?.by ?? null;
  }

  /** Returns the attempt of a sign-in. Without a prompt in the log, it has an id that no open prompt has. */
  createAttempt(
    { user, prompts }: Pick<OwnUserState, 'user' | 'prompts'>,
    given: OwnGiven,
    { prompt, line }: UserEvent,
    atMs: number,
  ): OwnAttempt {
    const attempt = completeAttempt(given.attempt.patch, user, atMs);
    this.#attempts += 1;
    let id = prompt ?? `sign-in-${line}`;
    for (let at = 2; prompt === null && prompts.some((one) => one.id === id); at += 1) id = `sign-in-${line}-${at}`;
    return {
      ...attempt,
      nowMs: atMs,
      id,
      kind: 'signIn',
      sessionId: `session-${this.#attempts}`,
      browserId: nameBrowser(attempt),
      facts: { ...listDefaults(this.ruleset.facts.attempt), ...given.attempt.facts },
    };
  }

  #act(state: OwnState, kind: LogEventKind, event: UserEvent, atMs: number, hadPrompts: boolean): OwnStepResult {
    const { prompts, ended } = getOwnUser(state, ownLogUser);
    const targets = prompts.filter(({ id }) => event.prompt === null || id === event.prompt || isUnnamed(id));
    if (kind === 'skip-ignored') {
      const isLate = targets.length === 0 || (event.prompt === null && ended.size > 0);
      return isLate ? { next: [state] } : { rule: 'A27', code: 'prompt-still-open' };
    }
    if (targets.length === 0) {
      return hadPrompts && prompts.length === 0
        ? { rule: 'A40', code: 'prompt-expired' }
        : { rule: 'A26', code: 'no-prompt-open' };
    }
    const next = targets.flatMap((prompt) => this.#actAt(state, prompt, kind, event, atMs));
    const done = next.filter(({ result }) => result === (kind === 'skip-rejected' ? 'refused' : 'done'));
    if (done.length > 0) return { next: done.map((one) => one.state) };
    const isAnswered = next.some(({ result }) => result !== 'not-open');
    if (kind === 'skipped' && isAnswered) return { rule: 'OC24', code: 'skip-not-allowed' };
    if (kind === 'skip-rejected' && isAnswered) return { rule: 'OC24', code: 'skip-allowed' };
    return { rule: 'A11', code: 'page-not-open' };
  }

  /** Performs an action at a prompt, with each answer that it can mean, on copies of a state. */
  #actAt(before: OwnState, prompt: OpenOwnPrompt, kind: LogEventKind, event: UserEvent, atMs: number) {
    return this.#listAnswers(kind, event, atMs).map((answer) => {
      const state = copyOwnState(before);
      return { state, result: this.#onPage(new OwnCampaign(state), prompt, kind, answer, atMs) };
    });
  }

  /** Lists the answers that an event can mean: the one that the log states, or every button. */
  #listAnswers(kind: LogEventKind, { answer }: UserEvent, atMs: number): readonly string[] {
    if (kind !== 'skipped' && kind !== 'skip-rejected') return [''];
    if (answer !== undefined) return [answer];
    return listButtons(rulesAt(this.ruleset, atMs));
  }

  #onPage(
    campaign: OwnCampaign,
    { id, phase, attempt }: OpenOwnPrompt,
    kind: LogEventKind,
    answer: string,
    atMs: number,
  ): ActionResult {
    const isSetup = phase === 'setup' || (phase === 'offered' && this.#hidesNext);
    switch (kind) {
      case 'next-selected':
        return phase === 'offered' ? campaign.selectNext(ownLogUser, id, atMs) : 'not-open';
      case 'skipped':
      case 'skip-rejected':
        return phase === 'error' ? 'not-open' : campaign.answer(ownLogUser, id, answer, atMs);
      case 'closed':
        return campaign.leave(ownLogUser, id, atMs);
      case 'resumed':
        return campaign.resume(ownLogUser, id, atMs);
      case 'registered':
        if (!isSetup && phase !== 'error') return 'not-open';
        if (phase === 'offered') campaign.selectNext(ownLogUser, id, atMs);
        return campaign.complete(ownLogUser, id, this.createItem(atMs, attempt), atMs);
      case 'setup-failed':
        if (!isSetup) return 'not-open';
        if (phase === 'offered') campaign.selectNext(ownLogUser, id, atMs);
        return campaign.failSetup(ownLogUser, id, atMs);
      case 'error-skipped':
        return campaign.skipError(ownLogUser, id, atMs);
      default:
        return 'not-open';
    }
  }

  /** Returns what a registration at a time adds, on the device of a sign-in or elsewhere. */
  createItem(atMs: number, attempt: OwnAttempt | null): RegisteredItem {
    const { methods, ask } = rulesAt(this.ruleset, atMs);
    const kind = methods[ask]?.kind ?? 'form';
    if (kind !== 'passkey') return registeredItems[kind];
    const type = defaultPasskeyType(attempt?.os ?? 'windows');
    return { passkey: { type, deviceId: attempt?.deviceId ?? 'device-1' } };
  }
}

function isEvaluated(kind: LogEventKind): kind is LoggedSignIn['kind'] {
  return kind === 'prompt-skippable' || kind === 'prompt-required' || kind === 'not-prompted' || kind === 'blocked';
}

/** Lists the ids of the answers that turn a prompt down. */
export function listButtons({ answers }: OwnRules): readonly string[] {
  return Object.keys(answers).filter((id) => !['close', 'expire', 'next'].includes(id));
}

/** Prompts of sign-ins for which the log states no prompt can be the target of every action. */
function isUnnamed(id: string): boolean {
  return id.startsWith('sign-in-');
}

/**
 * Compares what a log states about a sign-in with the verdict.
 *
 * @param demandedBy - finds the key of the ruleset that demands the outcome, which is evaluated when `rule` is read
 * @returns what differs, or `null`
 */
export function compareOwnVerdict(
  kind: LoggedSignIn['kind'],
  { outcome, rules }: OwnVerdict,
  demandedBy: () => DemandingKey | null,
): Pick<OwnRejection, 'rule' | 'code'> | null {
  const wanted = {
    'prompt-skippable': 'skippable',
    'prompt-required': 'required',
    'not-prompted': 'none',
    blocked: 'blocked',
  };
  if (outcome === wanted[kind]) return null;
  const stopped = rules.find((one) => one.outcome === 'stopped')?.id ?? null;
  const demanded = (code: RejectionCode): ReturnType<typeof compareOwnVerdict> => ({
    code,
    get rule() {
      return demandedBy();
    },
  });
  if (outcome === 'blocked') return demanded('must-be-blocked');
  if (kind === 'blocked') return { rule: stopped ?? 'OC23', code: 'not-blocked' };
  if (outcome === 'none') return { rule: stopped, code: 'prompt-suppressed' };
  if (outcome === 'required') return demanded(kind === 'not-prompted' ? 'prompt-due' : 'prompt-must-be-required');
  return { rule: 'OC23', code: kind === 'not-prompted' ? 'prompt-due' : 'prompt-must-be-skippable' };
}
