import { type Formula, isPlain, listParts } from '../language/formula.ts';
import { formatLtl, type Propositions } from './ltl-text.ts';

/** Counter of an exported model: occurrences of a condition after the watched position. */
export interface OccurrenceCounter {
  /** Name of the condition. */
  readonly of: string;
  readonly max: number;
}

/**
 * Formula of an exported model that watches one position, which the model chooses. A property for all positions fails
 * exactly if it fails for one of them, so variables of the model can count from there: ticks of the clock in `k`, and
 * occurrences of conditions in `c0`, `c1` and so on. Unlike nested operators, they do not make the formula longer.
 */
export interface WatchedFormula {
  readonly text: string;
  /** Condition of the watched position; `null` for any position. */
  readonly begins: string | null;
  /** Name of the condition that the clock advances; `null` if no time is counted. */
  readonly tick: string | null;
  /** Number of ticks up to which time is counted. */
  readonly ticksMax: number;
  readonly counters: readonly OccurrenceCounter[];
}

/**
 * Formats a property that states something with a time limit or a counter about all positions.
 *
 * @param formula - the formula
 * @param propositions - receives the formulas about one position
 * @param tickMs - duration of one step of the clock in milliseconds
 * @returns the formula; `null` for one of another form, which `formatLtl` formats
 */
export function formatWatched(formula: Formula, propositions: Propositions, tickMs: number): WatchedFormula | null {
  if (formula.kind === 'times') return formatTimes(formula, propositions, tickMs);
  if (formula.kind !== 'always' || formula.forMs !== null || !listTimed(formula.of).some(isCounted)) return null;
  const { of } = formula;
  const watch = new Watch(propositions, tickMs);
  const begins = of.kind === 'when' && isPlain(of.when) ? propositions.getName(of.when) : null;
  const text = watch.format(begins !== null && of.kind === 'when' ? of.implies : of);
  return { text, begins, tick: watch.tick, ticksMax: watch.ticksMax, counters: [] };
}

/** Lists the formulas that are about the same position as a formula: through `not`, `all`, `any` and `when`. */
function listTimed(formula: Formula): readonly Formula[] {
  const isTransparent = ['not', 'all', 'any', 'when'].includes(formula.kind);
  return isTransparent ? listParts(formula).flatMap(listTimed) : [formula];
}

function isCounted(formula: Formula): boolean {
  if (formula.kind === 'always') return formula.forMs !== null;
  return (formula.kind === 'eventually' || formula.kind === 'until') && formula.withinMs !== null;
}

function formatTimes(
  { of, max, between }: Extract<Formula, { kind: 'times' }>,
  propositions: Propositions,
  tickMs: number,
): WatchedFormula | null {
  const [start, end] = between;
  if (!isPlain(start) || !isPlain(of)) return null;
  // Both ends are excluded: counting begins after the watched position, where the end does not count either.
  const text = `((!(c0 > ${max})) W (!b && ${formatLtl(end, propositions, tickMs)}))`;
  const counters = [{ of: propositions.getName(of), max }];
  return { text, begins: propositions.getName(start), tick: null, ticksMax: 0, counters };
}

/** Formatter of what holds at the watched position. */
class Watch {
  tick: string | null = null;
  ticksMax = 0;
  readonly #propositions: Propositions;
  readonly #tickMs: number;

  constructor(propositions: Propositions, tickMs: number) {
    this.#propositions = propositions;
    this.#tickMs = tickMs;
  }

  format(formula: Formula): string {
    if (isPlain(formula)) return this.#propositions.getName(formula);
    switch (formula.kind) {
      case 'not':
        return `(!${this.format(formula.of)})`;
      case 'all':
        return `(${formula.of.map((part) => this.format(part)).join(' && ')})`;
      case 'any':
        return this.#any(formula.of);
      case 'when':
        return `(${this.format(formula.when)} -> ${this.format(formula.implies)})`;
      case 'always':
        if (formula.forMs === null) break;
        return this.#any([formula]);
      case 'eventually':
        if (formula.withinMs === null) break;
        return this.#reach('true', this.#write(formula.of), formula.withinMs);
      case 'until':
        if (formula.withinMs === null) break;
        return this.#reach(this.#write(formula.hold), this.#write(formula.until), formula.withinMs);
      default:
        break;
    }
    return this.#write(formula);
  }

  /** Joins alternatives. Those that hold the same until something else need one operator together. */
  #any(parts: readonly Formula[]): string {
    const ends = new Map<string, string[]>();
    const others: string[] = [];
    for (const part of parts) {
      const weak = this.#weak(part);
      if (weak === null) others.push(this.format(part));
      else ends.set(weak.hold, [...(ends.get(weak.hold) ?? []), weak.end]);
    }
    const held = [...ends].map(([hold, all]) => `(${hold} W ${all.length === 1 ? all[0] : `(${all.join(' || ')})`})`);
    const texts = [...held, ...others];
    return texts.length === 1 ? (texts[0] as string) : `(${texts.join(' || ')})`;
  }

  #weak(formula: Formula): { readonly hold: string; readonly end: string } | null {
    if (formula.kind === 'always' && formula.forMs !== null) {
      return { hold: this.#write(formula.of), end: this.#over(formula.forMs) };
    }
    if (formula.kind !== 'until' || formula.strong || formula.withinMs !== null) return null;
    return { hold: this.#write(formula.hold), end: this.#write(formula.until) };
  }

  #write(formula: Formula): string {
    return formatLtl(formula, this.#propositions, this.#tickMs);
  }

  #reach(hold: string, goal: string, withinMs: number): string {
    const over = this.#over(withinMs);
    return `((${hold} && !${over}) W (${goal} && !${over}))`;
  }

  /** Formats that the clock has advanced by more than a duration since the watched position. */
  #over(durationMs: number): string {
    const ticks = Math.round(durationMs / this.#tickMs);
    this.tick = this.#propositions.getName({ kind: 'time' });
    this.ticksMax = Math.max(this.ticksMax, ticks + 1);
    return `(k > ${ticks})`;
  }
}
