import { drawShare, drawVariant } from '../../../../machines/own/draw.ts';
import { countsSignIns, listConditions } from '../../../../machines/own/list-conditions.ts';
import {
  type Condition,
  type DeadlineEnd,
  type DeclaredFacts,
  type DurationOperand,
  type FactAtom,
  type FactDefinition,
  type FactValue,
  isModuleGate,
  type OwnDuration,
  type OwnRules,
  type OwnRuleset,
} from '../../../../machines/own/own-ruleset.ts';
import { FactSpace, type Period } from '../../../../machines/own/representatives.ts';
import { TrialFacts } from '../../../../machines/own/trial-facts.ts';
import { NudgeLabError } from '../../../core/errors.ts';

/** Two values of the same kind: that of the first ruleset and that of the second. */
export type Pair<T> = readonly [T, T];

/**
 * Returns the declared facts of both rulesets.
 *
 * @throws NudgeLabError `rulesets-not-comparable` for a fact that both declare with unlike types
 */
export function joinFacts([one, other]: Pair<OwnRuleset>): DeclaredFacts {
  const join = (owner: keyof DeclaredFacts): Readonly<Record<string, FactDefinition>> =>
    joinDefinitions([one.facts[owner], other.facts[owner]], `${owner}.facts`, [one.id, other.id]);
  return { tenant: join('tenant'), user: join('user'), attempt: join('attempt') };
}

function joinDefinitions(
  [one, other]: Pair<Readonly<Record<string, FactDefinition>>>,
  group: string,
  [id, otherId]: Pair<string>,
): Readonly<Record<string, FactDefinition>> {
  const joined: Record<string, FactDefinition> = { ...one };
  for (const [name, definition] of Object.entries(other)) {
    const known = one[name];
    if (known !== undefined && known.type !== definition.type) {
      throw new NudgeLabError('rulesets-not-comparable', {
        message: `${group}.${name} is of type ${known.type} in ${id} and of type ${definition.type} in ${otherId}; give one of them another name.`,
      });
    }
    joined[name] =
      known === undefined ? definition : { ...known, values: [...new Set([...known.values, ...definition.values])] };
  }
  return joined;
}

/** Values of the facts that the rules of both rulesets in one period distinguish. */
export interface ComparedSpace {
  readonly space: FactSpace;
  /** Ids by the path of what a rollout draws by: one for each combination of being rolled out. */
  readonly units: ReadonlyMap<string, readonly FactValue[]>;
  /** Defaults of facts and settings that differ between the rulesets, by path. */
  readonly defaults: ReadonlyMap<string, Pair<FactValue>>;
  /**
   * True if the values stand for all others: no rule counts sign-ins in a window, all
   * modules have samples, and no variant changes settings.
   */
  readonly exact: boolean;
}

/** Creates the values of facts for two rules of one period. */
export function compareSpaces(
  rulesets: Pair<OwnRuleset>,
  rules: Pair<OwnRules>,
  facts: DeclaredFacts,
  period: Period,
): ComparedSpace {
  const [one, other] = rules;
  const settings = joinDefinitions([one.settings, other.settings], 'tenant.settings', [rulesets[0].id, rulesets[1].id]);
  const ecosystems = { ...other.ledger.ecosystems, ...one.ledger.ecosystems };
  const setting = { rules: { ...one, settings, ledger: { ...one.ledger, ecosystems } }, facts, period };
  const conditions = rules.flatMap((part) => [...listConditions(part), ...timeConditions(part)]);
  const modules = rules.flatMap(({ gates }) => gates.filter(isModuleGate));
  const units = [...new Set(rules.flatMap(({ rollout }) => (rollout === null ? [] : [unitPaths[rollout.by]])))];
  const space = new FactSpace(setting, conditions, modules);
  return {
    space,
    units: new Map(units.map((path) => [path, drawUnits(path, rules)])),
    defaults: listDefaults(rulesets, rules),
    exact:
      !conditions.some(countsSignIns) &&
      modules.every(({ reads }) => reads.length > 0 && reads.every((path) => space.hasSamples(path))) &&
      rules.every(
        ({ rollout }) => rollout === null || (rollout.variants.length === 0 && 'constant' in rollout.percent),
      ),
  };
}

function listDefaults(rulesets: Pair<OwnRuleset>, rules: Pair<OwnRules>): ReadonlyMap<string, Pair<FactValue>> {
  const [one, other] = rulesets.map(({ facts }, index) => [
    ...(['tenant', 'user', 'attempt'] as const).flatMap((owner) =>
      Object.entries(facts[owner]).map(([name, definition]) => [`${owner}.facts.${name}`, definition.default] as const),
    ),
    ...Object.entries(rules[index]?.settings ?? {}).map(
      ([name, definition]) => [`tenant.settings.${name}`, definition.default] as const,
    ),
  ]);
  const others = new Map(other);
  return new Map(
    (one ?? []).flatMap(([path, value]): readonly (readonly [string, Pair<FactValue>])[] => {
      const second = others.get(path);
      return second === undefined || JSON.stringify(second) === JSON.stringify(value) ? [] : [[path, [value, second]]];
    }),
  );
}

const unitPaths = {
  user: 'user.id',
  tenant: 'tenant.id',
  device: 'attempt.deviceId',
  browser: 'attempt.browserId',
  signIn: 'attempt.id',
} as const;

/** Maximum number of ids from which those of each part of a rollout are taken. */
const idsMax = 2_000;

/** Returns ids of a unit: one for each combination of being rolled out, and of variants. */
function drawUnits(path: string, rules: Pair<OwnRules>): readonly FactValue[] {
  const ids = new Map<string, string>();
  for (let number = 1; number <= idsMax; number += 1) {
    const id = `${path.split('.')[0]}-${number}`;
    const trial = new TrialFacts();
    trial.set(path, id);
    const parts = rules.map(({ rollout }) => {
      if (rollout === null || unitPaths[rollout.by] !== path) return '';
      const { percent } = rollout;
      const percents = [
        'constant' in percent ? Number(percent.constant) : 50,
        ...rollout.steps.map((step) => step.percent),
      ];
      const share = drawShare(rollout, trial.facts);
      return `${percents.map((one) => share < one / 100).join()} ${drawVariant(rollout, trial.facts)?.id ?? ''}`;
    });
    const key = parts.join(';');
    if (!ids.has(key)) ids.set(key, id);
  }
  return [...ids.values()];
}

/** Returns conditions with the times that a deadline and a rollout compare with. */
function timeConditions({ deadline, rollout, settings }: OwnRules): readonly Condition[] {
  const atom = (fact: string, operator: FactAtom['operator'], value: FactAtom['value']): Condition => ({
    atom: { fact, operator, value, missing: 'fail' },
  });
  const steps = (rollout?.steps ?? []).map(({ fromMs }) => atom('attempt.nowMs', 'since', { constant: fromMs }));
  if (deadline === null) return steps;
  const { opens } = deadline;
  const ofEnd = (end: DeadlineEnd): readonly Condition[] => {
    const fact = 'at' in end ? pathIn(end.at) : end.since === 'created' ? 'kept.createdAt' : pathIn(end.since);
    const after = 'after' in end ? [end.after] : [];
    const opening = opens === null ? [] : [opens, { constant: openingAfter(after[0] ?? noTime, opens, settings) }];
    const durations = [...after, ...opening];
    return [
      ...('at' in end && 'constant' in end.at ? [atom('attempt.nowMs', 'since', end.at)] : []),
      ...durations.map((duration) => atom(fact, 'olderThan', duration)),
    ];
  };
  return [...steps, ...deadline.ends.flatMap(ofEnd)];
}

const noTime: DurationOperand = { constant: { ms: 0, months: 0 } };

/** Returns the time from the start of a deadline's period until it opens. It is negative if it opens before that start. */
function openingAfter(after: DurationOperand, opens: DurationOperand, settings: OwnRules['settings']): OwnDuration {
  const [whole, early] = [after, opens].map((operand): OwnDuration => {
    if ('constant' in operand) return operand.constant;
    const value = 'setting' in operand ? settings[operand.setting]?.default : null;
    return { ms: typeof value === 'number' ? value : 0, months: 0 };
  });
  return { ms: (whole?.ms ?? 0) - (early?.ms ?? 0), months: (whole?.months ?? 0) + (early?.months ?? 0) };
}

function pathIn(operand: unknown): string {
  if (typeof operand !== 'object' || operand === null) return 'attempt.nowMs';
  if ('fact' in operand) return String(operand.fact);
  return 'setting' in operand ? `tenant.settings.${String(operand.setting)}` : 'attempt.nowMs';
}
