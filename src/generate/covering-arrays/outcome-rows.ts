import { evaluate } from '../../../machines/evaluate.ts';
import { reasonCodes, type TargetedMethod, targetedMethods, verdictOutcomes } from '../../../machines/vocabulary.ts';
import { createRowFacts } from '../models/row-facts.ts';
import { rulesetById } from '../models/ruleset-by-id.ts';
import { answerFactor, answers, signInAxes } from '../models/sign-in-factors.ts';
import type { ArrayJourney } from './array-journeys.ts';
import type { Constraint, TestRow } from './array-options.ts';

/** Axes that decide the outcome of an otherwise plain sign-in. */
const decidingAxes = ['campaign', 'limit', 'snoozes', 'last snooze'];

/** Names of the methods in the text of a report. */
const methodNames: Readonly<Record<TargetedMethod, string>> = {
  vendorAuthenticator: 'authenticator app',
  fido2: 'passkey',
};

/** Every outcome of a verdict for each method, by name. */
const outcomeNames = targetedMethods.flatMap((method) =>
  verdictOutcomes.map((outcome) => outcomeName(method, outcome)),
);

/**
 * Finds one row for each outcome of a verdict that can be reached with each method. A covering array alone rarely contains a
 * prompt, because most combinations contain a value that stops it.
 *
 * @param constraints rules that each row must satisfy
 * @returns the rows, with a value for each parameter
 * @throws `fixture-not-found` for an unknown ruleset
 */
export function outcomeRows(constraints: readonly Constraint[], rulesetId = 'seed'): readonly TestRow[] {
  const ruleset = rulesetById(rulesetId);
  const plain: TestRow = {
    ...Object.fromEntries(signInAxes.map(({ name, values }) => [name, values[0]?.name ?? ''])),
    [answerFactor]: answers[0],
  };
  const found = new Map<string, TestRow>();
  for (const row of combineAxes(plain)) {
    if (!constraints.every(({ holds }) => holds(row))) continue;
    const { campaign, outcome } = evaluate(createRowFacts(row), ruleset);
    if (campaign.method === null) continue;
    const name = outcomeName(campaign.method, outcome);
    if (!found.has(name)) found.set(name, row);
  }
  return outcomeNames.flatMap((name) => {
    const row = found.get(name);
    return row === undefined ? [] : [row];
  });
}

/** Creates every combination of the deciding axes in a plain row. */
function combineAxes(plain: TestRow): readonly TestRow[] {
  const axes = signInAxes.filter(({ name }) => decidingAxes.includes(name));
  return axes.reduce<readonly TestRow[]>(
    (rows, { name, values }) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value.name }))),
    [plain],
  );
}

/**
 * Lists what a suite of sign-ins does not show: outcomes by method, and reasons that decide no sign-in of it.
 *
 * @param journeys the journeys of the suite, with their verdicts
 * @returns the names, outcomes first
 */
export function omittedOutcomes(journeys: readonly Pick<ArrayJourney, 'verdict'>[]): readonly string[] {
  const covered = new Set(
    journeys.flatMap(({ verdict: { campaign, outcome } }) =>
      campaign.method === null ? [] : [outcomeName(campaign.method, outcome)],
    ),
  );
  const reasons = new Set(journeys.map(({ verdict }) => verdict.reason));
  return [
    ...outcomeNames.filter((name) => !covered.has(name)).map((name) => `outcome ${name}`),
    ...reasonCodes.filter((code) => !reasons.has(code)).map((code) => `reason ${code}`),
  ];
}

function outcomeName(method: TargetedMethod, outcome: string): string {
  return `${outcome} (${methodNames[method]})`;
}
