import {
  derivedFacts,
  evaluateGate,
  findWarnings,
  getPromptOutcome,
  listDerivedReads,
  listPromptReads,
  listWarningReads,
} from '../../machines/evaluate.ts';
import type { GateFacts, Rule } from '../../machines/rules/rule.ts';
import { getRule } from '../../machines/rules/rule-registry.ts';
import { createGates, type GateLookup } from '../../machines/ruleset-gates.ts';
import type {
  EffectiveCampaign,
  GateOutcome,
  Reason,
  Ruleset,
  Verdict,
  VerdictOutcome,
  Warning,
} from '../../machines/vocabulary.ts';
import { declaredFacts } from './declared-facts.ts';
import { type DerivedTable, FactRows } from './fact-rows.ts';
import type { FactSpace } from './fact-space.ts';

/** Table with one result per row of the facts that a function reads. */
interface AnswerTable<Answer> {
  readonly rows: FactRows;
  readonly answers: readonly Answer[];
}

/** Table of a gate, with the code of the stop reason in each row. The code is 0 if the row does not stop. */
export interface GateTable extends AnswerTable<GateOutcome> {
  readonly rule: Rule;
  readonly stops: Uint8Array;
}

type DerivedName = keyof typeof derivedFacts;
const derivedNames = Object.keys(derivedFacts) as readonly DerivedName[];

/**
 * Evaluator compiled to tables over a finite space of facts. Each gate has one table over the classes of its
 * declared facts. The tables are computed with the gates themselves, so no rule is implemented twice.
 */
export class CompiledEvaluator {
  readonly space: FactSpace;
  readonly ruleset: Ruleset;
  /** Meaning of each code: the outcome of a prompt, or the reason of a gate's stop. */
  readonly codes: readonly { readonly outcome: VerdictOutcome; readonly reason: Reason | null }[];
  readonly derived: readonly DerivedTable[];
  readonly gates: readonly GateTable[];
  /** Codes of the prompts for combinations that no gate stops. */
  readonly prompts: AnswerTable<number>;
  readonly #warnings: AnswerTable<readonly Warning[]>;

  /**
   * Compiles the rules in force for a space. `gateOf` can replace the gate of a changed rule. Throws `facts-invalid` if a
   * table would be too large, and a `RangeError` if a gate reads an undeclared fact.
   */
  constructor(space: FactSpace, ruleset: Ruleset, gateOf: GateLookup = getRule) {
    if (ruleset.editions !== undefined) throw new RangeError(`Ruleset ${ruleset.id} changes with time; pin its rules.`);
    this.space = space;
    this.ruleset = ruleset;
    this.derived = derivedNames.map((name) => derivedTable(space, ruleset, name));
    const rules = createGates(ruleset, gateOf);
    const reasons = [...new Set(rules.flatMap((rule) => rule.reasons))];
    this.codes = [
      { outcome: 'skippable', reason: null },
      { outcome: 'required', reason: null },
      ...(ruleset.extension?.requirement.blocked ? [{ outcome: 'blocked' as const, reason: null }] : []),
      ...reasons.map((reason) => ({ outcome: 'none' as const, reason })),
    ];
    this.gates = rules.map((rule) => {
      const reads = rule.appliesTo === 'both' ? rule.reads : [...rule.reads, 'campaign.method'];
      const table = this.#table(reads, `Gate ${rule.id}`, (facts) => evaluateGate(rule, facts, ruleset));
      const stops = Uint8Array.from(table.answers, (answer) =>
        answer.outcome === 'stopped' ? this.#getCode('none', answer.reason) : 0,
      );
      return { rule, stops, ...table };
    });
    this.prompts = this.#table(listPromptReads(ruleset), 'The prompt', (facts) =>
      this.#getCode(getPromptOutcome(facts, ruleset), null),
    );
    this.#warnings = this.#table(listWarningReads(ruleset), 'The warnings', (facts) => findWarnings(facts, ruleset));
  }

  /**
   * Returns the verdict code of a combination, which is an index of `codes`. `places` contains the value index of
   * each axis.
   */
  codeAt(places: ArrayLike<number>): number {
    const classes = this.#classesAt(places);
    for (const { rows, stops } of this.gates) {
      const stopped = stops[rows.rowAt(places, classes)];
      if (stopped !== 0 && stopped !== undefined) return stopped;
    }
    return this.prompts.answers[this.prompts.rows.rowAt(places, classes)] ?? 0;
  }

  /**
   * Returns the complete verdict of a combination with every gate's outcome, as in `evaluate`. `places` contains the
   * value index of each axis.
   */
  verdictAt(places: ArrayLike<number>): Verdict {
    const classes = this.#classesAt(places);
    const code = this.codes[this.codeAt(places)] ?? { outcome: 'none', reason: null };
    const [campaign] = derivedNames.flatMap((name, table) =>
      name === 'campaign' ? [this.derived[table]?.values[classes[table] ?? 0] as EffectiveCampaign] : [],
    );
    if (campaign === undefined) throw new RangeError('No campaign is effective.');
    return {
      ruleset: this.ruleset.id,
      ...code,
      rules: this.gates.map(({ rule, rows, answers }) => {
        const answer = answers[rows.rowAt(places, classes)];
        if (answer === undefined) throw new RangeError(`Gate ${rule.id} has no result.`);
        return { id: rule.id, ...answer };
      }),
      warnings: this.#warnings.answers[this.#warnings.rows.rowAt(places, classes)] ?? [],
      campaign,
    };
  }

  #classesAt(places: ArrayLike<number>): readonly number[] {
    return this.derived.map(({ rows, classOf }) => classOf[rows.rowAt(places, [])] ?? 0);
  }

  #getCode(outcome: VerdictOutcome, reason: Reason | null): number {
    const code = this.codes.findIndex((one) => one.outcome === outcome && one.reason === reason);
    if (code < 0) throw new RangeError(`No gate of the ruleset declares the reason ${reason}.`);
    return code;
  }

  #table<A>(reads: readonly string[], whose: string, answer: (facts: GateFacts) => A): AnswerTable<A> {
    const rows = new FactRows(this.space, reads, this.derived);
    const answers: A[] = [];
    rows.each((places, classes) => {
      const derived = Object.fromEntries(this.derived.map(({ name, values }, at) => [name, values[classes[at] ?? 0]]));
      const facts = { ...this.space.factsAt(places), ...derived } as GateFacts;
      answers.push(answer(declaredFacts(facts, reads, whose)));
    });
    return { rows, answers };
  }
}

function derivedTable(space: FactSpace, ruleset: Ruleset, name: DerivedName): DerivedTable {
  const { derive: of } = derivedFacts[name];
  const reads = listDerivedReads(name, ruleset);
  const rows = new FactRows(space, reads);
  const keys = new Map<string, number>();
  const values: unknown[] = [];
  const classOf = new Uint32Array(rows.size);
  let row = 0;
  rows.each((places) => {
    const value: unknown = of(declaredFacts(space.factsAt(places), reads, `Derived fact ${name}`), ruleset);
    const key = JSON.stringify(value instanceof Set ? [...value].sort() : value);
    const known = keys.get(key) ?? values.push(value) - 1;
    keys.set(key, known);
    classOf[row] = known;
    row += 1;
  });
  return { name, rows, classOf, values };
}
