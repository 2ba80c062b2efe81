import { NudgeLabError } from '../../core/errors.ts';
import { suggestName } from '../../core/nearest-name.ts';
import { createAutomaton, createMonitor, isSafety } from '../automata/automaton.ts';
import { createNormalForm, type NormalForm } from '../automata/normal-form.ts';
import type { FactScalar, Property } from '../language/formula.ts';
import { collectAtoms } from '../language/formula-atoms.ts';
import type { PropertyModel } from '../models/property-model.ts';
import { checkLiveness } from './check-liveness.ts';
import { checkNames, listUnreachedValues } from './check-names.ts';
import { checkSafety } from './check-safety.ts';
import { createGraph } from './create-graph.ts';
import { computeLetters, createStepSignature, isTaken, type Letters } from './letters.ts';
import type { GraphPath, Search } from './paths.ts';
import type { StepGraph } from './step-graph.ts';

/** Step of a counterexample. */
export interface CounterexampleStep {
  readonly action: string;
  /** Types of the events that the action sends. */
  readonly events: readonly string[];
  /** Values after the step of the facts that the property names. */
  readonly facts: Readonly<Record<string, FactScalar>>;
  /** `true` if the action takes place: it sends an event, or it never needs to. */
  readonly taken: boolean;
}

/** Path on which a property does not hold. */
export interface Counterexample {
  readonly steps: readonly CounterexampleStep[];
  /** Number of steps before the part that repeats forever; `null` if the steps alone refute the property. */
  readonly cycleFrom: number | null;
  /** Facts at the start. */
  readonly start: Readonly<Record<string, FactScalar>>;
}

/** Result of checking one property on all reachable states of a model. */
export interface PropertyResult {
  readonly id: string;
  readonly title: string;
  readonly covers: readonly string[];
  /**
   * `proven` if it holds on every path, `violated` with a counterexample, and `vacuous` if it holds only because none of
   * its conditions ever occurs.
   */
  readonly verdict: 'proven' | 'violated' | 'vacuous';
  /** `safety` if every violation shows after finitely many steps. */
  readonly kind: 'safety' | 'liveness';
  /** Reachable states of the model, and its steps that properties distinguish. */
  readonly states: number;
  readonly steps: number;
  /** States of the automaton, and visited pairs of a state of the model and one of the automaton. */
  readonly automatonStates: number;
  readonly visited: number;
  readonly counterexample: Counterexample | null;
}

/** Options of a check. */
export interface CheckOptions {
  /** Called after each property. */
  readonly onResult?: (result: PropertyResult) => void;
}

/**
 * Checks properties on every infinite path of a model. The model is explored once.
 *
 * @param model - the model
 * @param properties - properties of this model
 * @returns a result for each property, in order
 * @throws NudgeLabError `property-invalid` for names that the model lacks, `property-too-large`, and
 *   `state-space-too-large`
 */
export function checkProperties(
  model: PropertyModel,
  properties: readonly Property[],
  { onResult }: CheckOptions = {},
): readonly PropertyResult[] {
  checkNames(model, properties);
  const formulas = properties.flatMap(({ formula, fair }) => [formula, ...fair]);
  const graph = createGraph(model, createStepSignature(model, formulas));
  let letters: Letters | null = null;
  return properties.map((property) => {
    const form = createNormalForm(property.formula, property.fair, graph.model.clock?.stepMs ?? 1);
    refuseUnreachedValues(graph, property);
    letters = computeLetters(graph, form.predicates, letters);
    const result = checkProperty(graph, property, form, letters);
    onResult?.(result);
    return result;
  });
}

function checkProperty(graph: StepGraph, property: Property, form: NormalForm, letters: Letters): PropertyResult {
  const { id, title, covers } = property;
  const { search, automatonStates, kind } = searchPath(graph, form, letters);
  const isVacuous =
    form.triggers.length > 0 &&
    !form.triggers.some((trigger) => letters.masks.some((mask) => ((mask >>> trigger) & 1) === 1));
  return {
    id,
    title,
    covers,
    verdict: search.path !== null ? 'violated' : isVacuous ? 'vacuous' : 'proven',
    kind,
    states: graph.states,
    steps: graph.targets.length,
    automatonStates,
    visited: search.visited,
    counterexample: search.path === null ? null : describePath(graph, property, search.path),
  };
}

/** Throws an error for a text that a fact never has, because a misspelled one would decide the property. */
function refuseUnreachedValues(graph: StepGraph, { formula, fair, locate }: Property): void {
  const getValues = (fact: string): readonly FactScalar[] => {
    const declared = graph.model.facts.find(({ name }) => name === fact);
    const reached = graph.findColumn(fact)?.values ?? [];
    return declared !== undefined && 'declared' in declared ? [...reached, ...(declared.declared ?? [])] : reached;
  };
  const problems = [formula, ...fair]
    .flatMap((part) => listUnreachedValues(part, getValues))
    .filter(({ value }) => typeof value === 'string')
    .map(({ fact, value, path }) => {
      const allowed = [...new Set(getValues(fact).map((one) => String(one)))];
      const nearest = suggestName(String(value), allowed);
      const message = `${fact} is never "${value}" in the machine ${graph.model.name}; its values are ${allowed.slice(0, 20).join(', ')}${nearest}`;
      return { location: locate(path), message };
    });
  if (problems.length > 0) throw new NudgeLabError('property-invalid', { problems });
}

function searchPath(
  graph: StepGraph,
  { nodes, root, fair }: NormalForm,
  letters: Letters,
): { readonly search: Search; readonly automatonStates: number; readonly kind: PropertyResult['kind'] } {
  if (isSafety(nodes, root)) {
    const monitor = createMonitor(nodes, root, letters.masks);
    const search = checkSafety(graph, letters, monitor);
    // A refutation counts only if a fair path continues it, which the search for cycles decides.
    if (search.path === null || fair.length === 0) return { search, automatonStates: monitor.states, kind: 'safety' };
  }
  const automaton = createAutomaton(nodes, nodes.negate(root), letters.masks, fair);
  return { search: checkLiveness(graph, letters, automaton), automatonStates: automaton.states, kind: 'liveness' };
}

function describePath(graph: StepGraph, { formula }: Property, path: GraphPath): Counterexample {
  const { facts } = collectAtoms(formula);
  const names = [...new Set([...graph.model.facts.slice(0, 1).map(({ name }) => name), ...facts])];
  const getFacts = (state: number): Readonly<Record<string, FactScalar>> =>
    Object.fromEntries(
      names.map((name) => {
        const column = graph.findColumn(name);
        return [name, column?.values[column.numbers[state] as number] ?? null];
      }),
    );
  return {
    start: getFacts(0),
    cycleFrom: path.cycleFrom,
    steps: path.steps.map(({ from, step, to }) => {
      const taking = graph.findStep(from, graph.labels[step] as number, to);
      const { action, events } = taking;
      const taken = isTaken(graph.model, taking);
      return { action, events: events.map(({ type }) => type), facts: getFacts(to), taken };
    }),
  };
}
