import { evaluate } from '../../../machines/evaluate.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import type { FactsReader } from './facts-reader.ts';

/** Maximum length of one line of facts in characters. */
export const lineCharactersMax = 1_048_576;

/** Verdict of a line as JSON, or the validation problems of the line. */
export type JudgedLine = { readonly verdict: string } | { readonly problems: readonly ValidationProblem[] };

/** Rulesets that lines of facts are evaluated by. */
export interface NamedRulesets {
  /** Ruleset of lines that name none. */
  readonly default: Ruleset;
  readonly byId: ReadonlyMap<string, Ruleset>;
}

/**
 * Evaluates one line of facts.
 *
 * @param line - facts as JSON
 * @param reader - parser of lines
 * @param rulesets - ruleset for lines that name none, and those that lines can name
 * @param atMs - time of all sign-ins in milliseconds; `null` if the lines have their times
 */
export function evaluateLine(
  line: string,
  reader: FactsReader,
  rulesets: NamedRulesets,
  atMs: number | null = null,
): JudgedLine {
  if (line.length > lineCharactersMax) return fault('', `a line must have at most ${lineCharactersMax} characters`);
  const read = reader.read(line);
  if ('problems' in read) return read;
  const { facts, ruleset: named } = read;
  const ruleset = named === undefined ? rulesets.default : rulesets.byId.get(named);
  if (ruleset === undefined) return fault('facts.ruleset', describeUnknownName(named ?? '', [...rulesets.byId.keys()]));
  const timed = atMs === null ? facts : { ...facts, attempt: { ...facts.attempt, nowMs: atMs } };
  return { verdict: JSON.stringify(evaluate(timed, ruleset)) };
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
