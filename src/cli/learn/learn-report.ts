import { formatCount } from '../../core/format-count.ts';
import type { LearnEnd, LearnResult } from '../../learn/learn.ts';
import type { QueryCounts } from '../../learn/learner/query-runner.ts';
import {
  getOutput,
  getStateAfter,
  getTarget,
  type MealyMachine,
  transitionNumber,
} from '../../learn/mealy/mealy-machine.ts';
import { formatValues } from '../../learn/write/machine-pictures.ts';
import type { CommandContext } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print } from '../print.ts';
import type { LearnArguments } from './learn-options.ts';
import type { LearningTarget } from './learning-target.ts';
import type { WrittenFiles } from './write-learned.ts';

/** Result of the command, as JSON and as text. */
interface LearnReport {
  readonly system: string;
  readonly end: LearnEnd;
  readonly states: number;
  readonly inputs: readonly string[];
  /** Number of states of the specification; `null` without one. */
  readonly specificationStates: number | null;
  /** `true` if the machine is isomorphic to the specification; `null` without one. */
  readonly isIsomorphic: boolean | null;
  readonly omitted: readonly string[];
  readonly hypotheses: number;
  readonly learning: QueryCounts;
  readonly testing: QueryCounts;
  readonly resets: number;
  readonly cached: number;
  readonly cost: number;
  readonly elapsedMs: number;
  readonly differences: readonly ReportedDifference[];
  readonly files: readonly string[];
  /** Transitions of the learned machine; `null` if it has more than `chartTransitionsMax`. */
  readonly machine: readonly ReportedTransition[] | null;
  /** Transitions of the specification; `null` without one, or if it has too many. */
  readonly specification: readonly ReportedTransition[] | null;
}

/** Transition of a machine. The initial state is `s0`. */
interface ReportedTransition {
  readonly from: string;
  readonly input: string;
  readonly output: string;
  readonly to: string;
  /** `true` for the last transition of a difference. */
  readonly differs: boolean;
}

/** Largest number of transitions that a report contains, because a chart of more cannot be read. */
const chartTransitionsMax = 5_000;

interface ReportedDifference {
  readonly inputs: readonly string[];
  readonly expected: string;
  readonly actual: string;
  /** Scenario file; `null` if none was written. */
  readonly scenario: string | null;
}

/** Creates the report of a learned system. */
export function createReport({
  target,
  result,
  expected,
  isIsomorphic,
  files,
  elapsedMs,
}: {
  readonly target: LearningTarget;
  readonly result: LearnResult;
  readonly expected: MealyMachine | null;
  readonly isIsomorphic: boolean;
  readonly files: WrittenFiles | null;
  readonly elapsedMs: number;
}): LearnReport {
  const { system, omitted } = target;
  const { machine, end, hypotheses, learning, testing, cached, cost, differences } = result;
  return {
    system: system.name,
    end,
    states: machine.states,
    inputs: system.inputs,
    specificationStates: expected?.states ?? null,
    isIsomorphic: expected === null ? null : isIsomorphic,
    omitted,
    hypotheses,
    learning,
    testing,
    resets: learning.queries + testing.queries,
    cached,
    cost,
    elapsedMs,
    differences: differences.map(({ word, expected: wanted, actual }, at) => ({
      inputs: word.map((input) => system.inputs[input] as string),
      expected: wanted,
      actual,
      scenario: files?.scenarios[at] ?? null,
    })),
    files: files?.machine ?? [],
    machine: listTransitions(machine, end === 'tests-passed' ? differences : []),
    specification: expected === null ? null : listTransitions(expected, differences),
  };
}

/** Lists the transitions of a machine, and marks those at the end of a difference. */
function listTransitions(
  machine: MealyMachine,
  differences: LearnResult['differences'],
): readonly ReportedTransition[] | null {
  const { states, inputs } = machine;
  if (states * inputs.length > chartTransitionsMax) return null;
  const different = new Set(
    differences.map(({ word }) =>
      transitionNumber(machine, getStateAfter(machine, word.slice(0, -1)), word.at(-1) as number),
    ),
  );
  return Array.from({ length: states }, (_, from) =>
    inputs.map((input, at) => ({
      from: `s${from}`,
      input,
      output: formatValues(getOutput(machine, from, at)),
      to: `s${getTarget(machine, from, at)}`,
      differs: different.has(transitionNumber(machine, from, at)),
    })),
  ).flat();
}

/** Number of differences that the text shows. */
const shownMax = 20;

/** Prints a report as text. */
export function printReport(report: LearnReport, { color }: LearnArguments, context: CommandContext): void {
  const palette = paletteFor(context.stdout, context, color);
  print(context.stdout, report, (visible) => reportLines(visible, palette));
}

function reportLines(report: LearnReport, { strong, faint, bad }: ReturnType<typeof paletteFor>): readonly string[] {
  const { system, states, inputs, omitted, learning, testing, cached, cost, differences, files } = report;
  const sent = learning.queries + testing.queries;
  const symbols = learning.symbols + testing.symbols;
  return [
    `${strong(system)}: ${formatCount(states, 'state')}, ${formatCount(inputs.length, 'input')}, ${faint(`${report.elapsedMs} ms`)}`,
    `  ${formatCount(sent, 'query', 'queries')} with ${formatCount(symbols, 'step')}: ${learning.queries} to learn, ${testing.queries} to test; ${cached} more were known; cost ${cost}`,
    ...(omitted.length === 0
      ? []
      : [`  Left out, because the driver cannot perform or show it: ${omitted.join(', ')}`]),
    conclusion(report, { strong, faint, bad } as ReturnType<typeof paletteFor>),
    ...differences
      .slice(0, shownMax)
      .flatMap(({ inputs: names, expected, actual, scenario }, at) => [
        `  ${at + 1}. ${names.join(', ')}`,
        `     shows ${bad(formatValues(actual))} instead of ${formatValues(expected)}`,
        ...(scenario === null ? [] : [`     ${scenario}`]),
      ]),
    ...(differences.length > shownMax ? [`  and ${differences.length - shownMax} more`] : []),
    ...(files.length === 0 ? [] : [`Written: ${files.join(', ')}`]),
  ];
}

function conclusion(
  { end, states, specificationStates, isIsomorphic, differences }: LearnReport,
  { bad }: ReturnType<typeof paletteFor>,
): string {
  const ended = {
    'tests-passed': '',
    'budget-ended': 'The budget ended before all tests passed; the machine is what is known so far. ',
    'difference-found': 'Stopped at the first difference; the machine is what is known so far. ',
  }[end];
  if (isIsomorphic === true) return `Isomorphic to the specification, ${formatCount(states, 'state')}`;
  if (specificationStates === null) return ended === '' ? 'Learned; all tests pass' : ended.trim();
  if (differences.length === 0) return `${ended}No difference from the specification was observed.`;
  return `${ended}${bad(formatCount(differences.length, 'difference'))} from the specification with ${formatCount(specificationStates, 'state')}:`;
}
