import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import { rulesets as builtInRulesets, rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import type { AnalysisResult, ComparisonRequest } from '../../contract/analysis.schema.ts';
import type { ComparedAttempt } from '../../contract/compared-attempt.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { analysisAttemptsListedMax, analysisUsersListedMax } from '../../core/limits.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { exportJourney } from '../../journal/journeys/export-journey.ts';
import type { LoadedRuleset } from '../../journal/ruleset-registry.ts';
import type { JournalStore } from '../../journal/store.ts';
import { compareJourney } from '../../replay/compare/compare-journey.ts';
import { compareOwnJourney, type OwnVariant } from '../../replay/compare/compare-own-journey.ts';
import type { Variant } from '../../replay/compare/variant-evaluator.ts';
import { type OpenedJourney, openJourney } from '../../replay/read-journey.ts';
import { policyApplied, turnedOn } from '../compare/variants.ts';
import { loadMapping } from '../import/import-exports.ts';

/** Journal of a comparison, with the number of its entries and a progress callback. */
export interface ComparedJournal {
  readonly store: JournalStore;
  readonly sandboxId: string;
  readonly entries: number;
  /** Rulesets of files that the sandbox and the variants name. */
  readonly rulesets: ReadonlyMap<string, LoadedRuleset>;
  readonly onProgress: (share: number) => void;
}

type ChangedUser = Extract<AnalysisResult, { kind: 'comparison' }>['changedUsers'][number];

/**
 * Compares the verdicts of a journal under its own policies with those under other policies. Throws `bad-request`
 * with all problems of a policy.
 */
export async function compareAnalysis(order: ComparisonRequest, journal: ComparedJournal): Promise<AnalysisResult> {
  const { assumedAction, user } = order;
  const { store, sandboxId, rulesets } = journal;
  for (const [index, { ruleset }] of order.variants.entries()) {
    refuseUnknownRuleset(ruleset, `variants.${index}.ruleset`, rulesets);
  }
  const changed = new Map<string, ChangedUser>();
  const timeline: ComparedAttempt[] = [];
  const see = (attempt: ComparedAttempt): void => {
    if (user !== undefined && timeline.length < analysisAttemptsListedMax) timeline.push(attempt);
    if (user === undefined) note(changed, attempt);
  };
  const lines = await exportJourney({ store, sandboxId, digest: '' });
  const opened = counted(await openJourney(encodeLines(lines)), journal);
  const common = { assumedAction, see, ...(user === undefined ? {} : { user }) };
  const baseline = rulesets.get(opened.head.line.ruleset);
  const comparison =
    baseline?.base === 'own'
      ? await compareOwnJourney(opened, sandboxId, {
          ...common,
          baseline: baseline.ruleset,
          variants: order.variants.map((variant, index) => createOwnVariant(variant, index, rulesets)),
        })
      : await compareJourney(opened, sandboxId, {
          ...common,
          ruleset: seedRuleset,
          variants: order.variants.map((variant, index) => createVariant(variant, index, rulesets)),
        });
  return {
    kind: 'comparison',
    comparison,
    changedUsers: [...changed.values()],
    timeline: user === undefined ? null : timeline.map((attempt) => ({ ...attempt })),
  };
}

type VariantOrder = ComparisonRequest['variants'][number];
type KnownRulesets = ComparedJournal['rulesets'];

function createVariant(
  { name, policy, rollout, ruleset }: VariantOrder,
  index: number,
  rulesets: KnownRulesets,
): Variant {
  const apply = policy === undefined ? turnedOn(rollout) : policyApplied(policy, rollout, loadMapping(null, '.'));
  return { name, apply, ruleset: findRuleset(ruleset, `variants.${index}.ruleset`, rulesets) };
}

function findRuleset(id: string | undefined, place: string, known: KnownRulesets): Ruleset | null {
  if (id === undefined) return null;
  const found = builtInRulesets.get(id);
  if (found !== undefined) return found;
  const loaded = known.get(id);
  if (loaded?.base === 'registration-campaign') return loaded.ruleset;
  throw otherBase(id, place, 'registration-campaign');
}

function refuseUnknownRuleset(id: string | undefined, place: string, known: KnownRulesets): void {
  if (id === undefined || builtInRulesets.has(id) || known.has(id)) return;
  throw new NudgeLabError('bad-request', {
    problems: [{ location: place, message: describeUnknownName(id, [...rulesetIds, ...known.keys()]) }],
  });
}

/** Returns another own ruleset for the journal of an own campaign, which has no policy and no rollout switches. */
function createOwnVariant(
  { name, policy, rollout, ruleset: id }: VariantOrder,
  index: number,
  known: KnownRulesets,
): OwnVariant {
  const place = `variants.${index}`;
  const loaded = id === undefined ? undefined : known.get(id);
  if (policy !== undefined || rollout.length > 0 || id === undefined) {
    const message = 'names no ruleset, or a policy; the sandbox has an own campaign, which only rulesets change';
    throw new NudgeLabError('bad-request', { problems: [{ location: place, message }] });
  }
  if (loaded?.base === 'own') return { name, ruleset: loaded.ruleset };
  throw otherBase(id, `${place}.ruleset`, 'own');
}

function otherBase(id: string, location: string, base: LoadedRuleset['base']): NudgeLabError {
  const message = `the ruleset ${id} has another base than that of the sandbox, ${base}`;
  return new NudgeLabError('rulesets-not-comparable', { problems: [{ location, message }] });
}

/** Counts a changed attempt for its user. Only the first users are listed. */
function note(users: Map<string, ChangedUser>, { variant, user, before, after }: ComparedAttempt): void {
  const key = `${variant} ${user}`;
  const known = users.get(key);
  if (known === undefined && users.size >= analysisUsersListedMax) return;
  const counts = known ?? { variant, user, attempts: 0, newlyPrompted: 0, noLongerPrompted: 0, newlyRequired: 0 };
  const prompted = [before, after].map(({ outcome }) => Number(outcome !== 'none')) as [number, number];
  users.set(key, {
    ...counts,
    attempts: counts.attempts + 1,
    newlyPrompted: counts.newlyPrompted + Math.max(0, prompted[1] - prompted[0]),
    noLongerPrompted: counts.noLongerPrompted + Math.max(0, prompted[0] - prompted[1]),
    newlyRequired: counts.newlyRequired + Number(after.outcome === 'required' && before.outcome !== 'required'),
  });
}

/** Number of journal events between progress reports. */
const inputsAtOnce = 500;

function counted(journey: OpenedJourney, { entries, onProgress }: ComparedJournal): OpenedJourney {
  const { rest } = journey;
  async function* counting(): OpenedJourney['rest'] {
    let read = 0;
    for await (const line of rest) {
      read += 1;
      if (read % inputsAtOnce === 0) onProgress(Math.min(1, read / entries));
      yield line;
    }
  }
  return { ...journey, rest: counting() };
}

async function* encodeLines(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(`${line}\n`);
}
