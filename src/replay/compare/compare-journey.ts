import { evaluate } from '../../../machines/evaluate.ts';
import { getPlatform } from '../../../machines/platform.ts';
import type { Ruleset, Verdict } from '../../../machines/vocabulary.ts';
import type { ActionStatus } from '../../contract/compared-attempt.ts';
import type { Comparison } from '../../contract/comparison.schema.ts';
import { defaultPasskeyType } from '../../contract/step-names.ts';
import { toInstant } from '../../core/clock.ts';
import { applyEvent } from '../../journal/apply-event.ts';
import type { EventOf, EventType, JournalEvent } from '../../journal/journal-event.ts';
import { createStateFromLines } from '../../journal/journeys/journey-state.ts';
import { settleEndedPrompts } from '../../journal/prompts.ts';
import { SandboxModel } from '../../journal/sandbox-model.ts';
import type { SandboxState } from '../../journal/state.ts';
import type { OpenedJourney } from '../read-journey.ts';
import { toJournalEvent } from '../replay-journey.ts';
import type { CompareOptions } from './compare-import.ts';
import { comparedRules } from './compared-rules.ts';
import { createComparison, describeRules } from './comparison-report.ts';
import { ComparisonTally } from './comparison-tally.ts';
import { type Variant, VerdictCodes } from './variant-evaluator.ts';

/** Event types of actions at a prompt. */
export const promptActionTypes: readonly EventType[] = [
  'prompt.nextSelected',
  'prompt.skipped',
  'prompt.resumed',
  'browser.closed',
  'passkey.created',
  'setup.completed',
  'setup.failed',
  'errorScreen.skipped',
];

/** History replayed under one policy. */
class VariantReplay {
  readonly state: SandboxState;
  verdict: Verdict | null = null;
  readonly warnings = new Map<string, string>();
  #seq = 1;

  constructor(state: SandboxState) {
    this.state = state;
    state.observer = {
      evaluated: (verdict) => {
        this.verdict = verdict;
        for (const { code, message } of verdict.warnings) this.warnings.set(code, message);
      },
      moved: () => undefined,
    };
  }

  apply(event: JournalEvent, atMs: number): void {
    this.#seq += 1;
    applyEvent(this.state, { seq: this.#seq, atMs, event });
  }
}

interface Side {
  readonly variant: Variant;
  readonly replay: VariantReplay;
  readonly tally: ComparisonTally;
  /** Users with an assumed action. */
  readonly assumed: Set<string>;
  /** Sign-ins whose recorded actions apply. */
  readonly applies: Set<string>;
  readonly bits: Map<string, number>;
  /** Sign-ins whose actions are already counted as applied or no longer applicable. */
  readonly counted: Set<string>;
}

/**
 * Compares a journey under its own policies and under others by replaying it for each. A recorded action applies only
 * if the same attempt shows a prompt of the same method and type; otherwise it is no longer applicable. A prompt
 * without a recorded action gets the assumed one, and all later results of that user count as assumed. Throws
 * `journey-damaged`.
 */
export async function compareJourney(
  journey: OpenedJourney,
  source: string,
  options: CompareOptions,
): Promise<Comparison> {
  const run = new JourneyComparison(journey, options);
  for await (const { line } of journey.rest) {
    if (line.kind !== 'event') continue;
    const { event, atMs } = toJournalEvent(line);
    run.event(event, atMs);
  }
  return run.end(source);
}

class JourneyComparison {
  readonly #options: CompareOptions;
  readonly #codes = new VerdictCodes();
  readonly #base: VariantReplay;
  readonly #sides: readonly Side[];
  #attempts = 0;
  #firstMs: number | null = null;
  #lastMs = 0;

  constructor({ head, standing }: OpenedJourney, options: CompareOptions) {
    const lines = standing.map(({ line }) => line);
    this.#options = options;
    this.#base = new VariantReplay(createStateUnder(options.baseline ?? null, head.line, lines));
    this.#sides = options.variants.map((variant) => {
      const state = createStateUnder(variant.ruleset, head.line, lines);
      const replay = new VariantReplay(state);
      replay.apply(policyChange(variant.apply(this.#base.state.tenant)), state.lastAtMs);
      return {
        variant,
        replay,
        tally: new ComparisonTally(this.#codes),
        assumed: new Set(),
        applies: new Set(),
        bits: new Map(),
        counted: new Set(),
      };
    });
  }

  /** Processes the next event of the journey. */
  event(event: JournalEvent, atMs: number): void {
    this.#lastMs = atMs;
    this.#base.verdict = null;
    this.#base.apply(event, atMs);
    for (const side of this.#sides) {
      side.replay.verdict = null;
      this.#follow(side, event, atMs);
    }
    if (this.#base.verdict === null || !('signInId' in event)) return;
    this.#attempts += 1;
    this.#firstMs ??= atMs;
    for (const side of this.#sides) this.#compare(side, event.signInId, atMs, this.#base.verdict);
  }

  #follow(side: Side, event: JournalEvent, atMs: number): void {
    if (event.type === 'tenant.changed') {
      const { facts: _facts, ...rest } = event;
      side.replay.apply({ ...rest, facts: side.variant.apply(this.#base.state.tenant) }, atMs);
    } else if ('signInId' in event && promptActionTypes.includes(event.type)) {
      const applies = side.applies.has(event.signInId);
      if (!side.counted.has(event.signInId)) {
        side.counted.add(event.signInId);
        if (applies) side.tally.answers.applied += 1;
        else side.tally.answers.inapplicable += 1;
      }
      if (applies) side.replay.apply(event, atMs);
    } else side.replay.apply(event, atMs);
  }

  #compare(side: Side, signInId: string, atMs: number, base: Verdict): void {
    const { replay, tally, variant } = side;
    const record = replay.state.signIns.get(signInId);
    const verdict = replay.verdict;
    if (verdict === null || record?.evaluation === null || record === undefined) return;
    const { user, attempt } = record.evaluation.facts;
    const [before, after] = [this.#codes.getCode(base), this.#codes.getCode(verdict)];
    const certain = !side.assumed.has(user.id);
    const platform = getPlatform(attempt);
    tally.add({ before, after, certain, platform, atMs, groups: user.groups });
    side.bits.set(user.id, (side.bits.get(user.id) ?? 0) | tally.getChange(before, after));
    const answer = this.#answer(side, signInId, atMs, base, verdict);
    const { see, user: only } = this.#options;
    if (see === undefined || (only === undefined ? before === after : only !== user.id)) return;
    see({
      variant: variant.name,
      user: user.id,
      attempt: signInId,
      at: toInstant(atMs),
      platform,
      before: this.#codes.side(before),
      after: this.#codes.side(after),
      changed: before !== after,
      certain,
      answer,
      ...(only === undefined ? {} : { rules: comparedRules(base, verdict) }),
    });
  }

  /** Determines the action at this attempt: the recorded one if it applies, otherwise an assumed one. */
  #answer(side: Side, signInId: string, atMs: number, base: Verdict, verdict: Verdict): ActionStatus {
    const isSame = base.outcome === verdict.outcome && base.campaign.method === verdict.campaign.method;
    if (verdict.outcome === 'none') return base.outcome === 'none' ? 'none' : 'inapplicable';
    if (isSame) {
      side.applies.add(signInId);
      return 'recorded';
    }
    side.tally.answers.assumed += 1;
    const record = side.replay.state.signIns.get(signInId);
    for (const event of this.#assumedInputs(
      signInId,
      verdict,
      record?.evaluation?.facts.attempt.os,
      record?.evaluation?.digest ?? '',
    )) {
      side.replay.apply(event, atMs);
    }
    if (record !== undefined) side.assumed.add(record.userId);
    return 'assumed';
  }

  #assumedInputs(
    signInId: string,
    { campaign }: Verdict,
    os: string | undefined,
    digest: string,
  ): readonly JournalEvent[] {
    const answered = { signInId, verdict: digest };
    switch (this.#options.assumedAction) {
      case 'skip':
        return [{ type: 'prompt.skipped', ...answered }];
      case 'close':
        return [{ type: 'browser.closed', ...answered }];
      case 'register': {
        const passkey = campaign.method === 'fido2' ? { type: defaultPasskeyType(os), deviceId: 'device-1' } : null;
        return [
          { type: 'prompt.nextSelected', ...answered },
          { type: 'setup.completed', passkey, ...answered },
        ];
      }
    }
  }

  /** Returns the comparison after all events are processed. */
  end(source: string): Comparison {
    const counted = this.#sides.map((side) => {
      const { replay, tally, variant, bits } = side;
      for (const userId of replay.state.users.keys()) tally.addUser(bits.get(userId) ?? 0);
      return {
        name: variant.name,
        ruleset: replay.state.ruleset,
        tally,
        warnings: replay.warnings,
        requiredAtNextSignIn: {
          ifAppliedNow: requiredAtNextSignIn(this.#base.state, replay.state, this.#lastMs),
          ifAppliedThroughout: requiredAtNextSignIn(replay.state, replay.state, this.#lastMs),
        },
      };
    });
    return createComparison(
      {
        source,
        kind: 'journey',
        from: this.#firstMs === null ? null : toInstant(this.#firstMs),
        to: this.#firstMs === null ? null : toInstant(this.#lastMs),
        attempts: this.#attempts,
        users: this.#base.state.users.size,
        assumedAction: this.#options.assumedAction,
        baseRuleset: describeRules(this.#base.state.ruleset),
      },
      this.#base.warnings,
      counted,
    );
  }
}

/** Creates the initial state of a journey under a ruleset; `null` is the ruleset of the journey. */
function createStateUnder(
  ruleset: Ruleset | null,
  head: OpenedJourney['head']['line'],
  lines: readonly OpenedJourney['standing'][number]['line'][],
): SandboxState {
  if (ruleset === null) return createStateFromLines(head, lines);
  const model = new SandboxModel({ rulesets: new Map([[ruleset.id, ruleset]]) });
  const { rulesetDigest: _ofTheJourney, ...rest } = head;
  return createStateFromLines({ ...rest, ruleset: ruleset.id }, lines, model);
}

function policyChange(tenant: SandboxState['tenant']): EventOf<'tenant.changed'> {
  return { type: 'tenant.changed', facts: tenant, by: 'scenario' };
}

/**
 * Counts the users whose next prompt would be required if their next sign-in equals their last one (A46). One state
 * provides the users, the other one the policy.
 */
function requiredAtNextSignIn(
  users: SandboxState,
  policy: SandboxState,
  nowMs: number,
): { users: number; stillSnoozing: number } {
  settleEndedPrompts(users, nowMs);
  const latest = new Map(
    [...users.signIns.values()].flatMap(({ userId, evaluation }) =>
      evaluation === null ? [] : [[userId, evaluation.facts.attempt] as const],
    ),
  );
  let required = 0;
  let stillSnoozing = 0;
  for (const { facts } of users.users.values()) {
    const attempt = latest.get(facts.id);
    if (attempt === undefined) continue;
    const evaluateOutcome = (user: typeof facts): string =>
      evaluate({ tenant: policy.tenant, user, attempt: { ...attempt, nowMs } }, policy.ruleset).outcome;
    if (evaluateOutcome(facts) === 'required') required += 1;
    else if (evaluateOutcome({ ...facts, snooze: { ...facts.snooze, snoozedAtMs: null } }) === 'required')
      stillSnoozing += 1;
  }
  return { users: required, stillSnoozing };
}
