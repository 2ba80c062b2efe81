import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { OwnPromptAnswers } from '../../contract/own-forecast.schema.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';

/** Action of a user at a prompt, or at the error screen after it. */
export type OwnAction = { readonly answer: string } | 'close' | 'next' | 'fail' | 'skipError' | 'complete';

/** Sequence of user actions at a prompt, until the end of the sign-in. A prompt without an action expires. */
export interface OwnPath {
  readonly name: string;
  readonly actions: readonly OwnAction[];
  /** Id of the answer of the ruleset, or `null`. */
  readonly answer: string | null;
  readonly registers: boolean;
  readonly failures: number;
}

const reserved = ['close', 'expire', 'next'];

/** Names of the actions in answer shares that are no answers of the ruleset. */
const plainActions = ['register', 'close', 'letExpire', 'closeDuringSetup'] as const;

function listAnswers(ruleset: OwnRuleset): readonly string[] {
  const all = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)];
  return [...new Set(all.flatMap(({ answers }) => Object.keys(answers)))].filter((id) => !reserved.includes(id));
}

/** Lists the action paths of a ruleset: one for each answer, and those that every prompt has. */
export function listOwnPaths(ruleset: OwnRuleset): readonly OwnPath[] {
  const plain = { answer: null, registers: false, failures: 0 };
  const failed = ['next', 'fail'] as const;
  return [
    ...listAnswers(ruleset).map(
      (id): OwnPath => ({ name: `answer ${id}`, actions: [{ answer: id }], answer: id, registers: false, failures: 0 }),
    ),
    { ...plain, name: 'closed', actions: ['close'] },
    { ...plain, name: 'expired', actions: [] },
    { ...plain, name: 'closedDuringSetup', actions: ['next', 'close'] },
    { ...plain, name: 'registered', actions: ['next', 'complete'], registers: true },
    { ...plain, name: 'failedThenSkipped', actions: [...failed, 'skipError'], failures: 1 },
    { ...plain, name: 'failedThenClosed', actions: [...failed, 'close'], failures: 1 },
    { ...plain, name: 'retriedAndRegistered', actions: [...failed, 'next', 'complete'], registers: true, failures: 1 },
    { ...plain, name: 'retriedThenSkipped', actions: [...failed, ...failed, 'skipError'], failures: 2 },
    { ...plain, name: 'retriedThenClosed', actions: [...failed, ...failed, 'close'], failures: 2 },
  ];
}

/** Number of prompts with individual probabilities. Later prompts use the last entries of the lists. */
export function countRounds({ skippable, required, failure }: OwnPromptAnswers): number {
  return Math.max(skippable.length, required.length, failure.length);
}

/** Computes the probability of each path at a prompt, in the order of the paths. */
export function weighPaths(
  paths: readonly OwnPath[],
  answers: OwnPromptAnswers,
  { required, round }: { readonly required: boolean; readonly round: number },
): readonly number[] {
  const chosen = pick(required ? answers.required : answers.skippable, round);
  const failure = pick(answers.failure, round);
  const { retry, skip, close } = answers.onFailure;
  const left = skip + close;
  const skips = left === 0 ? 1 : skip / left;
  const registers = chosen['register'] ?? 0;
  const failed = registers * failure;
  const failedAgain = failed * retry * failure;
  const weights: Readonly<Record<string, number>> = {
    closed: chosen['close'] ?? 0,
    expired: chosen['letExpire'] ?? 0,
    closedDuringSetup: chosen['closeDuringSetup'] ?? 0,
    registered: registers * (1 - failure),
    failedThenSkipped: failed * skip,
    failedThenClosed: failed * close,
    retriedAndRegistered: failed * retry * (1 - failure),
    retriedThenSkipped: failedAgain * skips,
    retriedThenClosed: failedAgain * (1 - skips),
  };
  return paths.map(({ name, answer }) => (answer === null ? weights[name] : chosen[answer]) ?? 0);
}

function pick<T>(list: readonly T[], round: number): T {
  return list[Math.min(round, list.length - 1)] as T;
}

/** Rejects answers that the ruleset does not have. Throws `forecast-invalid`. */
export function refuseUnknownAnswers(answers: OwnPromptAnswers, ruleset: OwnRuleset, location: string): void {
  const known = [...listAnswers(ruleset), ...plainActions];
  const problems = (['skippable', 'required'] as const).flatMap((list) =>
    answers[list].flatMap((row, index): readonly ValidationProblem[] =>
      Object.keys(row)
        .filter((name) => !known.includes(name))
        .map((name) => ({
          location: `${location}.${list}.${index}`,
          message: `the answer ${describeUnknownName(name, known)}`,
        })),
    ),
  );
  if (problems.length > 0) throw new NudgeLabError('forecast-invalid', { problems });
}
