import type { Expectation, WrittenStep } from '../../contract/scenario.schema.ts';
import { pageSteps } from '../../contract/step-expectations.ts';
import type { StepKind } from '../../contract/step-names.ts';
import type { ExpectedStep, ScenarioData } from '../../generate/journey.ts';
import { type MealyMachine, runWord, type Word } from '../mealy/mealy-machine.ts';
import { getStepKind, type LearningAlphabet, parseOutput, type StepOutput } from '../systems/learning-alphabet.ts';
import { createHead } from '../systems/learning-session.ts';
import { notAvailable } from '../systems/system-under-learning.ts';

/** Steps that name the user whose nudge status is expected from then on. */
const namingSteps: ReadonlySet<string> = new Set(['signIn', 'setUser', 'removeMethod']);

/**
 * Converts a word to a scenario with the outputs of the specification as its expectations. Inputs that are not available
 * are left out. A system with other outputs fails it.
 *
 * @param specification - machine with the inputs of the alphabet
 * @returns the scenario; `null` if its last step shows nothing that a scenario can expect
 */
export function createDifferenceScenario(
  name: string,
  word: Word,
  specification: MealyMachine,
  alphabet: LearningAlphabet,
): ScenarioData | null {
  const outputs = runWord(specification, word);
  const steps: ExpectedStep[] = [];
  let isUserNamed = false;
  for (const [at, input] of word.entries()) {
    if (outputs[at] === notAvailable) continue;
    const step = alphabet.inputs[input]?.step as WrittenStep;
    isUserNamed ||= namingSteps.has(getStepKind(step));
    const output = parseOutput(outputs[at] as string);
    if (output.failed !== undefined) return null;
    const expect = toExpectation(getStepKind(step) as StepKind, output, isUserNamed);
    steps.push(Object.keys(expect).length === 0 ? step : { ...step, expect });
  }
  if (steps.at(-1)?.expect === undefined) return null;
  return { ...createHead(alphabet, name), tags: ['learned'], steps };
}

function toExpectation(kind: StepKind, output: StepOutput, isUserNamed: boolean): Expectation {
  const { page, outcome, state, snoozesLeft, snoozes } = output;
  const onPage = pageSteps.includes(kind) ? { page, outcome } : {};
  const status = isUserNamed ? { state, snoozesLeft, snoozes } : {};
  const all = Object.entries({ ...onPage, ...status }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as Expectation;
}
