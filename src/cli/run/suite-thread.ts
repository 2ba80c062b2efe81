import { parentPort } from 'node:worker_threads';
import { NudgeLabError } from '../../core/errors.ts';
import { RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { SentRulesets } from '../../scenario/rulesets/sent-rulesets.ts';
import { DriverPool } from '../queue/driver-pool.ts';
import { runKind } from '../queue/scenario-kinds.ts';
import type { ThreadAnswer } from './suite-threads.ts';

const kind = runKind(new DriverPool({}), new SentRulesets(new RulesetRegistry()));

/** Thread of a run. It receives one job after another, and runs its scenarios on a server of its own. */
parentPort?.on('message', async (payload: unknown) => {
  parentPort?.postMessage(await answer(payload));
});

async function answer(payload: unknown): Promise<ThreadAnswer> {
  try {
    return { result: await kind.work(payload, async () => undefined) };
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    const { code, message, problems } = error;
    return { code, message, problems };
  }
}
