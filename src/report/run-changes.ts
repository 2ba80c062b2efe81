import type { RunReport, ScenarioResult } from '../contract/result.schema.ts';

/** Differences between an earlier run and this one. A scenario is identified by its id and driver. */
export interface RunChanges {
  /** Scenarios that failed now but not before, including new scenarios. */
  readonly newlyFailed: readonly ScenarioResult[];
  /** Scenarios that failed before and passed now. */
  readonly fixed: readonly ScenarioResult[];
  readonly stillFailed: readonly ScenarioResult[];
  readonly added: number;
  readonly removed: number;
}

/** Compares a run with an earlier one. A scenario that failed in one of several repetitions counts as failed. */
export function changesSince(earlier: RunReport, now: RunReport): RunChanges {
  const before = byScenario(earlier);
  const after = byScenario(now);
  const wasFailed = (key: string): boolean => before.get(key)?.status === 'failed';
  const rows = [...after];
  const failed = rows.filter(([, { status }]) => status === 'failed');
  return {
    newlyFailed: failed.filter(([key]) => !wasFailed(key)).map(([, result]) => result),
    fixed: rows.filter(([key, { status }]) => status === 'passed' && wasFailed(key)).map(([, result]) => result),
    stillFailed: failed.filter(([key]) => wasFailed(key)).map(([, result]) => result),
    added: rows.filter(([key]) => !before.has(key)).length,
    removed: [...before.keys()].filter((key) => !after.has(key)).length,
  };
}

/**
 * Returns the scenarios that passed and failed in one repeated run, so their results depend on more than their
 * inputs.
 */
export function flakyIn({ results }: RunReport): readonly ScenarioResult[] {
  const passed = new Set(results.filter(({ status }) => status === 'passed').map(toKey));
  const failed = results.filter((result) => result.status === 'failed' && passed.has(toKey(result)));
  return [...new Map(failed.map((result) => [toKey(result), result])).values()];
}

function byScenario({ results }: RunReport): ReadonlyMap<string, ScenarioResult> {
  const known = new Map<string, ScenarioResult>();
  for (const result of results) {
    const key = toKey(result);
    if (known.get(key)?.status !== 'failed') known.set(key, result);
  }
  return known;
}

function toKey({ id, driver }: ScenarioResult): string {
  return `${driver} ${id}`;
}
