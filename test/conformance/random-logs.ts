import { randomSource } from '../../src/core/random.ts';
import { dayTicks, type OracleEvent, type OraclePolicy, oracleKinds, oracleStart, oracleStep } from './log-oracle.ts';

/** Chooses items of lists by a random seed. */
export interface Chooser {
  readonly pick: <T>(from: readonly T[]) => T;
  readonly below: (limit: number) => number;
}

/** Creates a chooser with a random seed. */
export function createChooser(seed: number): Chooser {
  const random = randomSource(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return { below, pick: (from) => from[below(from.length)] as (typeof from)[number] };
}

const gaps = [0, 1, 1, 2, 3, 4, 12, 100, dayTicks - 2, dayTicks - 1, dayTicks, dayTicks + 1, dayTicks + 13];

/** Kinds that lead to longer journeys are more frequent. */
const frequent = ['prompt-skippable', 'prompt-required', 'skipped', 'closed', 'next-selected', 'not-prompted'] as const;

/** Creates the log of one user: a random walk of the simulation at exact ticks. */
export function randomLog({ pick, below }: Chooser, policy: OraclePolicy, length: number): readonly OracleEvent[] {
  const log: OracleEvent[] = [];
  let states = [oracleStart];
  let tick = below(200);
  for (let step = 0; step < length; step += 1) {
    tick += pick(gaps);
    const isPossible = (kind: (typeof oracleKinds)[number]): boolean =>
      states.some((state) => oracleStep(state, kind, tick, policy).length > 0);
    const usual = frequent.filter(isPossible);
    const kind = usual.length > 0 && below(10) < 8 ? pick(usual) : pick(oracleKinds.filter(isPossible));
    log.push({ kind, tick });
    states = [pick(states.flatMap((state) => oracleStep(state, kind, tick, policy)))];
  }
  return log;
}

/** Makes one change to a log: another event, another time, a missing event, or an additional one. */
export function editLog(log: readonly OracleEvent[], { pick, below }: Chooser): readonly OracleEvent[] {
  const at = below(log.length);
  const event = log[at] as OracleEvent;
  const next = log[at + 1];
  switch (below(4)) {
    case 0:
      return log.toSpliced(at, 1, { ...event, kind: pick(oracleKinds) });
    case 1:
      return log.toSpliced(at, 1);
    case 2:
      return log.toSpliced(at, 0, { kind: pick(oracleKinds), tick: event.tick });
    default: {
      const from = log[at - 1]?.tick ?? event.tick;
      const to = next?.tick ?? event.tick + dayTicks;
      return log.toSpliced(at, 1, { ...event, tick: from + below(to - from + 1) });
    }
  }
}
