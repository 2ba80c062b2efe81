import { parentPort } from 'node:worker_threads';
import type { AnalysisResult } from '../../contract/analysis.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { EventOf, JournalEntry } from '../../journal/journal-event.ts';
import { type LoadedRuleset, RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { MemoryStore } from '../../journal/stores/memory.store.ts';
import { loadRuleset } from '../../scenario/rulesets/load-rulesets.ts';
import { SentRulesets } from '../../scenario/rulesets/sent-rulesets.ts';
import type { AnalysisRuleset, FromAnalysisThread, ToAnalysisThread } from './analysis-messages.ts';
import { compareAnalysis } from './comparison-analysis.ts';
import { forecastAnalysis } from './forecast-analysis.ts';
import { ownForecastAnalysis } from './own-forecast-analysis.ts';

/**
 * Journal store in the thread of one analysis. The thread receives the request and the journal, and reports the
 * progress and the result.
 */
const store = new MemoryStore();
const users: unknown[] = [];
let ordered: Extract<ToAnalysisThread, { kind: 'order' }> | null = null;

parentPort?.on('message', (message: ToAnalysisThread) => {
  take(message).catch((error: unknown) => tell(failure(error)));
});

async function take(message: ToAnalysisThread): Promise<void> {
  switch (message.kind) {
    case 'order':
      ordered = message;
      return;
    case 'users':
      for (const user of message.users) users.push(user);
      return;
    case 'entries':
      for (const entry of message.entries) store.append(ordered?.sandboxId ?? '', withUsers(entry));
      return;
    case 'end':
      await make();
  }
}

async function make(): Promise<void> {
  if (ordered === null) return;
  const { order, sandboxId, entries } = ordered;
  const onProgress = (share: number): void => tell({ kind: 'progress', share });
  const rulesets = new Map(ordered.rulesets.map((one) => [one.sent.id, receive(one)]));
  tell({ kind: 'result', result: await analyze() });

  async function analyze(): Promise<AnalysisResult> {
    if (order.kind === 'forecast') return forecastAnalysis(order, rulesets, onProgress);
    if (order.kind === 'ownForecast') return ownForecastAnalysis(order, rulesets, onProgress);
    if (order.kind === 'comparison') return compareAnalysis(order, { store, sandboxId, entries, rulesets, onProgress });
    const journal = await store.entries(sandboxId, { after: 0, limit: entries });
    return (await import('./property-analysis.ts')).propertyAnalysis(order, journal, onProgress);
  }
}

/** Makes a ruleset known to this thread. Gate modules are loaded from the file of the server. */
function receive({ sent, file }: AnalysisRuleset): LoadedRuleset {
  const files = new RulesetRegistry();
  if (sent.text === null && file !== null) loadRuleset(file, files, '/');
  return new SentRulesets(files).receive(sent);
}

function withUsers(entry: JournalEntry): JournalEntry {
  const { event: input } = entry;
  if (input.type !== 'sandbox.created') return entry;
  return { ...entry, event: { ...input, users: users as unknown as EventOf<'sandbox.created'>['users'] } };
}

function failure(error: unknown): FromAnalysisThread {
  const { code, message, problems } =
    error instanceof NudgeLabError
      ? error
      : new NudgeLabError('internal-error', { message: error instanceof Error ? error.message : String(error) });
  return { kind: 'failed', code, message, problems };
}

function tell(message: FromAnalysisThread): void {
  parentPort?.postMessage(message);
}
