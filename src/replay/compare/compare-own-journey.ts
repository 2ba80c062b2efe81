import type { OwnVerdict } from '../../../machines/own/evaluate-own.ts';
import { type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { getPlatform } from '../../../machines/platform.ts';
import type { ActionStatus } from '../../contract/compared-attempt.ts';
import type { Comparison } from '../../contract/comparison.schema.ts';
import type { JourneyHead } from '../../contract/journey.schema.ts';
import { defaultPasskeyType } from '../../contract/step-names.ts';
import { toInstant } from '../../core/clock.ts';
import type { JournalEvent } from '../../journal/journal-event.ts';
import type { OpenedJourney } from '../read-journey.ts';
import { toJournalEvent } from '../replay-journey.ts';
import type { CompareOptions } from './compare-import.ts';
import { promptActionTypes } from './compare-journey.ts';
import { comparedRules } from './compared-rules.ts';
import { type Counted, createComparison } from './comparison-report.ts';
import { ComparisonTally } from './comparison-tally.ts';
import { DefaultedFacts, RecordedFacts } from './defaulted-facts.ts';
import { OwnChanges } from './own-changes.ts';
import { countNextSignIns } from './own-next-sign-in.ts';
import { type EvaluatedSignIn, OwnReplay } from './own-replay.ts';
import { VerdictCodes } from './variant-evaluator.ts';

/** Own ruleset that a history is compared with. */
export interface OwnVariant {
  readonly name: string;
  readonly ruleset: OwnRuleset;
}

/** Options of a comparison of own rulesets. */
export interface CompareOwnOptions extends Pick<CompareOptions, 'assumedAction' | 'see' | 'user'> {
  /** Ruleset of the history, or the one that replaces it as the baseline. */
  readonly baseline: OwnRuleset;
  readonly variants: readonly OwnVariant[];
}

interface Side {
  readonly name: string;
  readonly replay: OwnReplay;
  readonly tally: ComparisonTally;
  readonly changes: OwnChanges;
  readonly defaulted: DefaultedFacts;
  readonly recorded: RecordedFacts;
  /** Users with an assumed action. */
  readonly assumed: Set<string>;
  /** Sign-ins whose recorded actions apply. */
  readonly applies: Set<string>;
  readonly bits: Map<string, number>;
  /** Sign-ins whose actions are already counted as applied or no longer applicable. */
  readonly counted: Set<string>;
}

/**
 * Compares a journey of an own campaign with other own rulesets by replaying it for each, so the ledgers are those of the
 * ruleset (OC50). A recorded action applies only if the same attempt shows a prompt with the same kind of method and the
 * same skippability, and if that prompt has the answer; otherwise it is no longer applicable. A prompt without a recorded
 * action gets the assumed one, and all later results of that user count as assumed.
 *
 * @param journey - opened journey of a sandbox with an own ruleset
 * @param source - name of the history in the report
 * @param options - baseline, variants and assumption
 * @returns the comparison
 * @throws `journey-damaged`, and `usage-invalid` for recorded values that a variant does not allow
 */
export async function compareOwnJourney(
  journey: OpenedJourney,
  source: string,
  options: CompareOwnOptions,
): Promise<Comparison> {
  const run = new OwnComparisonRun(journey, options);
  for await (const { line } of journey.rest) {
    if (line.kind !== 'event') continue;
    const { event, atMs } = toJournalEvent(line);
    run.event(event, atMs);
  }
  return run.end(source, journey.head.line);
}

/** Sequence number of the first event after the creation of a sandbox. */
const firstEventSeq = 2;

class OwnComparisonRun {
  readonly #options: CompareOwnOptions;
  readonly #codes = new VerdictCodes();
  readonly #base: OwnReplay;
  readonly #sides: readonly Side[];
  #attempts = 0;
  #firstMs: number | null = null;
  #lastMs = 0;

  constructor(journey: OpenedJourney, options: CompareOwnOptions) {
    this.#options = options;
    this.#base = new OwnReplay(options.baseline, journey);
    this.#sides = options.variants.map(({ name, ruleset }) => ({
      name,
      replay: new OwnReplay(ruleset, journey),
      tally: new ComparisonTally(this.#codes),
      changes: new OwnChanges(),
      defaulted: new DefaultedFacts(ruleset, options.baseline.facts),
      recorded: new RecordedFacts(ruleset),
      assumed: new Set(),
      applies: new Set(),
      bits: new Map(),
      counted: new Set(),
    }));
  }

  /** Processes the next event of the journey. */
  event(event: JournalEvent, atMs: number): void {
    this.#lastMs = atMs;
    const base = this.#base.apply(event, atMs);
    for (const side of this.#sides) {
      const variant = this.#follow(side, event, atMs);
      if (base !== null && variant !== null) this.#compare(side, atMs, base, variant);
    }
    if (base === null) return;
    this.#attempts += 1;
    this.#firstMs ??= atMs;
  }

  /** Applies an event to a variant. Returns the sign-in that it evaluated, or `null`. */
  #follow(side: Side, event: JournalEvent, atMs: number): EvaluatedSignIn | null {
    if (!('signInId' in event) || !promptActionTypes.includes(event.type)) return side.replay.apply(event, atMs);
    const { signInId } = event;
    const given = event.type === 'prompt.skipped' ? this.#withAnswer(event, atMs) : event;
    const isOffered = given.type !== 'prompt.skipped' || hasAnswer(side.replay.ruleset, given.answer, atMs);
    const applies = side.applies.has(signInId);
    this.#count(side, signInId, applies && isOffered);
    if (applies && isOffered) return side.replay.apply(given, atMs);
    if (applies) this.#assume(side, signInId, atMs);
    return null;
  }

  /** Returns a skip with its answer: without one, it was the first answer of the ruleset of the history. */
  #withAnswer(event: Extract<JournalEvent, { type: 'prompt.skipped' }>, atMs: number): typeof event {
    const answer = event.answer ?? Object.keys(rulesAt(this.#base.ruleset, atMs).answers)[0];
    return answer === undefined ? event : { ...event, answer };
  }

  /** Counts the actions of a sign-in once, by the last of them: an answer that is not offered makes them inapplicable. */
  #count({ counted, applies, tally }: Side, signInId: string, isApplied: boolean): void {
    if (!counted.has(signInId)) {
      counted.add(signInId);
      tally.answers[isApplied ? 'applied' : 'inapplicable'] += 1;
    } else if (applies.has(signInId) && !isApplied) {
      tally.answers.applied -= 1;
      tally.answers.inapplicable += 1;
    }
  }

  #compare(side: Side, atMs: number, base: EvaluatedSignIn, variant: EvaluatedSignIn): void {
    const { evaluation, verdict, input } = variant;
    const { id, userId } = variant.signIn;
    side.recorded.check(evaluation.facts);
    side.defaulted.add(input, evaluation.facts);
    const [before, after] = [this.#codes.getCode(base.verdict), this.#codes.getCode(verdict)];
    const certain = !side.assumed.has(userId);
    const platform = getPlatform(input.facts.attempt);
    const { groups } = evaluation.facts.user;
    side.tally.add({ before, after, certain, platform, atMs, groups });
    side.bits.set(userId, (side.bits.get(userId) ?? 0) | side.tally.getChange(before, after));
    side.changes.add(userId, this.#codes.side(before), this.#codes.side(after), certain);
    const answer = this.#answer(side, id, atMs, base.verdict, verdict);
    const { see, user: only } = this.#options;
    if (see === undefined || (only === undefined ? before === after : only !== userId)) return;
    see({
      variant: side.name,
      user: userId,
      attempt: id,
      at: toInstant(atMs),
      platform,
      before: this.#codes.side(before),
      after: this.#codes.side(after),
      changed: before !== after,
      certain,
      answer,
      ...(only === undefined ? {} : { rules: comparedRules(base.verdict, verdict) }),
    });
  }

  /** Determines the action at this attempt: the recorded one if it applies, otherwise an assumed one. */
  #answer(side: Side, signInId: string, atMs: number, base: OwnVerdict, verdict: OwnVerdict): ActionStatus {
    if (!isPrompt(verdict)) return isPrompt(base) ? 'inapplicable' : 'none';
    const kinds = [this.#base.ruleset, side.replay.ruleset].map((ruleset) => getMethodKind(ruleset, atMs));
    if (base.outcome === verdict.outcome && kinds[0] === kinds[1]) {
      side.applies.add(signInId);
      return 'recorded';
    }
    this.#assume(side, signInId, atMs);
    return 'assumed';
  }

  /** Applies the assumed action to a prompt; recorded actions no longer apply to it. */
  #assume(side: Side, signInId: string, atMs: number): void {
    const { replay, applies, assumed, tally } = side;
    applies.delete(signInId);
    tally.answers.assumed += 1;
    const record = replay.state.signIns.get(signInId);
    if (record === undefined) return;
    const { evaluation, userId } = record;
    const answered = { signInId, verdict: evaluation?.digest ?? '' };
    const events: Readonly<Record<CompareOwnOptions['assumedAction'], () => readonly JournalEvent[]>> = {
      skip: () => [{ type: 'prompt.skipped', ...answered }],
      close: () => [{ type: 'browser.closed', ...answered }],
      register: () => {
        const isPasskey = getMethodKind(replay.ruleset, atMs) === 'passkey';
        const type = defaultPasskeyType(evaluation?.facts.attempt.os);
        const passkey = isPasskey ? { type, deviceId: 'device-1' } : null;
        return [
          { type: 'prompt.nextSelected', ...answered },
          { type: 'setup.completed', passkey, ...answered },
        ];
      },
    };
    for (const event of events[this.#options.assumedAction]()) replay.apply(event, atMs);
    assumed.add(userId);
  }

  /** Returns the comparison after all events are processed. */
  end(source: string, head: Pick<JourneyHead, 'slice' | 'rulesetDigest'>): Comparison {
    const counted = this.#sides.map((side) => this.#close(side));
    const warnings = listHistoryWarnings(head, this.#options.baseline);
    return createComparison(
      {
        source,
        kind: 'journey',
        from: this.#firstMs === null ? null : toInstant(this.#firstMs),
        to: this.#firstMs === null ? null : toInstant(this.#lastMs),
        attempts: this.#attempts,
        users: this.#base.state.users.size,
        assumedAction: this.#options.assumedAction,
        baseRuleset: describeOwn(this.#options.baseline),
      },
      warnings,
      counted,
    );
  }

  #close({ name, replay, tally, bits, changes, defaulted }: Side): Counted {
    for (const userId of replay.state.users.keys()) tally.addUser(bits.get(userId) ?? 0);
    const now = countNextSignIns(this.#base, replay, this.#lastMs);
    const throughout = countNextSignIns(replay, replay, this.#lastMs);
    return {
      name,
      ruleset: { id: describeOwn(replay.ruleset) },
      tally,
      warnings: new Map(),
      requiredAtNextSignIn: { ifAppliedNow: now.required, ifAppliedThroughout: throughout.required },
      own: {
        ...changes.report(),
        blockedAtNextSignIn: { ifAppliedNow: now.blocked, ifAppliedThroughout: throughout.blocked },
        defaults: defaulted.report(),
      },
    };
  }
}

/** Returns the warnings of a journey: ledgers before its start, and results of another version of its ruleset (OC35). */
function listHistoryWarnings(
  { slice, rulesetDigest }: Pick<JourneyHead, 'slice' | 'rulesetDigest'>,
  { id, digest }: OwnRuleset,
): ReadonlyMap<string, string> {
  const warnings = new Map<string, string>();
  if (slice.from > firstEventSeq) {
    const message = 'The journey begins after the start of its sandbox: ledgers before it are unknown.';
    warnings.set('ledgers-unknown', message);
  }
  if (rulesetDigest !== undefined && rulesetDigest !== digest) {
    const message = `The journey was recorded with another version of the ruleset ${id}: it has the digest ${rulesetDigest}, and the baseline has ${digest}.`;
    warnings.set('ruleset-digest-differs', message);
  }
  return warnings;
}

/** Returns id and version of an own ruleset, as reports name it. */
export function describeOwn({ id, version }: OwnRuleset): string {
  return `${id} ${version}`;
}

/** Returns true for a verdict that shows a prompt. */
export function isPrompt({ outcome }: OwnVerdict): boolean {
  return outcome === 'skippable' || outcome === 'required';
}

function getMethodKind(ruleset: OwnRuleset, atMs: number): string {
  const { methods, ask } = rulesAt(ruleset, atMs);
  return methods[ask]?.kind ?? 'form';
}

function hasAnswer(ruleset: OwnRuleset, answer: string | undefined, atMs: number): boolean {
  return answer !== undefined && Object.hasOwn(rulesAt(ruleset, atMs).answers, answer);
}
