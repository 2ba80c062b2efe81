import {
  derivedFacts,
  evaluateGate,
  getPromptOutcome,
  listDerivedReads,
  listPromptReads,
} from '../../../machines/evaluate.ts';
import type { GateFacts, Rule } from '../../../machines/rules/rule.ts';
import { getGates } from '../../../machines/ruleset-gates.ts';
import type { Ruleset, VerdictOutcome } from '../../../machines/vocabulary.ts';
import { declaredFacts } from '../../compiled/declared-facts.ts';
import { type DerivedTable, FactRows } from '../../compiled/fact-rows.ts';
import type { FactSpace } from '../../compiled/fact-space.ts';

type DerivedName = keyof typeof derivedFacts;
const derivedNames = Object.keys(derivedFacts) as readonly DerivedName[];

/** Step of a verdict: a gate, or the outcome of the prompt that no gate stopped. */
export interface LazyStep {
  /** Id of the gate, or `null` for the outcome of the prompt. */
  readonly id: string | null;
  readonly rule: Rule | null;
  /** Axes that the step depends on, directly or through derived facts. */
  readonly axes: readonly number[];
  /** Returns the reason of a stop or the outcome of the prompt, or `null` if the gate does not stop. */
  readonly at: (places: readonly number[]) => string | null;
  /** Paths that the step reads. */
  readonly reads: readonly string[];
}

/**
 * Evaluator over a finite space of facts whose tables are filled as far as they are needed. Results come from the gates
 * themselves, so no rule is implemented twice.
 */
export class LazyEvaluator {
  readonly ruleset: Ruleset;
  readonly derived: readonly DerivedTable[];
  /** Gates in the order of evaluation, then the outcome of the prompt. */
  readonly steps: readonly LazyStep[];
  readonly #space: FactSpace;

  /** Prepares a ruleset for a space. */
  constructor(space: FactSpace, ruleset: Ruleset) {
    this.#space = space;
    this.ruleset = ruleset;
    this.derived = derivedNames.map((name) => this.#derive(name));
    this.steps = [
      ...getGates(ruleset).map((rule) => {
        const reads = rule.appliesTo === 'both' ? rule.reads : [...rule.reads, 'campaign.method'];
        return this.#step(rule.id, rule, reads, (facts) => {
          const outcome = evaluateGate(rule, facts, ruleset);
          return outcome.outcome === 'stopped' ? outcome.reason : null;
        });
      }),
      this.#step(null, null, listPromptReads(ruleset), (facts): VerdictOutcome => getPromptOutcome(facts, ruleset)),
    ];
  }

  /** Returns the value of a derived fact for each row of its table, which is the same for all rulesets. */
  derivedValues(name: string): { readonly size: number; readonly at: (row: number) => unknown } | null {
    const table = this.derived.find((one) => one.name === name);
    if (table === undefined) return null;
    return { size: table.rows.size, at: (row) => table.values[table.classOf[row] ?? 0] };
  }

  #step(
    id: string | null,
    rule: Rule | null,
    reads: readonly string[],
    evaluate: (facts: GateFacts) => string | null,
  ): LazyStep {
    const rows = new FactRows(this.#space, reads, this.derived);
    const known = new Map<number, string | null>();
    const whose = id === null ? 'The prompt' : `Gate ${id}`;
    const at = (places: readonly number[]): string | null => {
      const classes = this.derived.map((table) => table.classOf[table.rows.rowAt(places, [])] ?? 0);
      const row = rows.rowAt(places, classes);
      const before = known.get(row);
      if (before !== undefined) return before;
      const derived = Object.fromEntries(
        this.derived.map(({ name, values }, table) => [name, values[classes[table] ?? 0]]),
      );
      const facts = { ...this.#space.factsAt(places), ...derived } as GateFacts;
      const result = evaluate(declaredFacts(facts, reads, whose));
      known.set(row, result);
      return result;
    };
    const own = rows.axes.map(({ of: axis }) => axis);
    const through = rows.derived.flatMap(
      ({ of: table }) => this.derived[table]?.rows.axes.map((part) => part.of) ?? [],
    );
    return { id, rule, reads, axes: [...new Set([...own, ...through])], at };
  }

  #derive(name: DerivedName): DerivedTable {
    const { derive } = derivedFacts[name];
    const reads = listDerivedReads(name, this.ruleset);
    const rows = new FactRows(this.#space, reads);
    const keys = new Map<string, number>();
    const values: unknown[] = [];
    const classOf = new Uint32Array(rows.size);
    let row = 0;
    rows.each((places) => {
      const facts = declaredFacts(this.#space.factsAt(places), reads, `Derived fact ${name}`);
      const value: unknown = derive(facts, this.ruleset);
      const key = JSON.stringify(value instanceof Set ? [...value].sort() : value);
      const known = keys.get(key) ?? values.push(value) - 1;
      keys.set(key, known);
      classOf[row] = known;
      row += 1;
    });
    return { name, rows, classOf, values };
  }
}
