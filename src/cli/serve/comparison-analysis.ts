import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import { rulesetIds, rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import type { AnalysisResult, ComparisonRequest } from '../../contract/analysis.schema.ts';
import type { ComparedAttempt } from '../../contract/compared-attempt.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { analysisAttemptsListedMax, analysisUsersListedMax } from '../../core/limits.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { exportJourney } from '../../journal/journeys/export-journey.ts';
import type { JournalStore } from '../../journal/store.ts';
import { compareJourney } from '../../replay/compare/compare-journey.ts';
import type { Variant } from '../../replay/compare/variant-evaluator.ts';
import { type OpenedJourney, openJourney } from '../../replay/read-journey.ts';
import { policyApplied, turnedOn } from '../compare/variants.ts';
import { loadMapping } from '../import/import-exports.ts';

/** Journal of a comparison, with the number of its entries and a progress callback. */
export interface ComparedJournal {
  readonly store: JournalStore;
  readonly sandboxId: string;
  readonly entries: number;
  readonly onProgress: (share: number) => void;
}

type ChangedUser = Extract<AnalysisResult, { kind: 'comparison' }>['changedUsers'][number];

/**
 * Compares the verdicts of a journal under its own policies with those under other policies. Throws `bad-request`
 * with all problems of a policy.
 */
export async function compareAnalysis(order: ComparisonRequest, journal: ComparedJournal): Promise<AnalysisResult> {
  const { assumedAction, user } = order;
  const { store, sandboxId } = journal;
  const variants = order.variants.map(createVariant);
  const changed = new Map<string, ChangedUser>();
  const timeline: ComparedAttempt[] = [];
  const see = (attempt: ComparedAttempt): void => {
    if (user !== undefined && timeline.length < analysisAttemptsListedMax) timeline.push(attempt);
    if (user === undefined) note(changed, attempt);
  };
  const lines = await exportJourney({ store, sandboxId, digest: '' });
  const opened = counted(await openJourney(encodeLines(lines)), journal);
  const options = { variants, assumedAction, ruleset: seedRuleset, see, ...(user === undefined ? {} : { user }) };
  const comparison = await compareJourney(opened, sandboxId, options);
  return {
    kind: 'comparison',
    comparison,
    changedUsers: [...changed.values()],
    timeline: user === undefined ? null : timeline.map((attempt) => ({ ...attempt })),
  };
}

function createVariant(
  { name, policy, rollout, ruleset }: ComparisonRequest['variants'][number],
  index: number,
): Variant {
  const apply = policy === undefined ? turnedOn(rollout) : policyApplied(policy, rollout, loadMapping(null, '.'));
  return { name, apply, ruleset: findRuleset(ruleset, `variants.${index}.ruleset`) };
}

function findRuleset(id: string | undefined, place: string): Ruleset | null {
  if (id === undefined) return null;
  const found = rulesets.get(id);
  if (found !== undefined) return found;
  throw new NudgeLabError('bad-request', {
    problems: [{ location: place, message: describeUnknownName(id, rulesetIds) }],
  });
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
