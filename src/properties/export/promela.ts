import { NudgeLabError } from '../../core/errors.ts';
import { checkNames } from '../check/check-names.ts';
import { createGraph } from '../check/create-graph.ts';
import { computeLetters, createStepSignature } from '../check/letters.ts';
import type { StepGraph } from '../check/step-graph.ts';
import type { Property } from '../language/formula.ts';
import type { PropertyModel } from '../models/property-model.ts';
import { formatLtl, Propositions } from './ltl-text.ts';

/** Maximum number of steps of an exported machine: Spin compiles them as tables. */
const exportedStepsMax = 2_000_000;

/**
 * Formats a property with all steps of its machine as a Promela model for the model checker Spin. The model has the
 * number of the state and, as bits of `m`, the conditions that hold at the current position; the formula is `ltl p`.
 * Verify it with `spin -run -a FILE`.
 *
 * @param model - the machine
 * @param property - property of the machine
 * @returns the text of the model
 * @throws NudgeLabError `property-invalid`, `property-too-large`, `state-space-too-large`
 */
export function formatPromela(model: PropertyModel, property: Property): string {
  const { id, title, formula, fair } = property;
  checkNames(model, [property]);
  const graph = createGraph(model, createStepSignature(model, [formula, ...fair]));
  const propositions = new Propositions();
  const tickMs = model.clock?.stepMs ?? 1;
  const text = formatLtl(formula, propositions, tickMs);
  const fairness = fair.map((condition) => `([] <> ${formatLtl(condition, propositions, tickMs)})`);
  const letters = computeLetters(graph, propositions.formulas);
  const steps = listSteps(graph, letters);
  if (steps.length > exportedStepsMax) {
    throw new NudgeLabError('property-too-large', {
      message: `The machine ${model.name} has ${steps.length} different steps for ${id}; at most ${exportedStepsMax} can be exported.`,
    });
  }
  const offsets = countOffsets(steps, graph.states);
  const width = Math.max(...offsets.slice(1).map((end, at) => end - (offsets[at] as number)));
  return [
    `/* ${model.name}: ${id}: ${title.replaceAll('*/', '* /')} */`,
    'c_decl {',
    `  static const int step_first[] = { ${offsets.join()} };`,
    `  static const int step_target[] = { ${steps.map(([, , to]) => to).join()} };`,
    `  static const int step_mask[] = { ${steps.map(([, mask]) => mask).join()} };`,
    '}',
    '',
    '/* State, the conditions that hold at the position as bits, and a bit that changes with every step. */',
    'int s = 0;',
    'bit t = 0;',
    `int m = ${letters.masks[letters.first]};`,
    ...propositions.formulas.map((_, bit) => `#define p${bit} ((m & ${1 << bit}) != 0)`),
    '',
    'active proctype machine() {',
    '  do',
    ...Array.from({ length: width }, (_, choice) => formatChoice(choice)),
    '  od',
    '}',
    '',
    `ltl p { ${fairness.length === 0 ? text : `(${fairness.join(' && ')}) -> ${text}`} }`,
    '',
  ].join('\n');
}

/** Formats the choice of one step of the current state, by its place among the steps of the state. */
function formatChoice(choice: number): string {
  const place = `step_first[now.s] + ${choice}`;
  const isThere = `c_expr { ${place} < step_first[now.s + 1] }`;
  return `  :: d_step { ${isThere} -> c_code { now.m = step_mask[${place}]; now.s = step_target[${place}]; now.t = !now.t; } }`;
}

function countOffsets(steps: readonly Step[], states: number): readonly number[] {
  const offsets = Array.from({ length: states + 1 }, () => 0);
  for (const [from] of steps) offsets[from + 1] = (offsets[from + 1] as number) + 1;
  for (let at = 1; at < offsets.length; at += 1) offsets[at] = (offsets[at] as number) + (offsets[at - 1] as number);
  return offsets;
}

type Step = readonly [from: number, mask: number, to: number];

function listSteps(graph: StepGraph, { masks, steps }: ReturnType<typeof computeLetters>): readonly Step[] {
  const different = new Map<string, Step>();
  for (let from = 0; from < graph.states; from += 1) {
    for (let at = graph.offsets[from] as number; at < (graph.offsets[from + 1] as number); at += 1) {
      const step: Step = [from, masks[steps[at] as number] as number, graph.targets[at] as number];
      different.set(step.join(' '), step);
    }
  }
  return [...different.values()];
}
