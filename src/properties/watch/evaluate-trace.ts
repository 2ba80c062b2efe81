import { evaluateCondition, type PathPosition } from '../language/evaluate-condition.ts';
import { type Formula, isPlain } from '../language/formula.ts';

/** Position of a recorded path, with its time. */
export interface TracePosition extends PathPosition {
  /** Time in milliseconds; it never falls along a trace. */
  readonly atMs: number;
}

/** Truth of a formula on a path of which only the beginning is known. */
type Truth = -1 | 0 | 1;

const violated: Truth = -1;
const open: Truth = 0;
const holds: Truth = 1;

/**
 * Finds the first position of a recorded path at which a formula can no longer hold, however the path continues. Time
 * limits are compared with the recorded times.
 *
 * @param formula - the formula, at the first position
 * @param trace - the recorded beginning of a path
 * @returns the index of the position; `null` if a continuation can still satisfy the formula
 */
export function findViolation(formula: Formula, trace: readonly TracePosition[]): number | null {
  if (trace.length === 0 || !isViolated(formula, trace)) return null;
  // A violated beginning stays violated, so the shortest one is found by bisection.
  let [low, high] = [1, trace.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isViolated(formula, trace.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

function isViolated(formula: Formula, trace: readonly TracePosition[]): boolean {
  return evaluate(formula, trace)[0] === violated;
}

/** Evaluates a formula at every position of a trace. */
function evaluate(formula: Formula, trace: readonly TracePosition[]): readonly Truth[] {
  if (isPlain(formula)) return trace.map((position) => (evaluateCondition(formula, position) ? holds : violated));
  switch (formula.kind) {
    case 'not':
      return evaluate(formula.of, trace).map(negate);
    case 'all':
      return formula.of.map((part) => evaluate(part, trace)).reduce((a, b) => a.map((one, at) => and(one, b[at])));
    case 'any':
      return formula.of.map((part) => evaluate(part, trace)).reduce((a, b) => a.map((one, at) => or(one, b[at])));
    case 'when': {
      const implied = evaluate(formula.implies, trace);
      return evaluate(formula.when, trace).map((one, at) => or(negate(one), implied[at]));
    }
    case 'next': {
      const of = evaluate(formula.of, trace);
      return trace.map((_, at) => of[at + 1] ?? open);
    }
    case 'always':
      return evaluateUntil(evaluate(formula.of, trace), null, trace, { weak: true, limitMs: formula.forMs });
    case 'eventually':
      return evaluateUntil(null, evaluate(formula.of, trace), trace, { weak: false, limitMs: formula.withinMs });
    case 'until':
      return evaluateUntil(evaluate(formula.hold, trace), evaluate(formula.until, trace), trace, {
        weak: !formula.strong,
        limitMs: formula.withinMs,
      });
    case 'before': {
      const second = evaluate(formula.before, trace).map(negate);
      const first = evaluate(formula.first, trace).map((one, at) => and(one, second[at]));
      return evaluateUntil(second, first, trace, { weak: true, limitMs: null });
    }
    case 'times':
      return evaluateTimes(formula, trace);
    default:
      throw new TypeError(`${formula.kind} is decided by one position.`);
  }
}

/**
 * Evaluates `hold` until `goal` at every position. `null` is a condition that always holds, and as the goal one that
 * never does. When time exceeds the limit, `always` is fulfilled, and `until` can no longer reach its goal.
 */
function evaluateUntil(
  hold: readonly Truth[] | null,
  goal: readonly Truth[] | null,
  trace: readonly TracePosition[],
  { weak, limitMs }: { readonly weak: boolean; readonly limitMs: number | null },
): readonly Truth[] {
  const here = (at: number, rest: Truth): Truth => or(goal?.[at] ?? violated, and(hold?.[at] ?? holds, rest));
  if (limitMs === null) {
    let rest: Truth = open;
    const truths = trace.map(() => open as Truth);
    for (let at = trace.length - 1; at >= 0; at -= 1) {
      rest = here(at, rest);
      truths[at] = rest;
    }
    return truths;
  }
  return trace.map(({ atMs: startMs }, start) => {
    let end = start;
    while (end < trace.length && (trace[end] as TracePosition).atMs - startMs <= limitMs) end += 1;
    let rest: Truth = end === trace.length ? open : weak ? holds : violated;
    for (let at = end - 1; at >= start; at -= 1) rest = here(at, rest);
    return rest;
  });
}

/** Counts after each start until the next end; both are excluded. */
function evaluateTimes(
  { max, of, between: [from, to] }: Extract<Formula, { kind: 'times' }>,
  trace: readonly TracePosition[],
): readonly Truth[] {
  const [counted, starts, ends] = [of, from, to].map((part) => evaluate(part, trace)) as [
    readonly Truth[],
    readonly Truth[],
    readonly Truth[],
  ];
  const each = trace.map((_, start): Truth => {
    if (starts[start] !== holds) return starts[start] === violated ? holds : open;
    let count = 0;
    for (let at = start + 1; at < trace.length; at += 1) {
      if (ends[at] === holds) return holds;
      if (ends[at] === open) return open;
      if (counted[at] === holds) count += 1;
      if (count > max) return violated;
    }
    return open;
  });
  return evaluateUntil(each, null, trace, { weak: true, limitMs: null });
}

function negate(truth: Truth): Truth {
  return -truth as Truth;
}

function and(a: Truth, b: Truth = open): Truth {
  return Math.min(a, b) as Truth;
}

function or(a: Truth, b: Truth = open): Truth {
  return Math.max(a, b) as Truth;
}
