import { type RandomSource, randomSource } from '../../src/core/random.ts';

/** Actions that a client can request from the simulator. */
export const acts = [
  'start',
  'goOn',
  'skip',
  'next',
  'leave',
  'comeBack',
  'register',
  'fail',
  'skipError',
  'look',
  'readNudgeStatus',
  'settlePendingCloses',
  'setSnooze',
  'removeMethod',
  'patchPolicy',
  'patchWrongly',
  'readPolicy',
  'patchTenant',
  'advance',
  'setClock',
  'snapshot',
  'restore',
  'reset',
] as const;
export type Act = (typeof acts)[number];

/**
 * Step of a simulation. `pick` and `value` are taken modulo the number of choices, so a step remains valid when
 * others are removed.
 */
export type Step =
  /** A client sends a request, which arrives immediately, or is in flight until the network delivers it. */
  | { readonly do: 'ask' | 'send'; readonly act: Act; readonly pick: number; readonly value: number }
  /** An in-flight request is delivered, delivered as an additional copy, or lost. */
  | { readonly do: 'arrive' | 'repeat' | 'lose'; readonly pick: number }
  | { readonly do: 'sync' }
  /** The machine crashes, and another process opens the remaining data. */
  | { readonly do: 'crash'; readonly kept: number; readonly torn: boolean }
  /** The process shuts down normally, and another one opens the store. */
  | { readonly do: 'stop' }
  /** The disk fails, or is full, from the next sync on. */
  | { readonly do: 'fail' | 'fill' }
  /** The clock of the machine moves by this number of milliseconds, backward if negative. */
  | { readonly do: 'machineClock'; readonly ms: number };

/** Relative frequency of each action. */
const weights: Readonly<Record<Act, number>> = {
  start: 14,
  goOn: 40,
  skip: 10,
  next: 3,
  leave: 5,
  comeBack: 6,
  register: 2,
  fail: 2,
  skipError: 2,
  look: 6,
  readNudgeStatus: 10,
  settlePendingCloses: 3,
  setSnooze: 2,
  removeMethod: 4,
  patchPolicy: 6,
  patchWrongly: 3,
  readPolicy: 4,
  patchTenant: 2,
  advance: 14,
  setClock: 2,
  snapshot: 1,
  restore: 1,
  reset: 0.2,
};

const drawn: readonly (readonly [Act, number])[] = cumulated(acts.map((act) => [act, weights[act]]));

/** Creates the given number of steps from a random seed. */
export function createSteps(seed: number, count: number): readonly Step[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, () => drawStep(random));
}

function drawStep(random: RandomSource): Step {
  const kind = random();
  const pick = number(random);
  if (kind < 0.56) return { do: 'ask', act: drawAct(random), pick, value: number(random) };
  if (kind < 0.64) return { do: 'send', act: drawAct(random), pick, value: number(random) };
  if (kind < 0.7) return { do: 'arrive', pick };
  if (kind < 0.73) return { do: 'repeat', pick };
  if (kind < 0.75) return { do: 'lose', pick };
  if (kind < 0.97) return { do: 'sync' };
  if (kind < 0.98) return { do: 'machineClock', ms: number(random) - 100_000 };
  if (kind < 0.992) return { do: 'crash', kept: pick, torn: random() < 0.5 };
  if (kind < 0.997) return { do: 'stop' };
  return { do: random() < 0.5 ? 'fail' : 'fill' };
}

function drawAct(random: RandomSource): Act {
  const at = random() * (drawn.at(-1)?.[1] ?? 0);
  return drawn.find(([, upTo]) => at < upTo)?.[0] ?? 'look';
}

function number(random: RandomSource): number {
  return Math.floor(random() * 1_000_000);
}

function cumulated(parts: readonly (readonly [Act, number])[]): readonly (readonly [Act, number])[] {
  let sum = 0;
  return parts.map(([act, part]) => {
    sum += part;
    return [act, sum];
  });
}
