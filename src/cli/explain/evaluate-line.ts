import { evaluate } from '../../../machines/evaluate.ts';
import { rulesetIds, rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import type { FactsReader } from './facts-reader.ts';

/** Maximum length of one line of facts in characters. */
export const lineCharactersMax = 1_048_576;

/** Verdict of a line as JSON, or the validation problems of the line. */
export type JudgedLine = { readonly verdict: string } | { readonly problems: readonly ValidationProblem[] };

/** Evaluates one line of facts. `rulesetDefault` is the id of the ruleset for lines that name none. */
export function evaluateLine(line: string, reader: FactsReader, rulesetDefault: string): JudgedLine {
  if (line.length > lineCharactersMax) return fault('', `a line must have at most ${lineCharactersMax} characters`);
  const read = reader.read(line);
  if ('problems' in read) return read;
  const { facts, ruleset: named } = read;
  const ruleset = rulesets.get(named ?? rulesetDefault);
  if (ruleset === undefined) {
    return fault('facts.ruleset', describeUnknownName(named ?? rulesetDefault, rulesetIds));
  }
  return { verdict: JSON.stringify(evaluate(facts, ruleset)) };
}

function fault(place: string, message: string): JudgedLine {
  return { problems: [{ location: place, message }] };
}

/**
 * Creates the error for invalid lines of facts. The problems are listed by line number, with the number of all
 * lines.
 */
export function badLines(problems: readonly ValidationProblem[], bad: number, lines: number): NudgeLabError {
  const message = lines === 0 ? 'The input has no line of facts.' : `${bad} of ${lines} lines are not valid facts.`;
  return new NudgeLabError('facts-invalid', { message, problems });
}
