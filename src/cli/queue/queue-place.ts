import type { JobPlan } from '../../queue/job-dispatch.ts';
import type { CommandContext } from '../context.ts';
import { print } from '../print.ts';
import { withProgram } from '../suggested-commands.ts';

/** Address of a queue, the callback for notices, and the source of requests to stop. */
export type QueuePlace = Pick<JobPlan, 'address' | 'onNotice' | 'onStop'>;

/** Describes the queue at an address for a command, which prints the notices. */
export function createQueuePlace(
  address: string,
  context: Pick<CommandContext, 'stderr' | 'onStop' | 'program'>,
): QueuePlace {
  const onNotice = (message: string): void =>
    void print(context.stderr, withProgram(message, context), (visible) => [visible]);
  return { address, onNotice, onStop: context.onStop };
}
