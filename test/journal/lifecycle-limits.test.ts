import { describe, expect, test } from 'vitest';
import { finishedSignInsMax, unfinishedSignInsMax } from '../../src/core/limits.ts';
import { rebuildState } from '../../src/journal/apply-event.ts';
import type { SandboxState } from '../../src/journal/state.ts';
import type { JournalEntry } from '../../src/sandbox/sandbox.ts';
import { createSandbox, signIn, startMs } from './signing-in.ts';

/** Applies the given number of sign-in start events to a state. */
function begun(state: SandboxState, count: number, ssoSession: boolean): SandboxState {
  const first = state.lastSeq + 1;
  for (let seq = first; seq < first + count; seq += 1) {
    const event = { type: 'signIn.started', signInId: `s${seq}`, userId: 'ada', attempt: { ssoSession } } as const;
    const entry: JournalEntry = { seq, atMs: startMs, event };
    rebuildState([entry], state);
  }
  return state;
}

describe('limits of stored sign-ins', () => {
  test('R13.1: the oldest finished sign-ins are removed, and the latest ones are kept', async () => {
    const sandbox = await createSandbox();
    const state = begun(sandbox.recorder.state(), finishedSignInsMax + 2, true);
    expect(state.signIns.size).toBe(finishedSignInsMax);
    expect([state.signIns.has('s2'), state.signIns.has('s3'), state.signIns.has('s4')]).toEqual([false, false, true]);
  });

  test('R1: the oldest unfinished sign-ins are removed, except those with an open prompt', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    const state = begun(sandbox.recorder.state(), unfinishedSignInsMax + 1, false);
    expect(state.signIns.size).toBe(unfinishedSignInsMax);
    expect([state.signIns.has(id), state.signIns.has('s5'), state.signIns.has('s6')]).toEqual([true, false, false]);
    expect(state.signIns.has('s7')).toBe(true);
  });
});
