import { transition } from 'xstate';
import { type NudgeEvent, nudgeMachine } from '../machines/nudge.machine.ts';
import { rebuildState } from '../src/journal/apply-event.ts';
import type { JournalEntry } from '../src/journal/journal-event.ts';
import { type NudgeSnapshot, shippedModel } from '../src/journal/sandbox-model.ts';
import { inMemory, planSandbox, Sandbox } from '../src/sandbox/sandbox.ts';
import { atLeast, type BenchRow, median, stated } from './measure.ts';

/**
 * Compares replaying a journal through the machines with bare `transition()` of xstate on the nudge machine for the
 * same events, alternating on one thread. The replay also applies the sign-in events, evaluates every attempt and
 * settles pending closes.
 */

const users = 500;
const rounds = 15;
const passes = 5;
const journalRounds = 7;

interface Recorded {
  readonly from: NudgeSnapshot;
  readonly event: NudgeEvent;
}

/** Measures lifecycle events per second. */
export async function benchReplay(): Promise<readonly BenchRow[]> {
  const entries = await journal();
  const events = recordedEvents(entries);
  const bare: number[] = [];
  const folded: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(rate(events.length, () => walkBare(events)));
    folded.push(rate(events.length, () => rebuildState(entries)));
  }
  const entriesRate = (median(folded) / events.length) * entries.length;
  return [
    atLeast(
      0.5,
      `replaying ${entries.length} inputs, ${events.length} events of the lifecycle, against transition()`,
      median(folded),
      median(bare),
      'events/s',
    ),
    stated('the same, inputs', entriesRate, 'inputs/s'),
  ];
}

/** Measures the rate of the best pass in a round, because other processes use the same machine. */
function rate(count: number, work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < passes; pass += 1) {
    const startMs = performance.now();
    work();
    best = Math.min(best, performance.now() - startMs);
  }
  return (count / best) * 1000;
}

/**
 * Applies every event to the state it was recorded in. The results are summed, so the work cannot be optimized away.
 */
function walkBare(events: readonly Recorded[]): number {
  let open = 0;
  for (const { from, event } of events) {
    const [next] = transition(nudgeMachine, from, event);
    open += next.context.openPrompts.length;
  }
  return open;
}

function recordedEvents(entries: readonly JournalEntry[]): readonly Recorded[] {
  const events: Recorded[] = [];
  const [first, ...rest] = entries;
  if (first === undefined) throw new Error('The journal is empty.');
  const state = rebuildState([first]);
  if (state === null) throw new Error('The journal does not begin.');
  state.observer = {
    evaluated: () => undefined,
    moved: (from, event) => {
      events.push({ from: shippedModel.nudgeSnapshot(from.value, from.context), event });
    },
  };
  rebuildState(rest, state);
  return events;
}

/**
 * Records the journal of users who sign in concurrently with passkeys, are prompted, and skip, close or return, day
 * after day.
 */
async function journal(): Promise<readonly JournalEntry[]> {
  const campaign = {
    state: 'enabled',
    enforceRegistrationAfterAllowedSnoozes: false,
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  };
  const people = Array.from({ length: users }, (_, index) => ({ id: `user-${index}` }));
  const sandbox = await Sandbox.create('default', planSandbox({ tenant: { campaign }, users: people }), inMemory());
  const { signIns, clock } = sandbox;
  for (let round = 0; round < journalRounds; round += 1) {
    for (const [index, { id: user }] of people.entries()) {
      const { id } = await signIns.start(user);
      await signIns.acceptPassword(id);
      await signIns.completeMfa(id);
      await answer(sandbox, id, (index + round) % 4);
    }
    await clock.advance({ days: 1 });
  }
  return sandbox.journal({ after: 0, limit: 10_000_000 });
}

async function answer({ signIns }: Sandbox, id: string, kind: number): Promise<void> {
  if (kind === 0) {
    await signIns.leave(id);
    await signIns.comeBack(id);
  }
  if (kind === 1) {
    await signIns.selectNext(id);
    await signIns.failSetup(id);
    await signIns.skipError(id);
  } else await signIns.skip(id);
}
