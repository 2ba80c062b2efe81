import { datelessRulesets as rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import { CompiledEvaluator, type GateTable } from '../../compiled/compiled-evaluator.ts';
import type { FactSpace } from '../../compiled/fact-space.ts';
import { axesOfGate, type FactsConstraint, factsThat, inRow, rowOfGate, splitRow } from './facts-search.ts';

/** Facts with the numbers of the ruleset decisions that they demonstrate. */
export interface DecidedFacts {
  readonly ruleset: string;
  readonly places: readonly number[];
  readonly covers: readonly number[];
}

/** Decisions of a ruleset that facts can demonstrate. */
export interface Decisions {
  /** Number of decisions that at least one set of facts demonstrates. */
  readonly count: number;
  readonly facts: readonly DecidedFacts[];
  /**
   * Minimum number of sign-ins: each demonstrates one row of a gate, except a sign-in that is stopped before that gate.
   */
  readonly signInsMin: number;
  /** Rows and orders that never affect the verdict. */
  readonly idle: number;
}

/**
 * Maximum size of a table whose rows are all covered. In a larger table, only rows within two differences of a stopping
 * row are covered.
 */
const rowsOfSmallTable = 300;

/**
 * Lists the decisions of a ruleset. A decision is a row of a gate's table that settles the verdict after all earlier
 * gates pass. The order of two gates that can stop the same sign-in is also a decision. If a gate changed its result
 * for a row, or two gates changed places, the verdict on at least one of the facts would differ.
 * @param possible - constraints that valid sign-ins satisfy
 */
export function listDecisions(space: FactSpace, possible: readonly FactsConstraint[] = []): Decisions {
  const all = [...rulesets.values()].map((ruleset) =>
    new RulesetDecisions(new CompiledEvaluator(space, ruleset), possible).found(),
  );
  const facts: DecidedFacts[] = [];
  let count = 0;
  for (const one of all) {
    const before = count;
    facts.push(...one.facts.map((each) => ({ ...each, covers: each.covers.map((number) => number + before) })));
    count += one.count;
  }
  const sum = (key: 'signInsMin' | 'idle') => all.reduce((total, one) => total + one[key], 0);
  return { count, facts, signInsMin: sum('signInsMin'), idle: sum('idle') };
}

class RulesetDecisions {
  readonly #evaluator: CompiledEvaluator;
  readonly #possible: readonly FactsConstraint[];
  readonly #passes: readonly FactsConstraint[];
  readonly #numbers = new Map<string, number>();
  readonly #facts = new Map<string, readonly number[]>();
  readonly #stops = new Map<GateTable, number>();
  #idle = 0;

  constructor(evaluator: CompiledEvaluator, possible: readonly FactsConstraint[]) {
    this.#evaluator = evaluator;
    this.#possible = possible;
    this.#passes = evaluator.gates.map((gate) => ({
      axes: axesOfGate(evaluator, gate),
      holds: (places) => gate.stops[rowOfGate(evaluator, gate, places)] === 0,
    }));
  }

  found(): Decisions {
    const { gates, ruleset } = this.#evaluator;
    for (const [at, gate] of gates.entries()) {
      for (const row of this.#listRows(at, gate)) this.#keep(this.#factsOfRow(at, gate, row));
      for (let later = at + 1; later < gates.length; later += 1) this.#lookForOrder(at, later);
    }
    for (let row = 0; row < this.#evaluator.prompts.rows.size; row += 1) this.#lookForPrompt(row);
    const facts = [...this.#facts.values()].map((places) => ({
      ruleset: ruleset.id,
      places,
      covers: this.#shownBy(places).flatMap((name) => this.#numbers.get(name) ?? []),
    }));
    return { count: this.#numbers.size, facts, signInsMin: this.#signInsMin(), idle: this.#idle };
  }

  /**
   * Computes the maximum over all gates: the number of sign-ins that reach the gate with different rows, plus the
   * number stopped before it.
   */
  #signInsMin(): number {
    const names = [...this.#numbers.keys()];
    const rowsOfTable = (table: string) => names.filter((name) => name.startsWith(`${table} row `));
    let stoppedBefore = 0;
    let most = 0;
    for (const table of [...this.#evaluator.gates.map(({ rule }) => rule.id), 'prompt']) {
      const rows = rowsOfTable(table);
      most = Math.max(most, stoppedBefore + rows.length);
      stoppedBefore += rows.filter((name) => name.endsWith(' stops')).length;
    }
    return most;
  }

  /**
   * Finds facts for one row of a gate, preferably facts that no gate stops because they demonstrate a row of each gate.
   */
  #factsOfRow(at: number, gate: GateTable, row: number): readonly number[] | null {
    const isRow = inRow(this.#evaluator, gate, row);
    const stops = gate.stops[row] !== 0;
    const others = stops ? this.#passes.toSpliced(at, 1) : this.#passes;
    return (
      factsThat(this.#evaluator.space, [...isRow, ...others, ...this.#possible]) ??
      factsThat(this.#evaluator.space, [...isRow, ...this.#passes.slice(0, at), ...this.#possible])
    );
  }

  /** Lists the rows of a gate that still need coverage. */
  #listRows(at: number, gate: GateTable): readonly number[] {
    const { rows } = gate;
    const all = Array.from({ length: rows.size }, (_, row) => row);
    const near = rows.size <= rowsOfSmallTable ? all : this.#rowsNearStop(at, gate, all);
    return near.filter((row) => !this.#numbers.has(rowName(gate, row)));
  }

  /** Finds the first row of a gate that can stop a sign-in before any other gate does. */
  #findStop(at: number, gate: GateTable): number {
    const known = this.#stops.get(gate);
    if (known !== undefined) return known;
    const row = gate.stops.findIndex((stop, row) => stop !== 0 && this.#factsOfRow(at, gate, row) !== null);
    this.#stops.set(gate, Math.max(0, row));
    return Math.max(0, row);
  }

  #rowsNearStop(at: number, gate: GateTable, all: readonly number[]): readonly number[] {
    const sizes = [...gate.rows.axes, ...gate.rows.derived].map(({ representatives }) => representatives.length);
    const parts = splitRow(this.#findStop(at, gate), sizes);
    return all.filter((row) => splitRow(row, sizes).filter((part, place) => part !== parts[place]).length <= 2);
  }

  /** Searches facts for one row of the table that determines the type of prompt. */
  #lookForPrompt(row: number): void {
    const isRow = inRow(this.#evaluator, this.#evaluator.prompts, row);
    this.#keep(factsThat(this.#evaluator.space, [...isRow, ...this.#passes, ...this.#possible]));
  }

  #lookForOrder(at: number, later: number): void {
    const [gate, other] = [this.#evaluator.gates[at], this.#evaluator.gates[later]] as [GateTable, GateTable];
    if (this.#numbers.has(orderName(gate, other))) return;
    const getStop = (one: GateTable, places: readonly number[]) => one.stops[rowOfGate(this.#evaluator, one, places)];
    const apart: FactsConstraint = {
      axes: [...new Set([...axesOfGate(this.#evaluator, gate), ...axesOfGate(this.#evaluator, other)])],
      holds: (places) => getStop(gate, places) !== getStop(other, places),
    };
    const wanted = [...this.#stopping(at, gate), ...this.#stopping(later, other), apart];
    this.#keep(factsThat(this.#evaluator.space, [...wanted, ...this.#passes.slice(0, at), ...this.#possible]));
  }

  /**
   * Returns the constraints under which a gate stops. For a large table this is a single row, which narrows the search
   * early.
   */
  #stopping(at: number, gate: GateTable): readonly FactsConstraint[] {
    if (gate.rows.size > rowsOfSmallTable) return inRow(this.#evaluator, gate, this.#findStop(at, gate));
    const holds = (places: readonly number[]) => gate.stops[rowOfGate(this.#evaluator, gate, places)] !== 0;
    return [{ axes: axesOfGate(this.#evaluator, gate), holds }];
  }

  #keep(match: readonly number[] | null): void {
    if (match === null) {
      this.#idle += 1;
      return;
    }
    const places = [...match];
    this.#facts.set(places.join(), places);
    for (const name of this.#shownBy(places)) {
      if (!this.#numbers.has(name)) this.#numbers.set(name, this.#numbers.size);
    }
  }

  /**
   * Lists the decisions that facts demonstrate: the gate rows up to the stopping gate, and the later gates that would
   * also stop.
   */
  #shownBy(places: readonly number[]): readonly string[] {
    const names: string[] = [];
    const { gates } = this.#evaluator;
    for (const [at, gate] of gates.entries()) {
      const row = rowOfGate(this.#evaluator, gate, places);
      names.push(rowName(gate, row));
      const stop = gate.stops[row];
      if (stop === 0) continue;
      for (const other of gates.slice(at + 1)) {
        const otherStop = other.stops[rowOfGate(this.#evaluator, other, places)];
        if (otherStop !== 0 && otherStop !== stop) names.push(orderName(gate, other));
      }
      return names;
    }
    return [...names, `prompt row ${rowOfGate(this.#evaluator, this.#evaluator.prompts, places)}`];
  }
}

function rowName({ rule, stops }: GateTable, row: number): string {
  return `${rule.id} row ${row}${stops[row] === 0 ? '' : ' stops'}`;
}

function orderName(gate: GateTable, other: GateTable): string {
  return `${gate.rule.id} before ${other.rule.id}`;
}
