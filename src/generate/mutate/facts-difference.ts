import { getRule } from '../../../machines/rules/rule-registry.ts';
import { datelessRulesets as rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { RuleId, Ruleset } from '../../../machines/vocabulary.ts';
import { CompiledEvaluator, type GateTable } from '../../compiled/compiled-evaluator.ts';
import type { FactSpace } from '../../compiled/fact-space.ts';
import type { ModelMutant } from './model-mutant.ts';

/** Facts on which two evaluators give different verdicts: the value index of each axis, and the ruleset. */
export interface FactsDifference {
  readonly ruleset: string;
  readonly places: readonly number[];
}

/** Maximum number of combinations that one comparison examines. */
const combinationsMax = 5_000_000;

/** Compares rule mutants with the evaluators of the specification over a space of facts. */
export class EvaluatorComparison {
  readonly space: FactSpace;
  readonly #originals: ReadonlyMap<string, CompiledEvaluator>;

  /** Compiles the evaluator of each ruleset for a space of facts. */
  constructor(space: FactSpace) {
    this.space = space;
    this.#originals = new Map(
      [...rulesets.values()].map((ruleset) => [ruleset.id, new CompiledEvaluator(space, ruleset)]),
    );
  }

  /**
   * Finds facts on which a mutant of gates or of a ruleset gives another verdict, with as few unusual values as
   * possible. Returns `null` if there are none, and `undecided` if the limit of combinations is reached.
   */
  difference({ parts, gateOf = getRule }: ModelMutant): FactsDifference | null | 'undecided' {
    let undecided = false;
    for (const [id, original] of this.#originals) {
      const ruleset = (parts.rulesets ?? rulesets).get(id) as Ruleset;
      if (ruleset === original.ruleset && gateOf === getRule) continue;
      const changed = new CompiledEvaluator(this.space, ruleset, gateOf);
      const places = new Comparison(this.space, original, changed).find();
      if (places === 'undecided') undecided = true;
      else if (places !== null) return { ruleset: id, places };
    }
    return undecided ? 'undecided' : null;
  }
}

/**
 * Axis of a search, with the gates that can be evaluated once it is set, and whether all affected gates can be
 * evaluated.
 */
interface Planned {
  readonly axis: number;
  readonly gates: readonly GateTable[];
  readonly affected: boolean;
}

/** Backtracking search over the relevant axes, in the order in which the gates settle possible differences. */
class Comparison {
  readonly #one: CompiledEvaluator;
  readonly #other: CompiledEvaluator;
  readonly #places: number[];
  readonly #sizes: readonly number[];
  /** Gates with equal results in both that precede all other gates: if one stops, both evaluators stop. */
  readonly #before: readonly GateTable[];
  readonly #affected: { readonly one: readonly GateTable[]; readonly other: readonly GateTable[] };
  /** Axes in search order, with the checks that are possible after each one. */
  readonly #plan: readonly Planned[];
  #looked = 0;

  constructor(space: FactSpace, one: CompiledEvaluator, other: CompiledEvaluator) {
    this.#one = one;
    this.#other = other;
    this.#places = space.axes.map(() => 0);
    this.#sizes = space.axes.map(({ values }) => values.length);
    const same = one.gates.findIndex((gate, at) => !isSame(one, gate, other, other.gates[at]));
    const from = same < 0 ? one.gates.length : same;
    this.#before = one.gates.slice(0, from);
    const unchanged = unchangedGates(one, other);
    const changed = (gates: readonly GateTable[]) => gates.slice(from).filter(({ rule }) => !unchanged.has(rule.id));
    this.#affected = { one: changed(one.gates), other: changed(other.gates) };
    this.#plan = this.#planned();
  }

  find(): readonly number[] | null | 'undecided' {
    if (this.#affected.one.length === 0 && this.#affected.other.length === 0) return null;
    const found = this.#search(0);
    if (found === null) return this.#looked > combinationsMax ? 'undecided' : null;
    return this.#simplified();
  }

  #search(at: number): true | null {
    const step = this.#plan[at];
    if (step === undefined) return this.#differs() ? true : null;
    const { axis, gates, affected } = step;
    const size = this.#sizes[axis] ?? 1;
    for (let value = 0; value < size; value += 1) {
      this.#looked += 1;
      if (this.#looked > combinationsMax) return null;
      this.#places[axis] = value;
      if (gates.some((gate) => stopAt(this.#one, gate, this.#places) !== 0)) continue;
      if (affected && !this.#affectedDiffer()) continue;
      if (this.#search(at + 1) === true) return true;
    }
    this.#places[axis] = 0;
    return null;
  }

  /** Checks whether a different affected gate stops first, or for another reason. Otherwise no verdict differs. */
  #affectedDiffer(): boolean {
    const stops = (evaluator: CompiledEvaluator, gates: readonly GateTable[]) =>
      gates
        .map((gate) => ({ gate, code: stopAt(evaluator, gate, this.#places) }))
        .filter(({ code }) => code !== 0)
        .map(({ gate, code }) => `${gate.rule.id} ${evaluator.codes[code]?.reason}`);
    return stops(this.#one, this.#affected.one)[0] !== stops(this.#other, this.#affected.other)[0];
  }

  #differs(): boolean {
    const [one, other] = [this.#one, this.#other].map((evaluator) => evaluator.codes[evaluator.codeAt(this.#places)]);
    return one?.reason !== other?.reason || one?.outcome !== other?.outcome;
  }

  /** Returns the same difference with each axis at its first possible value. */
  #simplified(): readonly number[] {
    for (const [axis, value] of this.#places.entries()) {
      for (let simpler = 0; simpler < value; simpler += 1) {
        this.#places[axis] = simpler;
        if (this.#differs()) break;
        this.#places[axis] = value;
      }
    }
    return [...this.#places];
  }

  /** Orders the axes: those of the affected gates, then those of each gate before them, then the rest. */
  #planned(): readonly Planned[] {
    const order: number[] = [];
    const add = (evaluator: CompiledEvaluator, gates: readonly GateTable[]) => {
      for (const axis of gates.flatMap((gate) => listAxes(evaluator, gate)))
        if (!order.includes(axis)) order.push(axis);
    };
    add(this.#one, this.#affected.one);
    add(this.#other, this.#affected.other);
    const affectedEnd = order.length - 1;
    // The gate that needs the fewest additional axes is evaluated first, to detect early that it cannot pass.
    const open = [...this.#before];
    while (open.length > 0) {
      const more = open.map((gate) => listAxes(this.#one, gate).filter((axis) => !order.includes(axis)).length);
      const [next] = open.splice(more.indexOf(Math.min(...more)), 1);
      if (next !== undefined) add(this.#one, [next]);
    }
    order.push(...this.#sizes.keys().filter((axis) => !order.includes(axis)));
    return order.map((axis, at) => ({
      axis,
      affected: at === affectedEnd,
      gates: this.#before.filter((gate) => {
        const places = listAxes(this.#one, gate).map((one) => order.indexOf(one));
        return Math.max(-1, ...places) === at;
      }),
    }));
  }
}

/** Returns the reason code number with which a gate stops a combination; 0 if it does not. */
function stopAt({ derived }: CompiledEvaluator, { rows, stops }: GateTable, places: readonly number[]): number {
  const classes = derived.map((table) => table.classOf[table.rows.rowAt(places, [])] ?? 0);
  return stops[rows.rowAt(places, classes)] ?? 0;
}

/** Lists the axes that a gate depends on, directly or through derived facts. */
function listAxes({ derived }: CompiledEvaluator, { rows }: GateTable): readonly number[] {
  const own = rows.axes.map(({ of }) => of);
  return [
    ...new Set([...own, ...rows.derived.flatMap(({ of }) => derived[of]?.rows.axes.map((axis) => axis.of) ?? [])]),
  ];
}

/** Returns the gates that are in both evaluators, with equal results and the same relative order. */
function unchangedGates(one: CompiledEvaluator, other: CompiledEvaluator): ReadonlySet<RuleId> {
  const ofOther = new Map(other.gates.map((gate) => [gate.rule.id, gate]));
  const alike = one.gates
    .filter((gate) => isSame(one, gate, other, ofOther.get(gate.rule.id)))
    .map(({ rule }) => rule.id);
  const inOther = other.gates.map(({ rule }) => rule.id).filter((id) => alike.includes(id));
  return new Set(alike.filter((id, at) => inOther[at] === id));
}

function isSame(
  one: CompiledEvaluator,
  gate: GateTable,
  other: CompiledEvaluator,
  changed: GateTable | undefined,
): boolean {
  if (changed === undefined || gate.rule.id !== changed.rule.id || gate.rows.size !== changed.rows.size) return false;
  const getRows = ({ rows }: GateTable) =>
    JSON.stringify([rows.axes, rows.derived].map((parts) => parts.map(({ of, rowOf }) => [of, [...rowOf]])));
  if (getRows(gate) !== getRows(changed)) return false;
  return gate.stops.every((code, row) => findReason(one, code) === findReason(other, changed.stops[row] ?? 0));
}

function findReason({ codes }: CompiledEvaluator, code: number): string | null {
  return code === 0 ? null : (codes[code]?.reason ?? null);
}
