import { parentPort, workerData } from 'node:worker_threads';
import { NudgeLabError } from '../../core/errors.ts';
import type { CallResult, ToolCall } from './call-messages.ts';
import { tools } from './tools.ts';

/** Thread of one call of a tool. It receives the call as its data, posts the result, and ends. */
parentPort?.postMessage(await result(workerData as ToolCall));

async function result({ tool, input, setting }: ToolCall): Promise<CallResult> {
  try {
    return { kind: 'result', output: await tools.get(tool)?.run(input, setting) };
  } catch (error) {
    const { code, message, problems } =
      error instanceof NudgeLabError
        ? error
        : new NudgeLabError('internal-error', { message: error instanceof Error ? error.message : String(error) });
    return { kind: 'failed', code, message, problems };
  }
}
