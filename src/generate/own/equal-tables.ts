import { listReads } from '../../../machines/own/condition.ts';
import { type FactValue, isDataGate, type OwnRules, type OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { usualNowMs } from '../../../machines/own/trial-facts.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { compileOwn } from '../../forecast/own/compile-own.ts';
import { lostUsers, NotCompiled } from '../../forecast/own/not-compiled.ts';
import { listOwnPaths } from '../../forecast/own/own-paths.ts';
import type { OwnPlan } from '../../forecast/own/own-plan.ts';
import type { OwnTables } from '../../forecast/own/own-tables.ts';
import { drawSpecs, listBuckets } from '../../forecast/own/rollout-buckets.ts';
import { describeBehavior, toKind, toStart, toTenant } from './model-plan.ts';
import { allRules, listFactors, listPaths, type SpaceFactor } from './own-space.ts';

/** Maximum number of combinations of the facts of users, of sign-ins and of a tenant in the tables of a comparison. */
const combinationsMax = 256;
const tenantsMax = 32;
const statesMax = 262_144;
const days = 500;
const dayMs = 86_400_000;

/**
 * Checks whether two rulesets do the same for every user and sign-in that their conditions distinguish, because their
 * compiled tables are the same.
 *
 * @returns true if they are the same, false if they are not, or the cause for which they could not be compiled
 */
export function areSameTables(one: OwnRuleset, other: OwnRuleset): boolean | string {
  try {
    const factors = joinFactors(listFactors(one), listFactors(other));
    const alone = findAlone(one, other);
    const both = [...allRules(one), ...allRules(other)];
    const tenants = combine(
      factors.filter(({ owner }) => owner === 'tenant'),
      tenantsMax,
    );
    return tenants.every((tenant) => {
      const [first, second] = [one, other].map((ruleset) =>
        planAll(ruleset, { factors, tenant: new Map(tenant), alone, both }),
      );
      return (
        first !== undefined &&
        second !== undefined &&
        haveSameDraws(first, second) &&
        sameTables(compileKnown(first), compileKnown(second))
      );
    });
  } catch (error) {
    if (error instanceof NotCompiled) return `${error.code} ${error.path.join('.')}: ${error.message}`;
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** Compiles a plan. Throws `NotCompiled` too if some users have no example, because nothing is known of them. */
function compileKnown(plan: OwnPlan): OwnTables {
  const tables = compileOwn(plan, statesMax);
  if (tables.isLost.includes(1)) throw lostUsers();
  return tables;
}

function joinFactors(one: readonly SpaceFactor[], other: readonly SpaceFactor[]): readonly SpaceFactor[] {
  const joined = new Map(one.map((factor) => [factor.path, factor]));
  for (const factor of other) {
    const known = joined.get(factor.path);
    const values = [...(known?.values ?? []), ...factor.values];
    const unique = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
    joined.set(factor.path, { ...factor, values: unique });
  }
  return [...joined.values()].map((factor, index) =>
    // Time passes in the tables, so one instant ahead stands for all regions of an instant.
    factor.isInstant ? { ...factor, values: [null, usualNowMs + (10 + index) * dayMs] } : factor,
  );
}

/** Rollouts place the same units in and out, so that users of both tables can be compared one by one. */
function haveSameDraws(one: OwnPlan, other: OwnPlan): boolean {
  return canonicalJson(drawSpecs(one.ruleset, one.tenant)) === canonicalJson(drawSpecs(other.ruleset, other.tenant));
}

/**
 * Finds the facts that only one gate reads, which reads nothing else and is the same in both rulesets. Of several such
 * gates, the first that stops is the reason and nothing else follows from the others, so their facts need not be combined.
 */
function findAlone(one: OwnRuleset, other: OwnRuleset): ReadonlySet<string> {
  const writeGates = ({ first }: OwnRuleset): string => JSON.stringify([first.gates, first.trigger]);
  if (one.editions.length + other.editions.length > 0 || writeGates(one) !== writeGates(other)) return new Set();
  const gates = one.first.gates.filter(isDataGate);
  const candidates = [
    ...gates.flatMap(({ when, skipIf }) => (skipIf === null ? [listReads(when)] : [])),
    ...(one.first.trigger.factors === null ? [] : [listReads(one.first.trigger.factors)]),
  ].flatMap((reads) => (new Set(reads).size === 1 ? [reads[0] ?? ''] : []));
  const changed = [one, other].flatMap(({ first }) => [...first.completion.set, ...first.completion.add]);
  const all = [one, other].map(({ first }) => listPaths(first));
  return new Set(
    candidates.filter(
      (path) =>
        all.every((paths) => paths.filter((read) => read === path).length === 1) &&
        !changed.some((change) => change.path === path) &&
        path !== 'attempt.os',
    ),
  );
}

type Combination = readonly (readonly [string, FactValue])[];

function combine(factors: readonly SpaceFactor[], most = combinationsMax): readonly Combination[] {
  let all: readonly Combination[] = [[]];
  for (const { path, values } of factors) {
    all = all.flatMap((one) => values.map((value): Combination => [...one, [path, value]]));
    if (all.length > most) throw new RangeError(`its facts have more than ${most} combinations`);
  }
  return all;
}

/** Combines all facts but those that can be changed one at a time. */
function combineOwner(
  factors: readonly SpaceFactor[],
  owner: SpaceFactor['owner'],
  alone: ReadonlySet<string>,
): readonly Combination[] {
  const own = factors.filter((factor) => factor.owner === owner);
  const base = combine(own.filter(({ path }) => !alone.has(path)));
  const singles = own.flatMap(({ path, values }) =>
    alone.has(path) ? values.map((value) => [path, value] as const) : [],
  );
  return [...base, ...base.flatMap((one) => singles.map((single): Combination => [...one, single]))];
}

/** Plans users and sign-ins with the values that the conditions distinguish. */
function planAll(
  ruleset: OwnRuleset,
  {
    factors,
    tenant,
    alone,
    both,
  }: {
    readonly factors: readonly SpaceFactor[];
    readonly tenant: ReadonlyMap<string, FactValue>;
    readonly alone: ReadonlySet<string>;
    readonly both: readonly OwnRules[];
  },
): OwnPlan {
  const users = combineOwner(factors, 'user', alone);
  const attempts = combineOwner(factors, 'attempt', alone);
  const paths = listOwnPaths(ruleset);
  const names = paths.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  const behavior = describeBehavior(names, days);
  const ofTenant = toTenant(ruleset, tenant);
  const specs = drawSpecs(ruleset, ofTenant);
  const sessions = both.some(({ answers: all }) =>
    Object.values(all).some(({ effects }) => effects.includes('session')),
  );
  const parts = both.flatMap(({ ledger }) => ledger.keys.flat());
  const devices = parts.includes('device') || parts.includes('browser') ? ['device-1', 'device-2'] : ['device-1'];
  const kinds = attempts.flatMap((one) =>
    devices.flatMap((device) =>
      (sessions ? [false, true] : [false]).flatMap((sameSession) =>
        listBuckets(specs, 'signIn', 8).map(({ ids }) => ({
          ...toKind(ruleset, new Map(one), device),
          sameSession,
          ids,
        })),
      ),
    ),
  );
  const starts = users.flatMap((one) =>
    listBuckets(specs, 'user', 1).map(({ ids: [id = 'user-1'] }) => {
      const start = toStart(ruleset, new Map(one), users.length);
      return { ...start, user: { ...start.user, id } };
    }),
  );
  const { description, signIn, answers } = behavior;
  const segment = { name: 'everybody', share: 1, users: starts, kinds, signIn, answers };
  return { description, ruleset, tenant: ofTenant, startMs: usualNowMs, segments: [segment], paths, hasDevices: true };
}

const compared = [
  'reasons',
  'startClass',
  'startTimes',
  'slotsOf',
  'stockOf',
  'statusOf',
  'cellTurn',
  'turnReason',
  'turnTarget',
  'turnMoves',
  'turnSnoozes',
  'moves',
  'boundsAt',
  'boundSlot',
  'boundOffset',
  'boundCalendar',
  'boundTarget',
  'boundMoves',
  'boundSnoozes',
] as const;

function sameTables(one: OwnTables, other: OwnTables): boolean {
  return (
    compared.every((name) => sameNumbers(one[name], other[name])) &&
    JSON.stringify(one.calendars) === JSON.stringify(other.calendars)
  );
}

function sameNumbers(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  return one.length === other.length && Array.from(one).every((value, index) => Object.is(value, other[index]));
}
