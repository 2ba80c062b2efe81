import type { NudgeEvent } from '../../machines/nudge.machine.ts';
import type { PromptAnswers } from '../contract/forecast.schema.ts';

/** What a user may do at a prompt, from its showing to the end of the sign-in, as events of the lifecycle. */
interface AnswerPath {
  readonly name: string;
  readonly events: readonly NudgeEvent['type'][];
  /** Whether the user holds the method afterwards. */
  readonly registers: boolean;
  /** How often a registration failed on the way. */
  readonly failures: number;
}

const fails = ['prompt.nextSelected', 'setup.failed'] as const;

/** Every path, in the order of their numbers. A prompt that is not answered ends with its lifetime, which is no event here. */
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

/** The lengths of the lists of answers: from then on the last entries hold. */
export function answerRounds({ skippable, required, failure }: PromptAnswers): number {
  return Math.max(skippable.length, required.length, failure.length);
}

/**
 * How likely each path is, in the order of their numbers. Takes the answers of a segment, whether registration is required,
 * how often the user was asked before, and whether the policy admits what would be registered.
 */
export function pathWeights(
  answers: PromptAnswers,
  { required, round, admitted }: { readonly required: boolean; readonly round: number; readonly admitted: boolean },
): readonly number[] {
  const answer = at(required ? answers.required.map((one) => ({ ...one, skip: 0 })) : answers.skippable, round);
  const failure = admitted ? at(answers.failure, round) : 1;
  const { retry, skip, close } = answers.onFailure;
  const left = skip + close;
  // Who would only ever retry gives up by skipping when the retry failed too.
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
