import type { WrittenStep } from '../../contract/scenario.schema.ts';
import type { StateGraph } from '../exploration/state-graph.ts';
import type { ModelState, SandboxStateGraph } from '../mutate/sandbox-state-graph.ts';
import { Separation } from '../separation/separation.ts';

/** Steps of a test model in numbers: states in the order of discovery, and labels for the steps. */
export interface SandboxSteps {
  readonly graph: StateGraph;
  /** Step of each label. */
  readonly steps: readonly WrittenStep[];
  /** Possible initial states of journeys, each with the number of its initial data. */
  readonly beginnings: readonly { readonly state: number; readonly given: number }[];
  /** Number of the observation for each state and label; -1 if the step is impossible. */
  readonly shown: Int32Array;
}

/**
 * Explores a test model completely.
 * @throws `RangeError` if the model has more states than its limit
 */
export async function sandboxSteps(stateGraph: SandboxStateGraph): Promise<SandboxSteps> {
  const states: ModelState[] = [...stateGraph.beginnings];
  const labelOf = new Map<string, number>();
  const shownOf = new Map<string, number>();
  const steps: WrittenStep[] = [];
  const taken: { readonly from: number; readonly label: number; readonly to: number; readonly shown: number }[] = [];
  const met = new Set(states);
  // The loop also visits the states that it appends.
  for (const state of states) {
    if (states.length > stateGraph.testModel.statesMax)
      throw new RangeError(`The model "${stateGraph.testModel.name}" is too large.`);
    for (const { step, seen, to } of await stateGraph.listEdges(state)) {
      if (seen === null) continue;
      const label = numberIn(labelOf, JSON.stringify(step));
      steps[label] = step;
      taken.push({ from: state.number, label, to: to.number, shown: numberIn(shownOf, seen) });
      if (met.has(to)) continue;
      met.add(to);
      states.push(to);
    }
  }
  const size = states.length * steps.length;
  const [targets, shown] = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
  for (const one of taken) {
    targets[one.from * steps.length + one.label] = one.to;
    shown[one.from * steps.length + one.label] = one.shown;
  }
  const beginnings = stateGraph.beginnings.map(({ number, given }) => ({ state: number, given }));
  return { graph: { states: states.length, labels: steps.length, targets }, steps, beginnings, shown };
}

function numberIn(numbers: Map<string, number>, key: string): number {
  const number = numbers.get(key) ?? numbers.size;
  numbers.set(key, number);
  return number;
}

/**
 * Lists the distinguishing sequences after each step, by state and label. They distinguish the step's target from the
 * target of every other step with the same observation. Observations belong to steps, so a target is a state together
 * with the observation on the way there.
 */
export function listStepSuffixes({ graph, shown }: SandboxSteps): (step: number) => readonly (readonly number[])[] {
  const { labels, targets } = graph;
  const places = new Map<string, number>();
  const found: { readonly state: number; readonly shown: number }[] = [];
  const getPlace = (step: number): number => {
    const place = { state: targets[step] as number, shown: shown[step] as number };
    const number = numberIn(places, `${place.state} ${place.shown}`);
    found[number] = place;
    return number;
  };
  for (let step = 0; step < targets.length; step += 1) if ((targets[step] as number) >= 0) getPlace(step);
  const after = new Int32Array(found.length * labels).fill(-1);
  for (const [place, { state }] of found.entries()) {
    for (let label = 0; label < labels; label += 1) {
      const step = state * labels + label;
      if ((targets[step] as number) >= 0) after[place * labels + label] = getPlace(step);
    }
  }
  const separation = new Separation(
    { states: found.length, labels, targets: after },
    found.map((place) => place.shown),
  );
  return (step) => separation.listSuffixes(getPlace(step)).map((suffix) => suffix.labels);
}
