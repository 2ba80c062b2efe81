import { parentPort } from 'node:worker_threads';
import { NudgeLabError } from '../../core/errors.ts';
import { RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { SentRulesets } from '../../scenario/rulesets/sent-rulesets.ts';
import { DriverPool } from '../queue/driver-pool.ts';
import { runKind } from '../queue/scenario-kinds.ts';
import type { ThreadAnswer, ThreadJob } from './suite-threads.ts';

const kind = runKind(new DriverPool({}), new SentRulesets(new RulesetRegistry()));

/** Thread of a run. It receives jobs, and runs their scenarios on a server of its own, several at once. */
parentPort?.on('message', async (job: ThreadJob) => {
  parentPort?.postMessage(await answer(job));
});

async function answer({ number, payload }: ThreadJob): Promise<ThreadAnswer> {
  try {
    return { number, result: await kind.work(payload, async () => undefined) };
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    const { code, message, problems } = error;
    return { number, code, message, problems };
  }
}
