import { transition } from 'xstate';
import { type NudgeEvent, nudgeMachine } from '../machines/nudge.machine.ts';
import { rebuildState } from '../src/journal/apply-event.ts';
import type { JournalEntry } from '../src/journal/journal-event.ts';
import { type NudgeSnapshot, shippedModel } from '../src/journal/sandbox-model.ts';
import { inMemory, planSandbox, Sandbox } from '../src/sandbox/sandbox.ts';
import { atLeast, type BenchRow, median, stated } from './measure.ts';

/**
 * Replaying a journal through the machines, against bare `transition()` of xstate on the nudge machine for the same events, in
 * one thread and in turn. The replay also folds the sign-ins, evaluates every attempt and settles what was left open.
 */

const users = 500;
const rounds = 15;
const passes = 5;
const journalRounds = 7;

interface Recorded {
  readonly from: NudgeSnapshot;
  readonly event: NudgeEvent;
}

/** Events of the lifecycle a second. */
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

/** The time of the best of some passes stands for a round, since others work on the same machine. */
function rate(count: number, work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < passes; pass += 1) {
    const startMs = performance.now();
    work();
    best = Math.min(best, performance.now() - startMs);
  }
  return (count / best) * 1000;
}

/** Lets every event happen to the state that it happened to; what comes out is looked at, so that none can be left out. */
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

/** Users who sign in by passkey at once, are asked, skip, leave and come back, day after day. */
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
