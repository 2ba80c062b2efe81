import { Worker } from 'node:worker_threads';
import { afterDelay } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { toolCallsWaitingMax, toolThreadsMax } from '../../core/limits.ts';
import type { CallResult, ToolCall } from './call-messages.ts';

/** Memory limit of a call in MiB. */
const memoryMib = 1_024;

/**
 * Runs each call in its own thread, so calls share no state, and one that takes too long or is canceled can be
 * stopped at any time.
 */
export class CallThreads {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * Runs a call and returns its output. Throws the errors of the tool, and `tool-limit-exceeded` for its time limit,
   * its memory limit, or too many waiting calls.
   */
  async run(call: ToolCall, limitMs: number, signal: AbortSignal): Promise<unknown> {
    await this.#turn();
    try {
      return await inThread(call, limitMs, signal);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Resolves when the call may start. */
  async #turn(): Promise<void> {
    if (this.#running >= toolThreadsMax) {
      if (this.#waiting.length >= toolCallsWaitingMax) {
        throw new NudgeLabError('tool-limit-exceeded', {
          message: `${toolCallsWaitingMax} calls are waiting already.`,
        });
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }
}

async function inThread(call: ToolCall, limitMs: number, signal: AbortSignal): Promise<unknown> {
  const canceled = new NudgeLabError('tool-limit-exceeded', { message: 'The call was canceled.' });
  if (signal.aborted) throw canceled;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./call-thread.${extension}`, import.meta.url), {
    workerData: call,
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    // Standard output belongs to the protocol.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.once('message', (message: CallResult) => {
    if (message.kind === 'result') resolve(message.output);
    else reject(new NudgeLabError(message.code, { message: message.message, problems: message.problems }));
  });
  worker.once('error', (error) => reject(threadError(error)));
  worker.once('exit', () =>
    reject(new NudgeLabError('internal-error', { message: 'The call ended without a result.' })),
  );
  const stopTimer = afterDelay(limitMs, () =>
    reject(
      new NudgeLabError('tool-limit-exceeded', { message: `The call took longer than ${limitMs / 1_000} seconds.` }),
    ),
  );
  const cancel = (): void => reject(canceled);
  signal.addEventListener('abort', cancel);
  try {
    return await promise;
  } finally {
    stopTimer();
    signal.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}

function threadError(error: Error): NudgeLabError {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new NudgeLabError('tool-limit-exceeded', {
      message: `The call required more than ${memoryMib} MiB of memory.`,
    });
  }
  return new NudgeLabError('internal-error', { message: error.message, cause: error });
}
