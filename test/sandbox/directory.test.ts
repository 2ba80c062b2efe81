import { describe, expect, it } from 'vitest';
import { snoozeRecordSchema } from '../../src/contract/facts.schema.ts';
import { toInstant } from '../../src/core/clock.ts';
import { createSandbox } from './policy-sandbox.ts';

/** 9999-01-01 in ms. */
const latestMs = 253_370_764_800_000;

describe('setting the nudge status', () => {
  it.for([{ snoozedAtMs: -1 }, { snoozedAtMs: latestMs + 1 }, { snoozedAtMs: 'today' }, { count: 1.5 }, { counts: 1 }])(
    'bad-request: rejects %j like the control API, without any change',
    async (nudgeStatus) => {
      const sandbox = await createSandbox({ users: [{ id: 'ada' }] });
      expect(snoozeRecordSchema.safeParse(nudgeStatus).success).toBe(false);
      await expect(sandbox.directory.setSnooze('ada', nudgeStatus)).rejects.toMatchObject({ code: 'bad-request' });
      expect(sandbox.entryCount).toBe(1);
    },
  );

  it('A3: accepts the latest allowed time, and the end of its snooze is a valid instant', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }] });
    const nudgeStatus = await sandbox.directory.setSnooze('ada', { count: 1, snoozedAtMs: latestMs });
    expect(nudgeStatus).toMatchObject({ snoozes: 1, snoozedAt: toInstant(latestMs) });
  });
});
