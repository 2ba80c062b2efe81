import { NudgeLabError } from '../../core/errors.ts';
import { checkNames } from '../check/check-names.ts';
import { createGraph } from '../check/create-graph.ts';
import { computeLetters, createStepSignature } from '../check/letters.ts';
import type { StepGraph } from '../check/step-graph.ts';
import type { Property } from '../language/formula.ts';
import type { PropertyModel } from '../models/property-model.ts';
import { formatLtl, Propositions } from './ltl-text.ts';
import { formatWatched, type WatchedFormula } from './watched-ltl.ts';

/** Maximum number of steps of an exported machine: Spin compiles them as tables. */
const exportedStepsMax = 2_000_000;

/**
 * Formats a property with all steps of its machine as a Promela model for the model checker Spin. The model has the
 * number of the state and, as bits of `m`, the conditions that hold at the current position; the formula is `ltl p`. Time
 * limits and counters become variables, which count from a position that the model chooses.
 * Verify it with `spin -run -a -m5000000 FILE`.
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
  const watched = formatWatched(formula, propositions, tickMs);
  const text = watched === null ? formatLtl(formula, propositions, tickMs) : formatWatch(watched);
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
    '/* Tables of the steps: the first step of each state, and the target and the conditions of each step. */',
    ...formatTable('step_first', offsets),
    ...formatTable(
      'step_target',
      steps.map(([, , to]) => to),
    ),
    ...formatTable(
      'step_mask',
      steps.map(([, mask]) => mask),
    ),
    '',
    '/* State, the conditions that hold at the position as bits, and a bit that changes with every step. */',
    'int s = 0;',
    'bit t = 0;',
    `int m = ${letters.masks[letters.first]};`,
    ...(watched === null ? [] : formatVariables(watched)),
    ...propositions.formulas.map((_, bit) => `#define p${bit} ((m & ${1 << bit}) != 0)`),
    '',
    'active proctype machine() {',
    ...(watched === null ? [] : formatBeginning(watched)),
    '  do',
    ...Array.from({ length: width }, (_, choice) => formatChoice(choice, watched)).flat(),
    '  od',
    '}',
    '',
    `ltl p { ${fairness.length === 0 ? text : `(${fairness.join(' && ')}) -> ${text}`} }`,
    '',
  ].join('\n');
}

/** Number of values in one part of a table. Spin accepts at most 64 KiB of declarations at a time. */
const partValues = 4_096;

/** Formats a table in parts, and the macro that reads it. */
function formatTable(name: string, values: readonly number[]): readonly string[] {
  const parts = Array.from({ length: Math.ceil(values.length / partValues) }, (_, at) =>
    values.slice(at * partValues, (at + 1) * partValues),
  );
  const index = (part: number): string => `${name}_${part}`;
  return [
    ...parts.map((part, at) => `c_decl { static const int ${index(at)}[] = { ${part.join()} }; }`),
    `c_decl { static const int *const ${name}[] = { ${parts.map((_, at) => index(at)).join()} }; }`,
    `#define ${name.toUpperCase()}(at) ${name}[(at) / ${partValues}][(at) % ${partValues}]`,
  ];
}

/** Formats that the watched position fulfills a formula. Before it, the model chooses whether the start is watched. */
function formatWatch({ text }: WatchedFormula): string {
  return `((!v) U (v && ([] (b -> ${text}))))`;
}

/** Formats the variables of a watched position: started, begins here, begun, ticks since then, and the counters. */
function formatVariables({ counters }: WatchedFormula): readonly string[] {
  return ['bit v = 0;', 'bit b = 0;', 'bit w = 0;', 'int k = 0;', ...counters.map((_, at) => `int c${at} = 0;`)];
}

/** Formats the choice whether the start is the watched position. */
function formatBeginning({ begins }: WatchedFormula): readonly string[] {
  const condition = begins === null ? '1' : begins;
  return ['  if', '  :: d_step { v = 1 }', `  :: d_step { ${condition} -> v = 1; w = 1; b = 1 }`, '  fi;'];
}

/** Formats the choices of one step of the current state, by its place among the steps of the state. */
function formatChoice(choice: number, watched: WatchedFormula | null): readonly string[] {
  const place = `STEP_FIRST(now.s) + ${choice}`;
  const isThere = `${place} < STEP_FIRST(now.s + 1)`;
  const step = `now.m = STEP_MASK(${place}); now.s = STEP_TARGET(${place}); now.t = !now.t;`;
  if (watched === null) return [`  :: d_step { c_expr { ${isThere} } -> c_code { ${step} } }`];
  const { begins, tick, ticksMax, counters } = watched;
  const has = (name: string, mask: string): string => `(${mask} & ${1 << Number(name.slice(1))})`;
  const counted = [
    ...(tick === null ? [] : [`if (${has(tick, 'now.m')} && now.k < ${ticksMax}) now.k++;`]),
    ...counters.map(({ of, max }, at) => `if (${has(of, 'now.m')} && now.c${at} <= ${max}) now.c${at}++;`),
  ];
  const after = `now.b = 0; if (now.w) { ${counted.join(' ')} }`;
  const isBeginning = begins === null ? '' : ` && ${has(begins, `STEP_MASK(${place})`)}`;
  return [
    `  :: d_step { c_expr { ${isThere} } -> c_code { ${step} ${after} } }`,
    `  :: d_step { c_expr { ${isThere} && !now.w${isBeginning} } -> c_code { ${step} now.w = 1; now.b = 1; } }`,
  ];
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
