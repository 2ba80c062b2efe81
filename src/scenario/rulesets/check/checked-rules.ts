import { listConditions } from '../../../../machines/own/list-conditions.ts';
import {
  type Condition,
  type FactValue,
  type GeneratedGate,
  isDataGate,
  isModuleGate,
  type ModuleGate,
  type OwnGate,
  type OwnRules,
} from '../../../../machines/own/own-ruleset.ts';
import { FactSpace, type Setting } from '../../../../machines/own/representatives.ts';
import { toInstant } from '../../../core/clock.ts';
import { isPlainObject } from '../../../core/merge-patch.ts';
import { describeCondition } from '../describe-condition.ts';
import type { Path, RulesetFaultCode } from '../ruleset-fault.ts';
import { always, type Formula, gateStops, gateVariables, type Leaf, never, open, toFormula } from './formula.ts';
import { type Example, FactSearch } from './search.ts';

/** Fault or warning of the meaning of a ruleset, before it is located in the file. */
export interface Finding {
  readonly code: RulesetFaultCode;
  readonly severity: 'fault' | 'warning';
  readonly path: Path;
  readonly message: string;
}

/** Gate with the formula under which it lets a prompt through. */
export interface CheckedGate {
  readonly id: string;
  /** Path of the condition that decides the gate. */
  readonly path: Path;
  readonly condition: Condition | null;
  readonly passes: Formula;
}

/** Rules of one period with their gates as formulas. */
export interface CheckedRules {
  readonly setting: Setting;
  readonly rules: OwnRules;
  /** Keys as they are written: those of the ruleset, or those of an edition's patch. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly search: FactSearch;
  /** Gates in the order of evaluation, without those that only what was answered decides. */
  readonly gates: readonly CheckedGate[];
}

/** Prepares rules for the checks of their meaning. */
export function prepareRules(setting: Setting, written: Readonly<Record<string, unknown>>): CheckedRules {
  const { rules } = setting;
  const space = createSpace(setting);
  const gates = rules.gates.flatMap((gate): readonly CheckedGate[] => {
    if (isDataGate(gate)) return [dataGate(gate, written)];
    return isModuleGate(gate) ? [moduleGate(gate, space, written)] : generatedGate(gate, rules);
  });
  return { setting, rules, written, search: new FactSearch(setting, space), gates };
}

/** Creates the values of the facts that the conditions and modules of rules distinguish. */
export function createSpace(setting: Setting): FactSpace {
  const { rules } = setting;
  return new FactSpace(setting, listConditions(rules), rules.gates.filter(isModuleGate));
}

/** Gate of a module. Without samples of a path with infinitely many values, it stays open whether the gate stops. */
function moduleGate(gate: ModuleGate, space: FactSpace, written: Readonly<Record<string, unknown>>): CheckedGate {
  const hasSamples = gate.reads.length > 0 && gate.reads.every((path) => space.hasSamples(path));
  const test: Leaf['test'] = (given) => {
    const stops = gateStops(gate, given);
    return stops === null ? null : !stops;
  };
  const passes: Formula = hasSamples ? { leaf: { reads: gateVariables(gate), test } } : open;
  return { id: gate.id, path: [...gatePath(gate.id, written), 'module'], condition: null, passes };
}

function dataGate(gate: OwnGate, written: Readonly<Record<string, unknown>>): CheckedGate {
  const passes = toFormula(gate.when);
  return {
    id: gate.id,
    path: [...gatePath(gate.id, written), 'when'],
    condition: gate.when,
    passes: gate.skipIf === null ? passes : { any: [passes, toFormula(gate.skipIf)] },
  };
}

function generatedGate(id: GeneratedGate, { trigger, done, deadline }: OwnRules): readonly CheckedGate[] {
  if (id === 'X.trigger' && trigger.factors !== null) {
    const { factors } = trigger;
    return [{ id, path: ['trigger', 'factors'], condition: factors, passes: toFormula(factors) }];
  }
  // A matrix suppresses nothing for a user without passkeys, so only the condition decides.
  if (id === 'X.done' && done !== null) {
    return [{ id, path: ['done'], condition: done, passes: { not: toFormula(done) } }];
  }
  if (id === 'X.window' && deadline?.before === 'none' && deadline.then === 'none') {
    const exists = deadline.ends.some((end) =>
      'at' in end
        ? 'constant' in end.at
        : 'constant' in end.after && (end.since === 'created' || end.since === 'firstShown'),
    );
    return [{ id, path: ['deadline'], condition: null, passes: exists ? never : always }];
  }
  return [];
}

/** Returns the path of a gate in the written ruleset or patch, by its id if it is not in a list there. */
export function gatePath(id: string, { gates }: Readonly<Record<string, unknown>>): Path {
  const index = Array.isArray(gates) ? gates.findIndex((gate) => isPlainObject(gate) && gate['id'] === id) : -1;
  return ['gates', index < 0 ? id : index];
}

/** Comparison of a condition with its path below the condition. */
export interface Comparison {
  readonly condition: Condition;
  readonly path: Path;
  readonly text: string;
}

/** Returns the comparisons of a condition, with their paths. */
export function listComparisons(condition: Condition, path: Path = []): readonly Comparison[] {
  if ('all' in condition) return condition.all.flatMap((part, index) => listComparisons(part, [...path, 'all', index]));
  if ('any' in condition) return condition.any.flatMap((part, index) => listComparisons(part, [...path, 'any', index]));
  if ('not' in condition) return listComparisons(condition.not, [...path, 'not']);
  return [{ condition, path, text: describeCondition(condition) }];
}

/** Describes facts by their paths and values, such as `user.type: guest`. */
export function describeExample(example: Example, reads: readonly string[], { search }: CheckedRules): string {
  const isUsual = (path: string): boolean => {
    const value = example.get(path) ?? null;
    return JSON.stringify(value) === JSON.stringify(search.usual(path));
  };
  const paths = [...new Set([...[...example.keys()].filter((path) => !isUsual(path)), ...reads])];
  const parts = paths.map((path) => {
    const value = example.has(path) ? (example.get(path) ?? null) : search.usual(path);
    return `${path}: ${describeValue(value, search.isInstant(path))}`;
  });
  return parts.length === 0 ? 'for example with the default facts' : `for example with ${parts.join(', ')}`;
}

function describeValue(value: FactValue, isInstant: boolean): string {
  if (isInstant && typeof value === 'number') return toInstant(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
