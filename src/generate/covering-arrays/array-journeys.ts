import { evaluate } from '../../../machines/evaluate.ts';
import type { Facts, Verdict } from '../../../machines/vocabulary.ts';
import type { WrittenStep } from '../../contract/scenario.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { clockDefaultMs } from '../../sandbox/sandbox.ts';
import type { Journey } from '../journey.ts';
import { axesBase } from '../models/eligibility-axes.ts';
import { createRowFacts, createRowSetup } from '../models/row-facts.ts';
import { rulesetById } from '../models/ruleset-by-id.ts';
import { answerFactor, type PromptAnswer, signInAxes } from '../models/sign-in-factors.ts';
import type { TestRow } from './array-options.ts';

/** Journey for one row of a covering array, with the verdict of the rules. */
export interface ArrayJourney {
  readonly row: TestRow;
  readonly journey: Journey;
  /** Facts of the row's sign-in, and the verdict on them. */
  readonly facts: Facts;
  readonly verdict: Verdict;
}

const userId = axesBase.user.id;

/** Days from the prompt to the next sign-in, longer than any snooze. */
const daysAfter = 14;

/**
 * Converts the rows of an array over sign-in parameters to journeys. Each journey has one sign-in; if it is prompted,
 * an action and a sign-in two weeks later follow. Rows may omit parameters.
 * @throws `fixture-not-found` for an unknown ruleset and `array-invalid` for a parameter or value that sign-ins do not
 * have
 */
export function arrayJourneys(rows: readonly TestRow[], rulesetId = 'seed'): readonly ArrayJourney[] {
  const ruleset = rulesetById(rulesetId);
  refuseUnknown(rows);
  return rows.map((row, index) => {
    const given = createRowSetup(row);
    const facts = createRowFacts(row);
    const verdict = evaluate(facts, ruleset);
    const signIn: WrittenStep = { signIn: { user: userId, ...given.attempt } };
    const journey: Journey = {
      name: `Row ${index + 1}: ${formatEnd(verdict)}`,
      covers: coveredBy(verdict),
      tags: ['array'],
      ruleset: rulesetId,
      clock: toInstant(clockDefaultMs),
      given: { tenant: given.tenant, users: { [userId]: given.user } },
      steps: verdict.reason === null ? [signIn, ...afterPrompt(row), signIn] : [signIn],
    };
    return { row, journey, facts, verdict };
  });
}

/** Lists the steps after a prompt: the user's action, the wait and the next sign-in. */
function afterPrompt(row: TestRow): readonly WrittenStep[] {
  const answer = (row[answerFactor] ?? 'abandon') as PromptAnswer;
  const named = { prompt: userId };
  const answers: Readonly<Record<PromptAnswer, WrittenStep>> = {
    skip: { skip: named },
    register: { register: named },
    closeBrowser: { closeBrowser: named },
    abandon: { abandon: named },
  };
  return [answers[answer], { advance: { days: daysAfter } }];
}

function formatEnd({ outcome, reason }: Verdict): string {
  return reason === null ? `prompted, ${outcome}` : `not prompted, ${reason}`;
}

/** Lists the rules that the row covers: the gate that stopped first or, for a prompt, the gates that were met. */
function coveredBy({ reason, rules }: Verdict): readonly string[] {
  const first = rules.find(({ outcome }) => outcome === 'stopped');
  if (reason !== null && first !== undefined) return [first.id];
  return rules.filter(({ outcome }) => outcome === 'met').map(({ id }) => id);
}

function refuseUnknown(rows: readonly TestRow[]): void {
  const problems = rows.flatMap((row, index) =>
    Object.entries(row)
      .filter(([factor, value]) => {
        const axis = signInAxes.find(({ name }) => name === factor);
        return factor !== answerFactor && !axis?.values.some(({ name }) => name === value);
      })
      .map(([factor, value]) => ({
        location: `rows.${index}.${factor}`,
        message: `is ${JSON.stringify(value)}, which is not a value of any sign-in parameter`,
      })),
  );
  if (problems.length > 0) throw new NudgeLabError('array-invalid', { problems });
}
