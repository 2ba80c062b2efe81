import { evaluate } from '../../../machines/evaluate.ts';
import { rulesetIds, rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import type { FactsReader } from './facts-reader.ts';

/** Characters of one line of facts. */
export const lineCharactersMax = 1_048_576;

/** A verdict as JSON, or what is wrong with the line. */
export type JudgedLine = { readonly verdict: string } | { readonly problems: readonly ValidationProblem[] };

/** Evaluates one line of facts. Takes the line, what reads it, and the id of the ruleset that stands where it names none. */
export function evaluateLine(line: string, reader: FactsReader, rulesetDefault: string): JudgedLine {
  if (line.length > lineCharactersMax) return fault('', `a line has ${lineCharactersMax} characters at most`);
  const read = reader.read(line);
  if ('problems' in read) return read;
  const { facts, ruleset: named } = read;
  const ruleset = rulesets.get(named ?? rulesetDefault);
  if (ruleset === undefined) {
    return fault('facts.ruleset', `${JSON.stringify(named)} is not one of ${rulesetIds.join(', ')}`);
  }
  return { verdict: JSON.stringify(evaluate(facts, ruleset)) };
}

function fault(place: string, message: string): JudgedLine {
  return { problems: [{ location: place, message }] };
}

/** The error for lines that are no facts. Takes the problems by line number and how many lines there were. */
export function badLines(problems: readonly ValidationProblem[], bad: number, lines: number): NudgeLabError {
  const message = lines === 0 ? 'There is no line of facts.' : `${bad} of ${lines} lines are no facts.`;
  return new NudgeLabError('facts-invalid', { message, problems });
}
