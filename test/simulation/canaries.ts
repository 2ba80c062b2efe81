import type { NudgeEvent } from '../../machines/nudge.machine.ts';
import { type SandboxModel, shippedModel } from '../../src/journal/sandbox-model.ts';
import type { JournalStore } from '../../src/journal/store.ts';

/** Changes that a canary makes to the simulator under test. */
export interface Canary {
  readonly about: string;
  /** Number of lines that the disk loses at each sync although it reports success. */
  readonly loses?: number;
  /** Replaces the opened store with a faulty one. */
  readonly store?: (store: JournalStore) => JournalStore;
  /** Faulty rules and machines. */
  readonly model?: Partial<Pick<SandboxModel, 'evaluate' | 'stepNudge'>>;
  /** Applies a part of a rejected policy update. */
  readonly halfPatches?: boolean;
  /** Handles a request twice, as an unnoticed retry would. */
  readonly servesTwice?: boolean;
}

type StepNudge = SandboxModel['stepNudge'];

const { stepNudge, evaluate } = shippedModel;

/** Creates a faulty lifecycle with the given step function. */
function bent(step: (from: Parameters<StepNudge>[0], event: NudgeEvent) => ReturnType<StepNudge>): {
  readonly stepNudge: StepNudge;
} {
  return { stepNudge: step as StepNudge };
}

function withStore(change: (store: JournalStore) => Partial<JournalStore>): (store: JournalStore) => JournalStore {
  return (store) => {
    const changed = change(store);
    return new Proxy(store, {
      get: (_, name) => {
        const value: unknown = Reflect.get(changed, name) ?? Reflect.get(store, name);
        return typeof value === 'function' ? value.bind(store) : value;
      },
    });
  };
}

/** Simulators with one deliberate fault each. The simulation has to detect all of them. */
export const canaries = {
  'lost-acknowledgement': { about: 'the disk says that it synced, and lost the last line', loses: 1 },
  'answer-before-sync': {
    about: 'no one waits for the disk',
    store: withStore(() => ({ flushed: () => null })),
  },
  'doubled-snooze': {
    about: 'a skip counts twice',
    model: bent((from, event) => {
      const to = stepNudge(from, event);
      if (event.type !== 'prompt.skipped' || to.context.count === from.context.count) return to;
      return { ...to, context: { ...to.context, count: to.context.count + 1 } };
    }),
  },
  'forgotten-leave': {
    about: 'closing the browser is not noted',
    model: bent((from, event) => (event.type === 'browser.closed' ? from : stepNudge(from, event))),
  },
  'leave-never-withdrawn': {
    about: 'coming back does not withdraw the mark',
    model: bent((from, event) => (event.type === 'prompt.resumed' ? from : stepNudge(from, event))),
  },
  'counted-error-screen': {
    about: 'the skip of the error screen counts',
    model: bent((from, event) =>
      stepNudge(from, event.type === 'errorScreen.skipped' ? { ...event, type: 'prompt.skipped' } : event),
    ),
  },
  'limit-forgotten': {
    about: 'no one ever has to register',
    model: {
      evaluate: (facts, ruleset) => {
        const verdict = evaluate(facts, ruleset);
        return verdict.outcome === 'required' ? { ...verdict, outcome: 'skippable' } : verdict;
      },
    },
  },
  'prompt-while-snoozed': {
    about: 'the snooze is not looked at',
    model: {
      evaluate: (facts, ruleset) =>
        evaluate({ ...facts, user: { ...facts.user, snooze: { ...facts.user.snooze, snoozedAtMs: null } } }, ruleset),
    },
  },
  'half-a-patch': { about: 'what is right in a wrong update is kept', halfPatches: true },
  'served-twice': { about: 'a request is handled twice', servesTwice: true },
  'stale-fold': {
    about: 'a stored fold claims to be one entry newer than it is',
    store: withStore((store) => ({
      saveSnapshot: async (id, snapshot) => {
        const seq = Math.min(snapshot.seq + 1, await store.lastSeq(id));
        const state = snapshot.state.replace(/"lastSeq":\d+/, `"lastSeq":${seq}`);
        await store.saveSnapshot(id, { ...snapshot, seq, state });
      },
    })),
  },
  'unordered-journal': {
    about: 'an entry is kept with another time than it was folded with',
    store: withStore((store) => ({
      append: (id, entry) => store.append(id, { ...entry, atMs: entry.atMs + (entry.seq % 40 === 39 ? 1 : 0) }),
    })),
  },
} satisfies Readonly<Record<string, Canary>> as Readonly<Record<string, Canary>>;

/** Replaces the specified rules with those of a canary, and returns a function that restores them. */
export function plant({ model }: Canary): () => void {
  const changeable = shippedModel as { -readonly [Key in 'evaluate' | 'stepNudge']: SandboxModel[Key] };
  Object.assign(changeable, model);
  return () => Object.assign(changeable, { evaluate, stepNudge });
}
