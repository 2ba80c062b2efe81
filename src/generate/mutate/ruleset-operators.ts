import { type CampaignLimits, campaignLimits } from '../../../machines/campaign-limits.ts';
import { evaluate } from '../../../machines/evaluate.ts';
import { nudgeMachineUnder } from '../../../machines/nudge.machine.ts';
import { datelessRulesets as rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { RuleId, Ruleset, Verdict } from '../../../machines/vocabulary.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import type { FaultyPart, ModelMutant, RuleOperator } from './model-mutant.ts';

/** Rules and assumptions behind the data of a ruleset, by data key. */
const sources: Readonly<Record<string, readonly string[]>> = {
  matrix: ['R12', 'R11.3'],
  profiles: ['R11.7', 'A30'],
  providerManaged: ['A19', 'A30'],
};

const limitSources: { readonly [K in keyof CampaignLimits]: readonly string[] } = {
  snoozeLimit: ['R6', 'A42'],
  snoozeDaysDefault: ['R5', 'A6'],
  dayMs: ['R5', 'A6'],
  promptLifetimeMs: ['A25', 'A40'],
};

/**
 * Creates the mutants of each ruleset's data (order, matrix, provider values) and of the limits that all rulesets
 * share.
 */
export function rulesetMutants(): readonly ModelMutant[] {
  return [
    ...[...rulesets.values()].flatMap((ruleset) => [...orderMutants(ruleset), ...dataMutants(ruleset)]),
    ...limitMutants(),
    ...promptMutants(),
  ];
}

function orderMutants(ruleset: Ruleset): readonly ModelMutant[] {
  const { id, order } = ruleset;
  return order.flatMap((gate, at) => {
    const without = order.toSpliced(at, 1);
    const next = order[at + 1];
    const removed = mutant(ruleset, 'gate-removed', `leaves ${gate} out`, [gate], { order: without });
    if (next === undefined) return [removed];
    const swapped = order.toSpliced(at, 2, next, gate);
    return [removed, mutant(ruleset, 'gates-swapped', `asks ${next} before ${gate}`, [gate, next], { order: swapped })];
  });

  function mutant(
    of: Ruleset,
    operator: RuleOperator,
    what: string,
    gates: readonly RuleId[],
    change: Partial<Ruleset>,
  ): ModelMutant {
    return withRuleset(
      of,
      { operator, what: `ruleset ${id} ${what}`, rules: gates, part: 'evaluator' },
      { ...of, ...change },
    );
  }
}

interface Fault {
  readonly operator: RuleOperator;
  readonly what: string;
  readonly rules: readonly string[];
  readonly part: FaultyPart;
}

function withRuleset({ id }: Ruleset, { operator, what, rules, part }: Fault, changed: Ruleset): ModelMutant {
  const all = new Map([...rulesets].map(([name, one]) => [name, name === id ? changed : one]));
  return { id: what, operator, place: `ruleset ${id}`, part, rules, parts: { rulesets: all } };
}

/** Creates mutants of every boolean, number and text in a ruleset's data, except for its order and its limits. */
function dataMutants(ruleset: Ruleset): readonly ModelMutant[] {
  const { id, order: _order, limits: _shared, ...data } = ruleset;
  return listLeaves(data, []).flatMap(({ path, value }) =>
    otherValues(path, value, ruleset).map((other) => {
      const [key = ''] = path;
      const operator = key === 'matrix' ? 'cell-flipped' : 'value-changed';
      const what = `ruleset ${id} ${path.join('.')}: ${String(other)} in place of ${String(value)}`;
      const part = key === 'matrix' ? 'evaluator' : 'ruleset';
      const changed = replaced(ruleset, path, other) as Ruleset;
      return withRuleset(ruleset, { operator, what, rules: sources[key] ?? [], part }, changed);
    }),
  );
}

function otherValues(path: readonly string[], value: unknown, { id }: Ruleset): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1];
  // A top-level text can take the value of another ruleset, but nested texts define how the other data is read.
  if (path.length > 1) return [];
  const others = [...rulesets.values()]
    .filter((one) => one.id !== id)
    .map((one) => (one as unknown as Record<string, unknown>)[path[0] ?? '']);
  return [...new Set(others)].filter((other) => other !== value);
}

function limitMutants(): readonly ModelMutant[] {
  return (Object.keys(campaignLimits) as (keyof CampaignLimits)[]).flatMap((key) =>
    [1, -1].map((by): ModelMutant => {
      const limits = { ...campaignLimits, [key]: campaignLimits[key] + by };
      return {
        id: `limit ${key}: one ${by > 0 ? 'more' : 'less'}`,
        operator: 'limit-shifted',
        place: `limit ${key}`,
        part: 'limits',
        rules: limitSources[key],
        parts: {
          rulesets: new Map([...rulesets].map(([id, ruleset]) => [id, { ...ruleset, limits }])),
          nudge: nudgeMachineUnder(limits),
        },
      };
    }),
  );
}

/** Creates mutants of the prompt after all gates pass (R6, A2). */
function promptMutants(): readonly ModelMutant[] {
  const fault = (
    what: string,
    operator: RuleOperator,
    bent: NonNullable<ModelMutant['parts']['evaluate']>,
  ): ModelMutant => ({
    id: `prompt ${what}`,
    operator,
    place: 'prompt',
    part: 'evaluator',
    rules: ['R6', 'A2'],
    parts: { evaluate: bent },
  });
  const outcome =
    (change: (verdict: Verdict) => Verdict['outcome']) =>
    (...given: Parameters<typeof evaluate>) => {
      const verdict = evaluate(...given);
      return verdict.outcome === 'none' ? verdict : { ...verdict, outcome: change(verdict) };
    };
  return [
    fault(
      'is never required',
      'gate-always-met',
      outcome(() => 'skippable'),
    ),
    fault(
      'is always required',
      'gate-always-stops',
      outcome(() => 'required'),
    ),
    fault(
      'is required where it is skippable and vice versa',
      'outcome-flipped',
      outcome((verdict) => (verdict.outcome === 'required' ? 'skippable' : 'required')),
    ),
    ...[1, -1].map((by) =>
      fault(`reads the count as one ${by > 0 ? 'more' : 'less'}`, 'boundary-shifted', ({ user, ...facts }, ruleset) => {
        const snooze = { ...user.snooze, count: user.snooze.count + by };
        return evaluate({ ...facts, user: { ...user, snooze } }, ruleset);
      }),
    ),
  ];
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function listLeaves(value: unknown, path: readonly string[]): readonly Leaf[] {
  if (isPlainObject(value)) return Object.entries(value).flatMap(([key, inner]) => listLeaves(inner, [...path, key]));
  return [{ path, value }];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  const held = value as Readonly<Record<string, unknown>>;
  return { ...held, [key]: replaced(held[key], rest, other) };
}
