import type { MeasuredScenario, SuiteMatrix } from './suite-matrix.ts';

/** Scenario at its place in the order, with the faults that no earlier one detects. */
export interface PrioritizedScenario {
  readonly id: string;
  /** Time in the unit of the given times. */
  readonly time: number;
  readonly newFaults: number;
}

/** How early an order detects the faults. */
export interface DetectionSpeed {
  /** Time after which the share of the faults is detected, by the share in percent. */
  readonly timeTo: Readonly<Record<50 | 90 | 100, number>>;
  /**
   * Average share of the faults that are detected, over the time of all scenarios, from 0 to 1: the measure APFDc with
   * equal severities.
   */
  readonly average: number;
}

/** Order that detects the most faults per time. */
export interface Priorities {
  readonly order: readonly PrioritizedScenario[];
  readonly faults: number;
  readonly before: DetectionSpeed;
  readonly after: DetectionSpeed;
}

/**
 * Orders the scenarios of a suite: next is always the one with the most faults per time that no earlier one detects.
 * Once all are detected, the rest is ordered in the same way as if none were. Coverage points decide between equals,
 * then the order of the suite. Scenarios that were not measured come last.
 */
export function prioritizeSuite(
  { goals, scenarios, unmeasured }: SuiteMatrix,
  timeFor: (id: string, steps: number) => number,
): Priorities {
  const isFault = goals.map(({ kind }) => kind === 'mutant');
  const timed = scenarios.map((scenario) => ({ ...scenario, time: timeFor(scenario.id, scenario.steps) }));
  const order: PrioritizedScenario[] = [];
  const seen = new Set<number>();
  let waiting: readonly (MeasuredScenario & { readonly time: number })[] = timed;
  let reached = new Set<number>();
  while (waiting.length > 0) {
    let best = waiting[0] as (typeof timed)[number];
    let bestGain: readonly [number, number] = [-1, -1];
    for (const scenario of waiting) {
      const open = scenario.reaches.filter((goal) => !reached.has(goal));
      const faults = open.filter((goal) => isFault[goal]).length;
      const gain = [faults / scenario.time, (open.length - faults) / scenario.time] as const;
      if (gain[0] > bestGain[0] || (gain[0] === bestGain[0] && gain[1] > bestGain[1])) {
        best = scenario;
        bestGain = gain;
      }
    }
    if (bestGain[0] === 0 && bestGain[1] === 0 && reached.size > 0) {
      reached = new Set();
      continue;
    }
    const newFaults = best.reaches.filter((goal) => isFault[goal] && !seen.has(goal)).length;
    order.push({ id: best.id, time: best.time, newFaults });
    for (const goal of best.reaches) {
      seen.add(goal);
      reached.add(goal);
    }
    waiting = waiting.filter((scenario) => scenario !== best);
  }
  const faults = isFault.filter(Boolean).length;
  const firstSeen = new Set<number>();
  const asWritten = timed.map(({ id, time, reaches }) => {
    const fresh = reaches.filter((goal) => isFault[goal] && !firstSeen.has(goal));
    for (const goal of fresh) firstSeen.add(goal);
    return { id, time, newFaults: fresh.length };
  });
  return {
    order: [...order, ...unmeasured.map((id) => ({ id, time: timeFor(id, 1), newFaults: 0 }))],
    faults,
    before: detectionSpeed(asWritten, faults),
    after: detectionSpeed(order, faults),
  };
}

function detectionSpeed(order: readonly PrioritizedScenario[], faults: number): DetectionSpeed {
  const total = order.reduce((sum, { time }) => sum + time, 0);
  const timeTo = { 50: 0, 90: 0, 100: 0 };
  let elapsed = 0;
  let detected = 0;
  let area = 0;
  for (const { time, newFaults } of order) {
    // Faults count from the middle of the scenario that detects them.
    area += newFaults * (total - elapsed - time / 2);
    elapsed += time;
    for (const share of [50, 90, 100] as const) {
      const needed = Math.ceil((faults * share) / 100);
      if (detected < needed && detected + newFaults >= needed) timeTo[share] = elapsed;
    }
    detected += newFaults;
  }
  return { timeTo, average: faults === 0 || total === 0 ? 0 : area / (faults * total) };
}
