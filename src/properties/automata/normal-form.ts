import { type Formula, isPlain, listParts } from '../language/formula.ts';
import { FormulaNodes, type NodeCounter } from './formula-nodes.ts';

/** Formula as a node, with its predicates: the formulas about one position that its tests name by number. */
export interface NormalForm {
  readonly nodes: FormulaNodes;
  readonly predicates: readonly Formula[];
  readonly root: number;
  /** Predicates of the conditions of implications; a property whose conditions never occur states nothing. */
  readonly triggers: readonly number[];
  /** Predicates of the fairness conditions, in their order. */
  readonly fair: readonly number[];
}

/**
 * Brings a formula into negation normal form.
 *
 * @param formula - the formula
 * @param fair - conditions that occur infinitely often
 * @param tickMs - duration of one step of the clock in milliseconds; durations are multiples of it
 */
export function createNormalForm(formula: Formula, fair: readonly Formula[], tickMs: number): NormalForm {
  const writer = new Writer(tickMs);
  const root = writer.write(formula);
  const fairness = fair.map((condition) => writer.getPredicate(condition));
  return { nodes: writer.nodes, predicates: writer.predicates, root, triggers: [...writer.triggers], fair: fairness };
}

class Writer {
  readonly nodes = new FormulaNodes();
  readonly predicates: Formula[] = [];
  readonly triggers = new Set<number>();
  readonly #numbers = new Map<string, number>();
  readonly #tickMs: number;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  getPredicate(formula: Formula): number {
    const key = JSON.stringify(formula, (name, value) => (name === 'path' ? undefined : value));
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.predicates.push(formula) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  write(formula: Formula): number {
    const { nodes } = this;
    if (formula.kind === 'when' && isPlain(formula.when)) this.triggers.add(this.getPredicate(formula.when));
    // An implication is divided, so the occurrences of its condition are noticed.
    if (isPlain(formula) && !containsWhen(formula)) return nodes.test(this.getPredicate(formula));
    switch (formula.kind) {
      case 'not':
        return nodes.negate(this.write(formula.of));
      case 'all':
        return nodes.and(formula.of.map((part) => this.write(part)));
      case 'any':
        return nodes.or(formula.of.map((part) => this.write(part)));
      case 'when':
        return nodes.or([nodes.negate(this.write(formula.when)), this.write(formula.implies)]);
      case 'next':
        return nodes.next(this.write(formula.of));
      case 'always':
        return this.#always(this.write(formula.of), formula.forMs);
      case 'eventually':
        return this.#until(nodes.true, this.write(formula.of), true, formula.withinMs);
      case 'until':
        return this.#until(this.write(formula.hold), this.write(formula.until), formula.strong, formula.withinMs);
      case 'before':
        return this.#before(this.write(formula.first), this.write(formula.before));
      case 'times':
        return this.#times(formula);
      default:
        return nodes.test(this.getPredicate(formula));
    }
  }

  #always(hold: number, forMs: number | null): number {
    const { nodes } = this;
    const counter = forMs === null ? null : this.#clock(forMs, true);
    return nodes.fixpoint({ hold, goal: nodes.false, strong: false, counter });
  }

  #until(hold: number, goal: number, strong: boolean, withinMs: number | null): number {
    if (withinMs === null) return this.nodes.fixpoint({ hold, goal, strong, counter: null });
    // A time limit is refuted by the clock, not by a path on which time ends.
    return this.nodes.fixpoint({ hold, goal, strong: false, counter: this.#clock(withinMs, false) });
  }

  #before(first: number, second: number): number {
    const { nodes } = this;
    const not = nodes.negate(second);
    return nodes.fixpoint({ hold: not, goal: nodes.and([first, not]), strong: false, counter: null });
  }

  #times({ max, of, between: [start, end] }: Extract<Formula, { kind: 'times' }>): number {
    const { nodes } = this;
    const counter: NodeCounter = { by: this.getPredicate(of), at: 'here', left: max, end: false };
    const count = nodes.fixpoint({ hold: nodes.true, goal: this.write(end), strong: false, counter });
    const started = this.write(start);
    if (isPlain(start)) this.triggers.add(this.getPredicate(start));
    const each = nodes.or([nodes.negate(started), nodes.next(count)]);
    return nodes.fixpoint({ hold: each, goal: nodes.false, strong: false, counter: null });
  }

  #clock(durationMs: number, end: boolean): NodeCounter {
    return { by: this.getPredicate({ kind: 'time' }), at: 'there', left: Math.round(durationMs / this.#tickMs), end };
  }
}

/** Checks whether a formula contains an implication outside `previously`. */
function containsWhen(formula: Formula): boolean {
  if (formula.kind === 'previously') return false;
  return formula.kind === 'when' || listParts(formula).some(containsWhen);
}
