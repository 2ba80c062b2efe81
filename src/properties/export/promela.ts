import { NudgeLabError } from '../../core/errors.ts';
import { checkNames } from '../check/check-names.ts';
import { LabelledGraph } from '../check/labelled-graph.ts';
import { computeLetters, createStepSignature } from '../check/letters.ts';
import type { Property } from '../language/formula.ts';
import type { PropertyModel } from '../models/property-model.ts';
import { formatLtl, Propositions } from './ltl-text.ts';

/** Maximum number of steps of an exported machine, because Spin compiles each one as code. */
const exportedStepsMax = 100_000;

/**
 * Formats a property with all steps of its machine as a Promela model for the model checker Spin. The model has the
 * number of the state and, as bits of `m`, the conditions that hold at the current position; the formula is `ltl p`.
 * Verify it with `spin -run -a -DNOREDUCE FILE`: the formula uses the next step, which partial order reduction does not
 * preserve.
 *
 * @param model - the machine
 * @param property - property of the machine
 * @returns the text of the model
 * @throws NudgeLabError `property-invalid`, `property-too-large`, `state-space-too-large`
 */
export function formatPromela(model: PropertyModel, property: Property): string {
  const { id, title, formula, fair } = property;
  checkNames(model, [property]);
  const graph = new LabelledGraph(model, createStepSignature(model, [formula, ...fair]));
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
  return [
    `/* ${model.name}: ${id}: ${title.replaceAll('*/', '* /')} */`,
    `int s = 0;`,
    `int m = ${letters.masks[letters.first]};`,
    ...propositions.formulas.map((_, bit) => `#define p${bit} ((m & ${1 << bit}) != 0)`),
    '',
    'active proctype machine() {',
    '  do',
    ...steps.map(([from, mask, to]) => `  :: d_step { s == ${from} -> s = ${to}; m = ${mask} }`),
    '  od',
    '}',
    '',
    `ltl p { ${fairness.length === 0 ? text : `(${fairness.join(' && ')}) -> ${text}`} }`,
    '',
  ].join('\n');
}

type Step = readonly [from: number, mask: number, to: number];

function listSteps(graph: LabelledGraph, { masks, steps }: ReturnType<typeof computeLetters>): readonly Step[] {
  const different = new Map<string, Step>();
  for (let from = 0; from < graph.states; from += 1) {
    for (let at = graph.offsets[from] as number; at < (graph.offsets[from + 1] as number); at += 1) {
      const step: Step = [from, masks[steps[at] as number] as number, graph.targets[at] as number];
      different.set(step.join(' '), step);
    }
  }
  return [...different.values()];
}
