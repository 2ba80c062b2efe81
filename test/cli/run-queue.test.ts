import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RunQueue } from '../../src/cli/serve/suite/run-queue.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { temporaryFolder } from '../journal/temporary-folder.ts';

/** Maximum number of kept runs. */
const storedRunsMax = 20;

/** Starts runs one after another. Returns the queue, and whether the evidence of each run exists. */
async function ranEach(count: number) {
  const folder = temporaryFolder();
  const queue = new RunQueue(async (run) => {
    run.evidenceFolder = join(folder, run.id);
    mkdirSync(run.evidenceFolder);
  }, Date.now);
  for (let run = 1; run <= count; run += 1) {
    const { id } = queue.start({} as never);
    await expect.poll(() => queue.get(id).isFinished, { interval: 1 }).toBe(true);
  }
  const kept = () => Array.from({ length: count }, (_, at) => existsSync(join(folder, `r${at + 1}`)));
  return { queue, kept };
}

describe('runs of a server', () => {
  it('run-not-found: beyond the limit of kept runs, the oldest run is removed with its evidence', async () => {
    const { queue, kept } = await ranEach(storedRunsMax + 1);
    expect(() => queue.get('r1')).toThrowError(expect.objectContaining({ code: 'run-not-found' }));
    expect(queue.list().runs).toHaveLength(storedRunsMax);
    expect(kept()).toEqual([false, ...new Array(storedRunsMax).fill(true)]);
  });

  it('run-not-found: closing removes the evidence of every run', async () => {
    const { queue, kept } = await ranEach(2);
    expect(kept()).toEqual([true, true]);
    await queue.close();
    expect(kept()).toEqual([false, false]);
  });

  it.each([
    [new NudgeLabError('scenario-empty', { problems: [{ location: 'a', message: 'b' }] }), 'scenario-empty', 1],
    [new TypeError('broken'), 'internal-error', 0],
  ])('internal-error: a run that ends with %s fails with the code %s', async (error, code, problems) => {
    const queue = new RunQueue(() => Promise.reject(error), Date.now);
    const { id } = queue.start({} as never);
    await expect.poll(() => queue.get(id).isFinished, { interval: 1 }).toBe(true);
    const { state, error: shown } = queue.get(id).view();
    expect([state, shown?.code, shown?.problems.length]).toEqual(['failed', code, problems]);
  });

  it('run-not-found: a queued run is canceled immediately, and a finished run is unchanged', async () => {
    const first = Promise.withResolvers<void>();
    const queue = new RunQueue(() => first.promise, Date.now);
    const [running, queued] = [queue.start({} as never), queue.start({} as never)];
    expect([running.state, queued.state]).toEqual(['running', 'queued']);
    expect(queue.cancel(queued.id).state).toBe('canceled');
    first.resolve();
    await expect.poll(() => queue.get(running.id).isFinished, { interval: 1 }).toBe(true);
    expect(queue.cancel(running.id).state).toBe('finished');
    expect(queue.list().runs.map(({ id, state }) => [id, state])).toEqual([
      ['r2', 'canceled'],
      ['r1', 'finished'],
    ]);
  });
});
