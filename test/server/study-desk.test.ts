import { expect, it } from 'vitest';
import type { StudyOrder } from '../../src/contract/study.schema.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { StudyDesk } from '../../src/server/control-api/study-desk.ts';

const order: StudyOrder = { kind: 'comparison', variants: [] } as never;

it('sandbox-unknown: the end of a sandbox ends its studies before anybody asks, and the next sandbox has its turn', async () => {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  const told: string[] = [];
  const runner = {
    run: (_order: StudyOrder, { id }: { readonly id: string }) => {
      told.push(`run ${id}`);
      return { result: new Promise<never>(() => undefined), cancel: () => void told.push(`cancel ${id}`) };
    },
  };
  const desk = new StudyDesk(runner, (sandbox) => sandboxes.has(sandbox.id));
  const gone = await sandboxes.create('gone', planSandbox({}));
  const there = await sandboxes.create('there', planSandbox({}));
  for (const sandbox of [gone, gone, there]) desk.start(sandbox, order);
  await sandboxes.remove('gone');
  expect(told).toEqual(['run gone', 'cancel gone', 'run there']);
  expect(desk.list(there).map(({ state }) => state)).toEqual(['running']);
  await sandboxes.close();
});
