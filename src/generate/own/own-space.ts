import { listReads } from '../../../machines/own/condition.ts';
import { listConditions } from '../../../machines/own/list-conditions.ts';
import { fixedFacts } from '../../../machines/own/own-facts.ts';
import {
  type FactValue,
  isModuleGate,
  type Operand,
  type OwnRules,
  type OwnRuleset,
} from '../../../machines/own/own-ruleset.ts';
import { FactSpace } from '../../../machines/own/representatives.ts';

/** Fact or setting that a ruleset depends on, with a value of each region that it distinguishes. */
export interface SpaceFactor {
  readonly path: string;
  readonly owner: 'tenant' | 'user' | 'attempt';
  readonly isInstant: boolean;
  /** Values, the usual one first. */
  readonly values: readonly FactValue[];
}

/** Facts that scenarios cannot state, because they follow from the steps. */
const derived = new Set([
  'tenant.id',
  'user.id',
  'attempt.deviceId',
  'attempt.browserId',
  'attempt.sessionId',
  'attempt.nowMs',
]);

const valuesMax = 12;

/** Lists the rules of all editions. */
export function allRules({ first, editions }: OwnRuleset): readonly OwnRules[] {
  return [first, ...editions.map(({ rules }) => rules)];
}

/**
 * Lists the facts and settings that decide the verdicts of a ruleset (OC49): booleans and enums with all values, numbers
 * by their boundaries, instants by the regions of their conditions, and texts by their comparisons and one other.
 */
export function listFactors(ruleset: OwnRuleset): readonly SpaceFactor[] {
  const all = allRules(ruleset);
  const paths = [...new Set(all.flatMap(listPaths))].filter((path) => !derived.has(path) && !path.startsWith('kept.'));
  const spaces = all.map(
    (rules) =>
      new FactSpace(
        {
          rules,
          facts: ruleset.facts,
          period: { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY },
        },
        listConditions(rules),
        rules.gates.filter(isModuleGate),
      ),
  );
  return paths.map((path): SpaceFactor => {
    const owner = path.slice(0, path.indexOf('.')) as SpaceFactor['owner'];
    const values = spaces.flatMap((space) => space.read(path).values);
    const unique = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
    const isInstant = spaces.some((space) => space.isInstant(path));
    if (path === 'attempt.os') return { path, owner, isInstant, values: listSystems(all) };
    // Half of the draws are inside a rollout of 50 percent, so that both sides are reached.
    const half = all.some(({ rollout }) => readPath(rollout?.percent)[0] === path) ? [50] : [];
    // Modules name the values that they distinguish, which are kept before others.
    const samples = all.flatMap(({ gates }) => gates.filter(isModuleGate).flatMap((gate) => gate.samples[path] ?? []));
    return { path, owner, isInstant, values: distinct([...half, ...unique.slice(0, 1), ...samples, ...unique]) };
  });
}

function distinct(values: readonly FactValue[]): readonly FactValue[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()].slice(0, valuesMax);
}

/** One operating system of each ecosystem, and one of none. */
function listSystems(all: readonly OwnRules[]): readonly FactValue[] {
  const systems = all.flatMap(({ ledger }) => Object.values(ledger.ecosystems));
  const other = (fixedFacts.get('attempt.os')?.values ?? []).filter((os) => !systems.flat().includes(os as 'windows'));
  return [...new Set(['windows', ...systems.flatMap((list) => list.slice(0, 1)), ...other.slice(0, 1)])];
}

/** Lists the paths of the facts and settings that rules read, as often as they read them. */
export function listPaths(rules: OwnRules): readonly string[] {
  const { trigger, gates, matrix, ledger, deadline, cadence, limit, rollout, answers } = rules;
  const ends = deadline?.ends.flatMap((end) => ('at' in end ? [end.at] : [end.after, end.since])) ?? [];
  const operands: readonly unknown[] = [
    ...ends,
    deadline?.opens,
    ...cadence.durations,
    cadence.signIns,
    limit?.at,
    rollout?.percent,
    ...Object.values(answers).map((answer) => answer.for),
  ];
  const reads = [
    ...listConditions(rules).flatMap(listReads),
    ...operands.flatMap(readPath),
    ...ledger.keys.flat().filter((part) => part.includes('.')),
    ...gates.filter(isModuleGate).flatMap((gate) => gate.reads),
    ...(trigger.on.length < 3 ? ['attempt.kind'] : []),
    ...(ledger.keys.flat().includes('ecosystem') ? ['attempt.os'] : []),
    ...(matrix === null ? [] : ['user.passkeys', 'attempt.os']),
  ];
  return reads.map((path) => (path === 'attempt.ecosystem' ? 'attempt.os' : path));
}

function readPath(operand: unknown): readonly string[] {
  if (typeof operand !== 'object' || operand === null) return [];
  const { setting, fact } = operand as { readonly setting?: string; readonly fact?: string } & Partial<Operand>;
  if (setting !== undefined) return [`tenant.settings.${setting}`];
  return fact === undefined ? [] : [fact];
}
