import { expect, it } from 'vitest';
import type { AnalysisRequest } from '../../src/contract/analysis.schema.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { AnalysisQueue } from '../../src/server/control-api/analysis-queue.ts';

const order: AnalysisRequest = { kind: 'comparison', variants: [] } as never;

it('sandbox-not-found: deleting a sandbox immediately cancels its analyses, and the next sandbox proceeds', async () => {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  const calls: string[] = [];
  const runner = {
    run: (_order: AnalysisRequest, { id }: { readonly id: string }) => {
      calls.push(`run ${id}`);
      return { result: new Promise<never>(() => undefined), cancel: () => void calls.push(`cancel ${id}`) };
    },
  };
  const queue = new AnalysisQueue(runner, (sandbox) => sandboxes.has(sandbox.id));
  const gone = await sandboxes.create('gone', planSandbox({}));
  const there = await sandboxes.create('there', planSandbox({}));
  for (const sandbox of [gone, gone, there]) queue.start(sandbox, order);
  expect([gone, there].map((sandbox) => queue.list(sandbox).map(({ id }) => id))).toEqual([
    ['analysis-2', 'analysis-1'],
    ['analysis-3'],
  ]);
  await sandboxes.remove('gone');
  expect(calls).toEqual(['run gone', 'cancel gone', 'run there']);
  expect(queue.list(there).map(({ state }) => state)).toEqual(['running']);
  await sandboxes.close();
});
