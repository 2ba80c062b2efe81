import { fixedFacts } from '../../../machines/own/own-facts.ts';
import { type Operand, type OwnRules, type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { getOwnUser, type OwnState } from '../../../machines/own/own-state.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import { earlierSignIns } from './open-conditions.ts';
import { rolloutDraw } from './open-rules.ts';
import { ownLogUser } from './own-steps.ts';

/** Facts of the history that a log never completes, because what was before it counts. */
const keptPaths = ['kept.createdAt', 'kept.signIns', 'kept.shown', 'kept.firstShownAt', earlierSignIns];

/** Lists the paths of a user's facts that completed setups change. */
export function listCompleted({ first, editions }: OwnRuleset): readonly string[] {
  const completions = [first, ...editions.map(({ rules }) => rules)].map(({ completion }) => completion);
  const paths = completions.flatMap(({ set, add }) => [...set, ...add].map(({ path }) => path));
  return [...new Set(['user.methods', 'user.passkeys', ...paths])];
}

/** Lists the paths of the facts of a sign-in. */
export function listAttemptPaths({ facts }: Pick<OwnRuleset, 'facts'>): readonly string[] {
  const fixed = [...fixedFacts.keys()].filter((path) => path.startsWith('attempt.') && path !== 'attempt.nowMs');
  return [...fixed, ...Object.keys(facts.attempt).map((name) => `attempt.facts.${name}`)];
}

/**
 * Returns the paths of everything that is unknown at an event besides the ledger.
 *
 * @param open - facts that are unknown or that the event does not state
 * @param state - state before the event
 * @param ruleset - ruleset of the log
 * @param atMs - time of the event
 */
export function listUnknown(
  open: Iterable<string>,
  { tenant, users }: OwnState,
  ruleset: OwnRuleset,
  atMs: number,
): ReadonlySet<string> {
  const unknown = new Set([...open, ...keptPaths]);
  if (getOwnUser({ users }, ownLogUser).signInTimesMs.length === 0) unknown.add('kept.previousSignInAt');
  if (dependsOnDraw(rulesAt(ruleset, atMs), tenant, atMs)) unknown.add(rolloutDraw);
  return unknown;
}

/** Returns `true` if the verdict of a sign-in depends on a draw, which a log does not state. */
export function dependsOnDraw(rules: OwnRules, tenant: OwnState['tenant'], atMs: number): boolean {
  const percent = readPercent(rules, tenant, atMs);
  const isWhole = percent === 0 || percent === 100;
  return rules.rollout !== null && !(isWhole && rules.rollout.variants.length === 0);
}

/**
 * Returns the facts that are unknown after an event: a completed setup sets some, and a removed method hides the rest.
 *
 * @param before - facts of the tenant and the user that were unknown before the event
 * @param all - everything that was unknown at the event
 * @param kind - kind of the event; `null` if only time passes
 * @param rules - rules at the time of the event
 * @param isChanging - `true` if unknown facts of a user can change without an event of the log
 */
export function learnFacts(
  before: ReadonlySet<string>,
  all: ReadonlySet<string>,
  kind: LogEventKind | null,
  { completion: { set, add } }: OwnRules,
  isChanging: boolean,
): ReadonlySet<string> {
  // Removing a method leaves none, as it does for a user whose past is known.
  if (kind === 'method-removed' && !isChanging) {
    return new Set([...before].filter((path) => path !== 'user.methods' && path !== 'user.passkeys'));
  }
  if (kind !== 'registered') return before;
  const isRead = ({ value }: { readonly value: Operand | 'now' }): boolean =>
    value === 'now' || !('fact' in value && all.has(value.fact));
  const left = [...before].filter((path) => !set.some((one) => one.path === path && isRead(one)));
  return new Set([...left, ...[...set, ...add].flatMap((one) => (isRead(one) ? [] : [one.path]))]);
}

/** Returns the share of the rollout in percent; not a number if it follows from a fact. */
function readPercent({ rollout, settings }: OwnRules, tenant: OwnState['tenant'], atMs: number): unknown {
  if (rollout === null) return 100;
  const step = rollout.steps.findLast(({ fromMs }) => fromMs <= atMs);
  if (step !== undefined) return step.percent;
  const { percent } = rollout;
  if ('constant' in percent) return percent.constant;
  if ('fact' in percent) return Number.NaN;
  return tenant.settings[percent.setting] ?? settings[percent.setting]?.default;
}
