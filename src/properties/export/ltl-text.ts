import { type Formula, isPlain, listParts } from '../language/formula.ts';

/** Formulas about one position, which an exported formula names by `p0`, `p1` and so on. */
export class Propositions {
  readonly formulas: Formula[] = [];
  readonly #names = new Map<string, string>();

  /** Returns the name of a formula about one position. */
  getName(formula: Formula): string {
    const key = JSON.stringify(formula, (name, value) => (name === 'path' ? undefined : value));
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `p${this.formulas.push(formula) - 1}`;
    this.#names.set(key, name);
    return name;
  }
}

/**
 * Formats a formula in the linear temporal logic of Promela. A time limit and a counter become as many nested
 * operators as they count, so the formula grows with them.
 *
 * @param formula - the formula
 * @param propositions - receives the formulas about one position
 * @param tickMs - duration of one step of the clock in milliseconds; durations are multiples of it
 * @returns the text, in which operators are in parentheses
 */
export function formatLtl(formula: Formula, propositions: Propositions, tickMs: number): string {
  const write = (part: Formula): string => formatLtl(part, propositions, tickMs);
  const count = (durationMs: number): number => Math.round(durationMs / tickMs);
  const tick = (): string => propositions.getName({ kind: 'time' });
  if (isPlain(formula)) return propositions.getName(formula);
  switch (formula.kind) {
    case 'not':
      return `(!${write(formula.of)})`;
    case 'all':
      return `(${listParts(formula).map(write).join(' && ')})`;
    case 'any':
      return `(${listParts(formula).map(write).join(' || ')})`;
    case 'when':
      return `(${write(formula.when)} -> ${write(formula.implies)})`;
    case 'next':
      return formatNext(write(formula.of));
    case 'always':
      return formula.forMs === null
        ? `([] ${write(formula.of)})`
        : formatHold(write(formula.of), tick(), count(formula.forMs));
    case 'eventually':
      return formula.withinMs === null
        ? `(<> ${write(formula.of)})`
        : formatReach('true', write(formula.of), tick(), count(formula.withinMs));
    case 'until': {
      const [hold, goal] = [write(formula.hold), write(formula.until)];
      if (formula.withinMs !== null) return formatReach(hold, goal, tick(), count(formula.withinMs));
      return `(${hold} ${formula.strong ? 'U' : 'W'} ${goal})`;
    }
    case 'before': {
      const second = write(formula.before);
      return `((!${second}) W (${write(formula.first)} && !${second}))`;
    }
    case 'times': {
      const [start, end] = formula.between.map(write);
      return `([] (${start} -> ${formatNext(formatCount(write(formula.of), end ?? 'false', formula.max))}))`;
    }
    default:
      throw new TypeError(`${formula.kind} is decided by one position.`);
  }
}

/**
 * Formats that a formula holds after the next step. Not every build of Spin has the operator for this, so the bit `t`,
 * which changes with every step, stands for it.
 */
function formatNext(of: string): string {
  return `((t -> (t U (!t && ${of}))) && (!t -> (!t U (t && ${of}))))`;
}

/** Formats that a formula holds until the clock has advanced by more than a number of ticks. */
function formatHold(hold: string, tick: string, ticks: number): string {
  const rest = ticks === 0 ? 'true' : formatHold(hold, tick, ticks - 1);
  return `(${hold} && ${formatNext(`((${hold} && !${tick}) W (${tick} && ${rest}))`)})`;
}

/** Formats that a goal is reached before the clock has advanced by more than a number of ticks. */
function formatReach(hold: string, goal: string, tick: string, ticks: number): string {
  const rest = ticks === 0 ? 'false' : formatReach(hold, goal, tick, ticks - 1);
  const later = formatNext(`((${hold} && !${tick}) W ((${goal} && !${tick}) || (${tick} && ${rest})))`);
  return `(${goal} || (${hold} && ${later}))`;
}

/** Formats that a formula occurs at most a number of times until an end. */
function formatCount(of: string, end: string, max: number): string {
  const rest = max === 0 ? 'false' : formatNext(formatCount(of, end, max - 1));
  return `((!${of} && !${end}) W (${end} || (${of} && ${rest})))`;
}
