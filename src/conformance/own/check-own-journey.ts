import { findDemand, type OwnVerdict } from '../../../machines/own/evaluate-own.ts';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import type { ConformanceReport, Misfit, RulesetFit } from '../../contract/conformance-report.ts';
import type { JourneyEvent } from '../../contract/journey.schema.ts';
import { promptActionTypes } from '../../replay/compare/compare-journey.ts';
import { OwnReplay } from '../../replay/compare/own-replay.ts';
import type { OpenedJourney } from '../../replay/read-journey.ts';
import { toJournalEvent } from '../../replay/replay-journey.ts';
import { MisfitClusters } from '../check/misfit-clusters.ts';
import { describeOwnProblem } from './explain-own-misfit.ts';
import { compareOwnVerdict } from './own-steps.ts';

/** Kinds of events of the outcomes of a sign-in. */
const kinds = {
  none: 'not-prompted',
  skippable: 'prompt-skippable',
  required: 'prompt-required',
  blocked: 'blocked',
} as const satisfies Readonly<Record<OwnVerdict['outcome'], LogEventKind>>;

/** Kinds of the screens to which an evaluated sign-in leads. */
const kindOfScreen: Readonly<Record<string, (typeof kinds)[OwnVerdict['outcome']]>> = {
  signedIn: 'not-prompted',
  prompt: 'prompt-skippable',
  required: 'prompt-required',
  blocked: 'blocked',
};

/**
 * Checks a journey of an own campaign against own rulesets: each replays the inputs with ledgers of its own, and a sign-in
 * fits if the ruleset leads to the recorded screen. Everything is observed, so nothing is hidden or missing.
 *
 * @param journey - opened journey of a sandbox with an own ruleset
 * @param rulesets - rulesets to compare
 * @param examplesMax - number of users whose first impossible sign-in is explained
 * @returns the fit of each ruleset, the best first
 * @throws NudgeLabError `journey-damaged`
 */
export async function checkOwnJourney(
  journey: OpenedJourney,
  rulesets: readonly OwnRuleset[],
  examplesMax: number,
): Promise<ConformanceReport> {
  const checks = rulesets.map((ruleset) => new JourneyCheck(ruleset, journey, examplesMax));
  let events = 0;
  for await (const { line } of journey.rest) {
    if (line.kind !== 'event') continue;
    events += 1;
    for (const check of checks) check.take(line);
  }
  const fits = checks.map((check) => check.result());
  const rulesetsByFit = fits.toSorted((a, b) => b.share - a.share || a.misfits - b.misfits);
  return { events, unmapped: {}, ignored: 0, absentColumns: [], rulesets: rulesetsByFit };
}

class JourneyCheck {
  readonly #replay: OwnReplay;
  readonly #examplesMax: number;
  readonly #users = new Set<string>();
  readonly #misfitUsers = new Set<string>();
  readonly #clusters = new MisfitClusters();
  readonly #examples: Misfit[] = [];
  /** Sign-ins whose prompt the ruleset shows too, so that recorded actions apply. */
  readonly #shown = new Set<string>();
  #misfits = 0;

  constructor(ruleset: OwnRuleset, journey: OpenedJourney, examplesMax: number) {
    this.#replay = new OwnReplay(ruleset, journey);
    this.#examplesMax = examplesMax;
  }

  take(line: JourneyEvent): void {
    const { event, atMs } = toJournalEvent(line);
    const isAction = 'signInId' in event && promptActionTypes.includes(event.type);
    // An action at a prompt that the ruleset does not show has no effect; its sign-in is the misfit.
    if (isAction && !this.#shown.has(event.signInId)) return;
    const evaluated = this.#replay.apply(event, atMs);
    if (evaluated === null) return;
    const { verdict, signIn, input } = evaluated;
    this.#users.add(signIn.userId);
    if (verdict.outcome === 'skippable' || verdict.outcome === 'required') this.#shown.add(signIn.id);
    const kind = kindOfScreen[line.outcome.screen ?? ''];
    if (kind === undefined) return;
    const problem = compareOwnVerdict(kind, verdict, () => findDemand(this.#replay.ruleset, input)?.by ?? null);
    if (problem === null) return;
    this.#misfits += 1;
    const isFirst = !this.#misfitUsers.has(signIn.userId);
    this.#misfitUsers.add(signIn.userId);
    const expected = kinds[verdict.outcome];
    const reason = verdict.reason === null ? '' : `, because ${verdict.reason}`;
    const misfit: Misfit = {
      user: signIn.userId,
      line: line.step,
      at: line.at,
      until: line.at,
      event: [kind],
      ...problem,
      sentence: describeOwnProblem(problem, kind),
      possible: [`the ruleset gives ${verdict.outcome}${reason}`],
      allowed: [expected],
      nearest: [{ edit: 'another-event', kind: expected }, { edit: 'dropped' }],
    };
    this.#clusters.add(problem, `${kind} instead of ${expected}${reason}`, isFirst, () => misfit);
    if (isFirst && this.#examples.length < this.#examplesMax) this.#examples.push(misfit);
  }

  result(): RulesetFit {
    const users = this.#users.size;
    const fittingUsers = users - this.#misfitUsers.size;
    return {
      ruleset: this.#replay.ruleset.id,
      fits: this.#misfits === 0,
      users,
      fittingUsers,
      share: users === 0 ? 1 : fittingUsers / users,
      misfits: this.#misfits,
      clusters: this.#clusters.list(),
      examples: this.#examples,
      unstated: [],
    };
  }
}
