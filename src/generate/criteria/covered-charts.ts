import { initialTransition, transition } from 'xstate';
import { nudgeMachine } from '../../../machines/nudge.machine.ts';
import type { AnyStateMachine, SnapshotFrom } from '../../compiled/model.ts';
import type { ArrayCoverage, ChartCoverage, PairCoverage } from '../../contract/suite-coverage.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { DriverSession } from '../../scenario/driver.ts';
import { ModelDriver } from '../../scenario/drivers/model.driver.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { ArraySuite, MachineSuite } from '../generation.ts';
import { ChartCounter } from './chart-counter.ts';

/** Computes how scenarios cover the user lifecycle of the model; a scenario counts up to its first impossible step. */
export async function coveredLifecycle(scenarios: readonly Scenario[]): Promise<ChartCoverage> {
  const counter = new ChartCounter(nudgeMachine as unknown as AnyStateMachine, 'nudge');
  const driver = new ModelDriver();
  const [first] = initialTransition(nudgeMachine, { count: 0, snoozedAtMs: null });
  for (const scenario of scenarios) {
    const session = await driver.open(scenario);
    counter.began(first as unknown as SnapshotFrom<AnyStateMachine>);
    session.watch?.({
      evaluated: () => undefined,
      moved: (before, event, after) => counter.moved(before as never, event as never, after as never),
    });
    await performAll(session, scenario);
    await session.close();
  }
  return counter.coverage();
}

async function performAll(session: DriverSession, { steps }: Scenario): Promise<void> {
  try {
    for (const step of steps) await session.perform(step);
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
  }
}

/** Computes the coverage of a machine by its tests. */
export function coveredMachine({ model, tests }: MachineSuite): ChartCoverage {
  const { machine, input, from } = model;
  const counter = new ChartCounter(machine, model.name);
  const [initial] = initialTransition(machine, input as never);
  const first = (from ?? initial) as SnapshotFrom<AnyStateMachine>;
  for (const events of tests) {
    let state = first;
    counter.began(state);
    for (const event of events) {
      const [moved] = transition(machine, state as never, event);
      const after = moved as unknown as SnapshotFrom<AnyStateMachine>;
      counter.moved(state, event, after);
      state = model.normalize?.(after, event) ?? after;
    }
  }
  return counter.coverage();
}

/** Computes the coverage of an array: its rows, and the covered value combinations of each parameter pair. */
export function coveredArray({ array, found, valueCounts }: ArraySuite): ArrayCoverage {
  const { factors } = array;
  const rows = array.rows.map((row) => row.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
  const impossible = found.impossible.filter((tuple) => Object.keys(tuple).length === 2);
  const pairs = factors.flatMap((one, at) =>
    factors.slice(at + 1).map((other, beyond): PairCoverage => {
      const never = impossible.filter((tuple) => one in tuple && other in tuple).length;
      const seen = new Set(rows.map((row) => JSON.stringify([row[at], row[at + 1 + beyond]])));
      const all = (valueCounts.get(one) ?? 0) * (valueCounts.get(other) ?? 0);
      // With strength above 2, impossible combinations are reported only at that strength.
      const possible = found.impossible.length > 0 && impossible.length === 0 ? seen.size : all - never;
      return { parameterA: one, parameterB: other, possible, covered: Math.min(seen.size, possible) };
    }),
  );
  return { factors, rows, pairs };
}
