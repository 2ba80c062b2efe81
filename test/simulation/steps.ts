import { type RandomSource, randomSource } from '../../src/core/random.ts';

/** What a client can ask of the simulator. */
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
 * One step of a simulation. `pick` and `value` are read round what there is to choose from, so that a step keeps a meaning
 * when others are taken away.
 */
export type Step =
  /** A client sends a request, which arrives at once, or else is in progress until the network delivers it. */
  | { readonly do: 'ask' | 'send'; readonly act: Act; readonly pick: number; readonly value: number }
  /** A request that is in progress arrives, also as one more copy of it; or it is lost. */
  | { readonly do: 'arrive' | 'repeat' | 'lose'; readonly pick: number }
  | { readonly do: 'sync' }
  /** The machine goes down, and another process opens what is left. */
  | { readonly do: 'crash'; readonly kept: number; readonly torn: boolean }
  /** The process ends as it should, and another one opens the store. */
  | { readonly do: 'stop' }
  /** From the next sync on the disk fails, or is full. */
  | { readonly do: 'fail' | 'fill' }
  /** The machine's own clock moves by so many ms, back where it is negative. */
  | { readonly do: 'machineClock'; readonly ms: number };

/** How often each act is sent, in parts of all. */
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

/** The steps of a seed: as many as are asked for. */
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
