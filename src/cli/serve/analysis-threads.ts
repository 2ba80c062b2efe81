import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AnalysisRequest, AnalysisResult } from '../../contract/analysis.schema.ts';
import { afterDelay, afterPendingInput } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { analysisTimeMaxMs } from '../../core/limits.ts';
import { inSpan } from '../../core/telemetry.ts';
import type { JournalEntry } from '../../journal/journal-event.ts';
import { processRulesets } from '../../journal/ruleset-registry.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { isRulesetFile } from '../../scenario/rulesets/ruleset-file.ts';
import { createSent } from '../../scenario/rulesets/sent-ruleset.ts';
import type { AnalysisRun, AnalysisRunner } from '../../server/analysis-runner.ts';
import type { RulesetService } from '../../server/ruleset-service.ts';
import type { AnalysisRuleset, FromAnalysisThread, ToAnalysisThread } from './analysis-messages.ts';

/**
 * Number of journal entries per message, limited so requests are handled between messages. A similar limit applies
 * to users.
 */
const pageEntries = 250;
const pageUsers = 1_000;

/** Memory limit of an analysis thread in MiB. */
const memoryMib = 2_048;

/**
 * Runs each analysis in its own thread, so the server stays responsive and an analysis can be canceled at any time.
 */
export class AnalysisThreads implements AnalysisRunner {
  readonly #open = new Set<AnalysisRun>();
  readonly #rulesets: RulesetService['registry'];

  /** Creates the runner of a server with the rulesets that its sandboxes can name. */
  constructor(rulesets: RulesetService['registry'] = processRulesets) {
    this.#rulesets = rulesets;
  }

  run(order: AnalysisRequest, sandbox: Sandbox, onProgress: (share: number) => void): AnalysisRun {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const worker = new Worker(new URL(`./analysis-thread.${extension}`, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    });
    worker.unref();
    const { promise, resolve, reject } = Promise.withResolvers<AnalysisResult>();
    worker.on('message', (message: FromAnalysisThread) => {
      if (message.kind === 'progress') onProgress(message.share);
      else if (message.kind === 'result') resolve(message.result);
      else reject(new NudgeLabError(message.code, { message: message.message, problems: [...message.problems] }));
    });
    worker.once('error', (error) => reject(threadError(error)));
    worker.once('exit', () =>
      reject(new NudgeLabError('internal-error', { message: 'The analysis ended without a result.' })),
    );
    const cancelTimeout = afterDelay(analysisTimeMaxMs, () =>
      reject(
        new NudgeLabError('analysis-too-large', {
          message: `The analysis took longer than ${analysisTimeMaxMs / 60_000} minutes.`,
        }),
      ),
    );
    const ended = promise.finally(async () => {
      cancelTimeout();
      this.#open.delete(run);
      await worker.terminate();
    });
    const run: AnalysisRun = {
      result: inSpan(`analysis ${order.kind}`, { attributes: { 'nudgelab.sandbox': sandbox.id } }, () => ended),
      cancel: () => reject(new NudgeLabError('analysis-not-finished', { message: 'The analysis was canceled.' })),
    };
    this.#open.add(run);
    const tell = (message: ToAnalysisThread): void => worker.postMessage(message);
    hand(order, sandbox, listRulesets(order, sandbox, this.#rulesets), tell).catch(reject);
    return run;
  }

  /** Cancels every analysis. */
  async close(): Promise<void> {
    const open = [...this.#open];
    for (const run of open) run.cancel();
    await Promise.allSettled(open.map(({ result }) => result));
  }
}

/** Lists the rulesets of files that an analysis can name: that of the sandbox, and those of the request. */
function listRulesets(
  order: AnalysisRequest,
  { ruleset }: Sandbox,
  rulesets: RulesetService['registry'],
): readonly AnalysisRuleset[] {
  const named =
    order.kind === 'comparison'
      ? order.variants.flatMap((variant) => variant.ruleset ?? [])
      : order.kind === 'properties'
        ? []
        : [order.description.ruleset];
  return [...new Set([ruleset, ...named])].flatMap((id) => {
    const loaded = rulesets.find(id) ?? processRulesets.find(id);
    const sent = loaded === undefined ? null : createSent(loaded);
    if (loaded === undefined || sent === null) return [];
    return [{ sent, file: isRulesetFile(loaded.origin) ? resolve(loaded.origin) : null }];
  });
}

/** Sends an analysis to its thread, with the journal in pages unless it is a forecast. */
async function hand(
  order: AnalysisRequest,
  sandbox: Sandbox,
  rulesets: readonly AnalysisRuleset[],
  tell: (message: ToAnalysisThread) => void,
): Promise<void> {
  const entries = sandbox.entryCount;
  tell({ kind: 'order', order, sandboxId: sandbox.id, entries, rulesets });
  const needsJournal = order.kind === 'comparison' || order.kind === 'properties';
  for (let after = 0; needsJournal && after < entries; ) {
    const page = await sandbox.journal({ after, limit: Math.min(pageEntries, entries - after) });
    const [first, ...rest] = page;
    if (first === undefined) break;
    if (first.event.type === 'sandbox.created') {
      await handUsers(first.event.users, tell);
      tell({ kind: 'entries', entries: [withoutUsers(first), ...rest] });
    } else tell({ kind: 'entries', entries: page });
    after = page.at(-1)?.seq ?? entries;
    await others();
  }
  tell({ kind: 'end' });
}

async function handUsers(users: readonly unknown[], tell: (message: ToAnalysisThread) => void): Promise<void> {
  for (let from = 0; from < users.length; from += pageUsers) {
    tell({ kind: 'users', users: users.slice(from, from + pageUsers) });
    await others();
  }
}

function withoutUsers(entry: JournalEntry): JournalEntry {
  return entry.event.type === 'sandbox.created' ? { ...entry, event: { ...entry.event, users: [] } } : entry;
}

/** Resolves after pending input was handled. */
function others(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  afterPendingInput(resolve);
  return promise;
}

function threadError(error: Error): NudgeLabError {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new NudgeLabError('analysis-too-large', {
      message: `The analysis required more than ${memoryMib} MiB of memory.`,
    });
  }
  return new NudgeLabError('internal-error', { message: error.message, cause: error });
}
