import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { formatCount } from '../../core/format-count.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { type FactScalar, type Formula, listParts, type Property } from '../language/formula.ts';
import type { PropertyModel } from '../models/property-model.ts';

/**
 * Checks that a model has what properties name: facts, events, actions, and a clock for times. A misspelled name would
 * make a property hold without a reason.
 *
 * @throws NudgeLabError `property-invalid` with every unknown name
 */
export function checkNames(model: PropertyModel, properties: readonly Property[]): void {
  const problems = properties.flatMap(({ formula, fair, locate }) =>
    [formula, ...fair].flatMap((part) => listProblems(model, part, locate)),
  );
  if (problems.length > 0) throw new NudgeLabError('property-invalid', { problems });
}

function listProblems(
  model: PropertyModel,
  formula: Formula,
  locate: Property['locate'],
): readonly ValidationProblem[] {
  const inside = listParts(formula).flatMap((part) => listProblems(model, part, locate));
  const messages = describeProblems(model, formula);
  return [...messages.map((message) => ({ location: locate(formula.path), message })), ...inside];
}

function describeProblems(model: PropertyModel, formula: Formula): readonly string[] {
  switch (formula.kind) {
    case 'compare': {
      const right = 'fact' in formula.with ? [formula.with.fact] : [];
      return [formula.fact, ...right].flatMap((name) => checkName('fact', name, listFacts(model)));
    }
    case 'change':
      return checkName('fact', formula.fact, listFacts(model));
    case 'event':
      return formula.names.flatMap((name) => checkName('event', name, listEvents(model)));
    case 'action':
      return formula.names.flatMap((name) => checkName('action', name, listActions(model)));
    case 'time':
      return model.clock === null ? [`the machine ${model.name} has no clock`] : [];
    case 'always':
      return checkTime(model, formula.forMs);
    case 'eventually':
    case 'until':
      return checkTime(model, formula.withinMs);
    default:
      return [];
  }
}

function checkName(what: string, name: string, allowed: readonly string[]): readonly string[] {
  return allowed.includes(name) ? [] : [`unknown ${what}: ${describeUnknownName(name, allowed)}`];
}

function checkTime({ name, clock }: PropertyModel, durationMs: number | null): readonly string[] {
  if (durationMs === null) return [];
  if (clock === null) return [`the machine ${name} has no clock, so no time limit can be checked`];
  return durationMs % clock.stepMs === 0
    ? []
    : [`the clock of the machine ${name} advances by ${formatDuration(clock.stepMs)}; use a multiple of it`];
}

function formatDuration(durationMs: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1_000],
  ] as const;
  const [name, ms] = units.find((unit) => durationMs % unit[1] === 0) ?? ['millisecond', 1];
  return formatCount(durationMs / ms, name);
}

/** Lists the names of the facts of a model. */
export function listFacts(model: PropertyModel): readonly string[] {
  return model.facts.map(({ name }) => name);
}

/** Lists the types of the events of a model. */
export function listEvents(model: PropertyModel): readonly string[] {
  if ('explored' in model) return model.events;
  const { product } = model;
  return [...new Set(product.parts.flatMap(({ events }) => events.map(({ type }) => String(type))))];
}

/** Lists the names of the actions of a model. */
export function listActions(model: PropertyModel): readonly string[] {
  if ('explored' in model) return model.actions;
  const { product } = model;
  return product.actions.map(({ name }) => name);
}

/** Lists values that a property compares a fact with, although the fact never has them. */
export function listUnreachedValues(
  formula: Formula,
  getValues: (fact: string) => readonly FactScalar[],
): readonly { readonly fact: string; readonly value: FactScalar; readonly path: Formula['path'] }[] {
  const inside = listParts(formula).flatMap((part) => listUnreachedValues(part, getValues));
  if (formula.kind !== 'compare' || !['is', 'in'].includes(formula.by) || 'fact' in formula.with) return inside;
  const compared = 'values' in formula.with ? formula.with.values : [formula.with.value];
  const reached = getValues(formula.fact);
  const { fact, path } = formula;
  return [...compared.filter((value) => !reached.includes(value)).map((value) => ({ fact, value, path })), ...inside];
}
