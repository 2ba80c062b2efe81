import type { NudgeEvent } from '../../machines/nudge.machine.ts';
import type { PromptAnswers } from '../contract/forecast.schema.ts';

/** Sequence of user actions at a prompt as events of the lifecycle, until the end of the sign-in. */
interface AnswerPath {
  readonly name: string;
  readonly events: readonly NudgeEvent['type'][];
  /** True if the user has the method registered afterwards. */
  readonly registers: boolean;
  /** Number of failed registrations in the sequence. */
  readonly failures: number;
}

const fails = ['prompt.nextSelected', 'setup.failed'] as const;

/** Action paths in order of their numbers. A prompt without an action expires, which is not an event here. */
export const answerPaths = [
  { name: 'skipped', events: ['prompt.skipped'], registers: false, failures: 0 },
  { name: 'closed', events: ['browser.closed'], registers: false, failures: 0 },
  { name: 'expired', events: [], registers: false, failures: 0 },
  { name: 'closedDuringSetup', events: ['prompt.nextSelected', 'browser.closed'], registers: false, failures: 0 },
  { name: 'registered', events: ['prompt.nextSelected', 'setup.completed'], registers: true, failures: 0 },
  { name: 'failedThenSkipped', events: [...fails, 'errorScreen.skipped'], registers: false, failures: 1 },
  { name: 'failedThenClosed', events: [...fails, 'browser.closed'], registers: false, failures: 1 },
  {
    name: 'retriedAndRegistered',
    events: [...fails, 'prompt.nextSelected', 'setup.completed'],
    registers: true,
    failures: 1,
  },
  { name: 'retriedThenSkipped', events: [...fails, ...fails, 'errorScreen.skipped'], registers: false, failures: 2 },
  { name: 'retriedThenClosed', events: [...fails, ...fails, 'browser.closed'], registers: false, failures: 2 },
] as const satisfies readonly AnswerPath[];

export type AnswerName = (typeof answerPaths)[number]['name'];

/**
 * Computes the number of prompts with individual probabilities. Later prompts use the last entries of the lists.
 */
export function answerRounds({ skippable, required, failure }: PromptAnswers): number {
  return Math.max(skippable.length, required.length, failure.length);
}

/**
 * Computes the probability of each path, in order of the path numbers. The inputs are the actions of a segment,
 * whether registration is required, how often the user was prompted before, and whether the policy allows the
 * method to register.
 */
export function pathWeights(
  answers: PromptAnswers,
  { required, round, admitted }: { readonly required: boolean; readonly round: number; readonly admitted: boolean },
): readonly number[] {
  const answer = at(required ? answers.required.map((one) => ({ ...one, skip: 0 })) : answers.skippable, round);
  const failure = admitted ? at(answers.failure, round) : 1;
  const { retry, skip, close } = answers.onFailure;
  const left = skip + close;
  // If users never skip or close after a failure, they skip after the second failure.
  const skips = left === 0 ? 1 : skip / left;
  const failed = answer.register * failure;
  const failedAgain = failed * retry * failure;
  return [
    answer.skip,
    answer.close,
    answer.letExpire,
    answer.closeDuringSetup,
    answer.register * (1 - failure),
    failed * skip,
    failed * close,
    failed * retry * (1 - failure),
    failedAgain * skips,
    failedAgain * (1 - skips),
  ];
}

function at<T>(list: readonly T[], round: number): T {
  return list[Math.min(round, list.length - 1)] as T;
}
