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

/** A row of an array as a journey, with what the rules say of it. */
export interface ArrayJourney {
  readonly row: TestRow;
  readonly journey: Journey;
  /** The facts of the row's sign-in, and the verdict on them. */
  readonly facts: Facts;
  readonly verdict: Verdict;
}

const userId = axesBase.user.id;

/** Days after an answer until the user signs in again: longer than any snooze. */
const daysAfter = 14;

/**
 * The rows of an array over the factors of a sign-in as journeys: one sign-in each, and where it is prompted an answer and a
 * sign-in two weeks later. Takes the rows, which may leave out factors, and the ruleset's id. Throws `fixture-not-found` for
 * another ruleset, `array-invalid` for a factor or value that sign-ins do not have.
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
      name: `Row ${index + 1}: ${endOf(verdict)}`,
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

/** What the user does with the prompt, and the time until the next sign-in. */
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

function endOf({ outcome, reason }: Verdict): string {
  return reason === null ? `asked, ${outcome}` : `not asked, ${reason}`;
}

/** The gate that stopped first, or for a prompt those that were met: what a run of it shows. */
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
        message: `is ${JSON.stringify(value)}, which is no value of a factor of a sign-in`,
      })),
  );
  if (problems.length > 0) throw new NudgeLabError('array-invalid', { problems });
}
