import { createMachine } from 'xstate';
import type { AnyStateMachine } from '../../src/compiled/model.ts';
import { checkProperties, type PropertyResult } from '../../src/properties/check/check-properties.ts';
import type { Formula } from '../../src/properties/language/formula.ts';
import { defineProperty } from '../../src/properties/language/formula-builder.ts';
import { machinePropertyModel } from '../../src/properties/models/machine-model.ts';
import type { PropertyModel } from '../../src/properties/models/property-model.ts';

const dayMs = 86_400_000;

/** Model of a machine without context. `steps` has the target of each event, by state; the first state is initial. */
export function createSystem(steps: Readonly<Record<string, Readonly<Record<string, string>>>>): PropertyModel {
  const machine = createMachine({
    id: 'small',
    initial: Object.keys(steps)[0] ?? '',
    states: Object.fromEntries(Object.entries(steps).map(([name, on]) => [name, { on }])),
  } as never) as AnyStateMachine;
  const events = [...new Set(Object.values(steps).flatMap((on) => Object.keys(on)))].map((type) => ({ type }));
  return machinePropertyModel({ name: 'small', machine, events }, { event: 'day', stepMs: dayMs });
}

/** Checks one formula on a model. */
export function checkFormula(model: PropertyModel, property: Formula, fair: readonly Formula[] = []): PropertyResult {
  const [result] = checkProperties(model, [defineProperty({ id: 'p', title: 'A property', property, fair })]);
  if (result === undefined) throw new RangeError('No result.');
  return result;
}

/** Verdict of one formula, with the actions of its counterexample, and a bar before those that repeat. */
export function explainVerdict(model: PropertyModel, property: Formula, fair: readonly Formula[] = []): string {
  const { verdict, counterexample } = checkFormula(model, property, fair);
  if (counterexample === null) return verdict;
  const actions = counterexample.steps.map(({ action }) => action);
  const { cycleFrom } = counterexample;
  if (cycleFrom === null) return actions.join(' ');
  return [...actions.slice(0, cycleFrom), '|', ...actions.slice(cycleFrom)].join(' ');
}
