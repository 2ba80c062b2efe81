import { createRequire } from 'node:module';
import { join } from 'node:path';
import { datelessRulesets as rulesets } from '../machines/rulesets/ruleset-registry.ts';
import { CompiledEvaluator } from '../src/compiled/compiled-evaluator.ts';
import { evaluateAll } from '../src/compiled/evaluate-all.ts';
import { machineNowMs } from '../src/core/clock.ts';
import type { CoveringArray, CoveringArrayOptions, Parameter } from '../src/generate/covering-arrays/array-options.ts';
import { coveringArray } from '../src/generate/covering-arrays/covering-array.ts';
import { exploreEligibility } from '../src/generate/exploration/eligibility.ts';
import { eligibilitySpace } from '../src/generate/models/eligibility-space.ts';
import { maskingFreeConstraints, signInArray } from '../src/generate/models/sign-in-array.ts';
import { installPeers, peersFolder } from './install-peers.ts';
import { atLeast, atMost, type BenchRow, median, missedUnless, withinTime } from './measure.ts';

/**
 * Benchmark of covering arrays: rows against the targets and the lower bound, and the time. Each model is
 * generated in one call. The first call of this process runs in fast mode, so its code is not warmed up. Sizes do
 * not depend on the machine unless the time limit cuts the work short, which the row then reports. The results are
 * compared with covertable, run here with its usual options, and with the sizes published by the authors of PICT.
 * The last rows evaluate every combination of eligibility facts with the evaluator compiled to tables.
 */

interface Model {
  readonly model: string;
  readonly strength: number;
  readonly fast: { readonly rows: number; readonly ms: number } | null;
  readonly optimal: { readonly rows: number; readonly ms: number };
  /**
   * Number of rows that PICT produces, from https://www.pairwise.org/efficiency.html. `null` if that page has no
   * figure.
   */
  readonly pict: number | null;
}

const covertableVersion = '2.5.2';

/**
 * Signature of covertable’s `make`, which returns rows with every combination of the values of `length` parameters.
 */
type Make = (
  factors: readonly (readonly number[])[],
  options: { readonly length: number },
) => readonly (readonly number[])[];

const twelve = '4 2 4 2 8 2 9 3 3 3 5 8';
const models: readonly Model[] = [
  { model: twelve, strength: 2, fast: { rows: 79, ms: 100 }, optimal: { rows: 72, ms: 10_000 }, pict: null },
  { model: twelve, strength: 3, fast: { rows: 579, ms: 500 }, optimal: { rows: 576, ms: 10_000 }, pict: null },
  { model: '3^4', strength: 2, fast: null, optimal: { rows: 9, ms: 60_000 }, pict: 9 },
  { model: '3^13', strength: 2, fast: null, optimal: { rows: 15, ms: 60_000 }, pict: 18 },
  { model: '4^15 3^17 2^29', strength: 2, fast: null, optimal: { rows: 29, ms: 60_000 }, pict: 37 },
  { model: '4^1 3^39 2^35', strength: 2, fast: null, optimal: { rows: 21, ms: 60_000 }, pict: 27 },
  { model: '2^100', strength: 2, fast: null, optimal: { rows: 10, ms: 60_000 }, pict: 15 },
  { model: '10^20', strength: 2, fast: null, optimal: { rows: 180, ms: 60_000 }, pict: 210 },
];

/** Measures sizes and times of covering arrays, and the time to evaluate all eligibility combinations. */
export async function benchArrays(): Promise<readonly BenchRow[]> {
  installPeers({ covertable: covertableVersion });
  const { make } = createRequire(join(peersFolder, 'here.js'))('covertable') as { make: Make };
  return [...models.flatMap((model) => measureModel(model, make)), ...signInRows(), ...eligibilityRows()];
}

function measureModel({ model, strength, fast, optimal, pict }: Model, make: Make): readonly BenchRow[] {
  const factors = parseFactors(model);
  const modes = [
    ...(fast === null ? [] : [{ mode: 'fast' as const, bar: fast }]),
    { mode: 'optimal' as const, bar: optimal },
  ];
  const arrays = modes.map(({ mode, bar }) => ({ mode, bar, made: timedArray({ factors, strength, mode }) }));
  const own = arrays.map(({ mode, bar, made }): BenchRow => {
    const missing = countMissing(made.array, factors, strength);
    const reachedMs = made.firstMs(bar.rows);
    return {
      what: `${model}, strength ${strength}, ${mode}: ${formatBound(made)}; ${bar.rows} rows after ${reachedMs === null ? 'no time' : `${Math.ceil(reachedMs)} ms`}`,
      ours: made.array.size,
      theirs: null,
      unit: 'rows',
      ratio: null,
      bar: `≤ ${bar.rows} rows in ${bar.ms.toLocaleString('en-GB')} ms`,
      reached: missing === 0 && reachedMs !== null && reachedMs <= bar.ms && (mode === 'optimal' || made.ms <= bar.ms),
    };
  });
  const { made } = arrays.at(-1) as (typeof arrays)[number];
  const what = `${model}, strength ${strength}`;
  const published =
    pict === null ? [] : [atMost(1, `${what}, against the size that PICT publishes`, made.array.size, pict, 'rows')];
  return [...own, ...covertableRows({ what, factors, strength, made, make }), ...published];
}

/** Number of interleaved runs for small arrays. Larger arrays take long enough to be measured in one run. */
const smallRounds = 9;
const smallMs = 100;

/**
 * Compares the number of rows with covertable’s, and how often per second each side reaches covertable’s final size.
 */
function covertableRows({ what, factors, strength, made, make }: Compared): readonly BenchRow[] {
  const values = factors.map((factor) => factor.values as readonly number[]);
  const timed = () => {
    const startMs = performance.now();
    const rows = make(values, { length: strength }).length;
    return { rows, ms: performance.now() - startMs };
  };
  const first = timed();
  const untilMs = (array: Made): number => array.firstMs(first.rows) ?? Number.POSITIVE_INFINITY;
  const ours = [untilMs(made)];
  const theirs = [first.ms];
  for (let round = 1; made.ms + first.ms < smallMs && round < smallRounds; round += 1) {
    ours.push(untilMs(timedArray({ factors, strength, mode: 'optimal' })));
    theirs.push(timed().ms);
  }
  const perSecond = (times: readonly number[]): number => 1000 / median(times);
  const peer = `covertable ${covertableVersion}`;
  return [
    atMost(1, `${what}, against ${peer}`, made.array.size, first.rows, 'rows'),
    atLeast(1, `${what}, until as few rows as ${peer} has`, perSecond(ours), perSecond(theirs), 'arrays/s'),
  ];
}

interface Compared {
  readonly what: string;
  readonly factors: readonly Parameter[];
  readonly strength: number;
  readonly made: Made;
  readonly make: Make;
}

interface Made {
  readonly array: CoveringArray;
  readonly ms: number;
  /** Returns the time in milliseconds at which an array with at most this many rows existed. `null` if none did. */
  readonly firstMs: (rows: number) => number | null;
}

function timedArray(options: CoveringArrayOptions): Made {
  const sizes: { readonly size: number; readonly atMs: number }[] = [];
  const startMs = performance.now();
  const onProgress = ({ size }: { readonly size: number }) => sizes.push({ size, atMs: performance.now() - startMs });
  const array = coveringArray({ ...options, onProgress });
  const ms = performance.now() - startMs;
  return { array, ms, firstMs: (rows) => sizes.find(({ size }) => size <= rows)?.atMs ?? null };
}

function formatBound({ array: { lowerBound, optimal, endedBy }, ms }: Made): string {
  return `lower bound ${lowerBound}, ${optimal ? 'proven optimum' : `ended by the ${endedBy}`}, ${Math.round(ms).toLocaleString('en-GB')} ms`;
}

function parseFactors(model: string): readonly Parameter[] {
  return model
    .split(' ')
    .flatMap((part) => {
      const [values = 0, count = 1] = part.split('^').map(Number);
      return Array.from({ length: count }, () => values);
    })
    .map((count, at) => ({ name: `f${at}`, values: Array.from({ length: count }, (_, value) => value) }));
}

/** Counts the combinations that no row covers, without using the code that generated the rows. */
function countMissing({ rows }: CoveringArray, factors: readonly Parameter[], strength: number): number {
  let missing = 0;
  const count = (from: number, set: readonly Parameter[]): void => {
    if (set.length < strength) {
      for (let at = from; at < factors.length; at += 1) count(at + 1, [...set, factors[at] as Parameter]);
      return;
    }
    const seen = new Set(rows.map((row) => set.map(({ name }) => row[name]).join()));
    missing += set.reduce((all, { values }) => all * values.length, 1) - seen.size;
  };
  count(0, []);
  return missing;
}

/**
 * Measures the sign-in parameters with their constraints. These rows have no target because no reference figure
 * exists.
 */
function signInRows(): readonly BenchRow[] {
  const model = signInArray();
  const unmasked = { ...model, constraints: [...model.constraints, ...maskingFreeConstraints()] };
  const cases = [
    { what: 'pairs', options: model },
    { what: 'triples', options: { ...model, strength: 3 } },
    { what: 'pairs, no reason hiding another', options: unmasked },
  ];
  return cases.map(({ what, options }) => {
    const made = timedArray(options);
    const { array } = made;
    return {
      what: `sign-in, ${options.factors.length} factors, ${what}, fast: ${formatBound(made)}, ${array.impossible.length.toLocaleString('en-GB')} impossible`,
      ours: array.size,
      theirs: null,
      unit: 'rows',
      ratio: null,
      bar: 'complete, size stated',
      reached: array.complete,
    };
  });
}

/**
 * Compiles the evaluator and evaluates every combination for each ruleset, then compares a sample with `judge`
 * itself.
 */
function eligibilityRows(): readonly BenchRow[] {
  const rows = [...rulesets.values()].map((ruleset): BenchRow => {
    const startMs = machineNowMs();
    const compiled = new CompiledEvaluator(eligibilitySpace(), ruleset);
    const evaluated = evaluateAll(compiled).reduce((sum, count) => sum + count, 0);
    const ours = machineNowMs() - startMs;
    return missedUnless(
      evaluated >= 10_000_000,
      withinTime(
        5_000,
        `eligibility by ${ruleset.id}, ${evaluated.toLocaleString('en-GB')} combinations, compiling included`,
        ours,
        'ms',
      ),
    );
  });
  const sampled = 100_000;
  const differing = exploreEligibility(sampled).reduce((sum, report) => sum + report.differing, 0);
  return [
    ...rows,
    {
      what: `verdicts of the table unlike those of evaluate, of ${sampled.toLocaleString('en-GB')} for each ruleset`,
      ours: differing,
      theirs: null,
      unit: 'verdicts',
      ratio: null,
      bar: '0',
      reached: differing === 0,
    },
  ];
}
