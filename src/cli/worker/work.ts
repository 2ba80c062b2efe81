import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { ownPartitionKind, partitionKind } from '../../forecast/partition-kind.ts';
import type { RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { withoutPassword } from '../../queue/queue-connection.ts';
import { startQueueWorker } from '../../queue/queue-worker.ts';
import type { SentRuleset } from '../../scenario/rulesets/sent-ruleset.ts';
import { SentRulesets } from '../../scenario/rulesets/sent-rulesets.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadNamed, openRulesets } from '../open-rulesets.ts';
import { print, printJson } from '../print.ts';
import { DriverPool } from '../queue/driver-pool.ts';
import { replayKind } from '../queue/journey-kind.ts';
import { runKind, walkKind } from '../queue/scenario-kinds.ts';
import type { WorkerArguments } from './worker-options.ts';

const countedWhats = ['users', 'scenarios', 'journeys'] as const;

/**
 * Processes jobs from the queue until the process receives a stop signal. Jobs in progress are finished first. Throws
 * the errors of ruleset files and of the queue.
 */
export async function work(args: WorkerArguments, context: CommandContext): Promise<ExitCode> {
  const { queue, json } = args;
  const { stdout, stderr, onStop, pid, env } = context;
  const rulesets = new SentRulesets(await openFiles(args, context));
  let jobs = 0;
  const counts = { users: 0, scenarios: 0, journeys: 0 };
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stopListening = onStop(resolve);
  const drivers = new DriverPool(env);
  const kinds = [
    partitionKind(),
    ownPartitionKind((sent) => receiveOwn(sent, rulesets)),
    walkKind(rulesets),
    runKind(drivers, rulesets),
    replayKind(drivers, rulesets),
  ];
  const worker = await startQueueWorker(queue, kinds, {
    onDone: (done) => {
      jobs += 1;
      for (const what of countedWhats) counts[what] += done[what] ?? 0;
    },
    onTrouble: (message) => print(stderr, message, (visible) => [visible]),
  });
  const queueUrl = withoutPassword(queue);
  if (json) printJson(stdout, { worker: pid, queue: queueUrl });
  else print(stdout, queueUrl, (from) => [`Processing jobs from ${from}. Press Ctrl+C to stop.`]);
  await stopped;
  stopListening();
  await worker.close();
  await drivers.close();
  const done = countedWhats.filter((what) => counts[what] > 0).map((what) => `, ${counts[what]} ${what}`);
  if (json) printJson(stdout, { jobs, ...counts });
  else print(stdout, {}, () => [`Done: ${jobs} jobs${done.join('')}.`]);
  return 0;
}

/** Loads the ruleset files of the worker, whose gate modules no job can carry. */
async function openFiles({ config, ruleset }: WorkerArguments, { cwd }: CommandContext): Promise<RulesetRegistry> {
  const { registry } = await openRulesets({ ruleset: null }, await loadConfig(config, cwd), cwd);
  for (const file of ruleset) await loadNamed(file, '--ruleset', registry, cwd);
  return registry;
}

function receiveOwn(sent: unknown, rulesets: SentRulesets): OwnRuleset {
  const loaded = rulesets.receive(sent as SentRuleset);
  if (loaded.base === 'own') return loaded.ruleset;
  throw new RangeError('Forecasts of registration campaigns are jobs of another kind.');
}
