import { reasonCodes } from '../../machines/vocabulary.ts';
import { answerPaths } from './action-paths.ts';
import type { CompiledForecast } from './compile-forecast.ts';
import { counterLayout } from './counters.ts';
import { type FollowedAttempt, followUser } from './follow-user.ts';
import { simulateUsers } from './kernel.ts';
import { attemptLogSize, promptedFrom } from './user-run.ts';

/** An attempt as the kernel tells of it, in the words of the machines: the kernel has no time for those it need not draw one. */
export type ToldAttempt = Omit<FollowedAttempt, 'atMs' | 'state'>;

/** A count above three makes no difference, and the tables keep none. */
const countMax = 3;

/** What the kernel says of one user, attempt by attempt. Takes the compiled forecast, seed and number of the user. */
export function kernelAttempts(compiled: CompiledForecast, seed: number, user: number): readonly ToldAttempt[] {
  const { tables, lifecycle, segments } = compiled;
  const layout = counterLayout(tables.days, segments.length);
  const log: number[] = [];
  const output = { population: new Uint32Array(1), counters: new Int32Array(layout.size), log };
  simulateUsers(tables, layout, { seed, firstUser: user, endUser: user + 1 }, output);
  return Array.from({ length: log.length / attemptLogSize }, (_, attempt) => {
    const [day = 0, kind = 0, code = 0, state = 0] = log.slice(attempt * attemptLogSize);
    const asked = code >= promptedFrom;
    const path = asked ? answerPaths[(code - promptedFrom) % answerPaths.length] : undefined;
    const skippable = code - promptedFrom < answerPaths.length;
    return {
      day,
      kind,
      outcome: asked ? (skippable ? 'skippable' : 'required') : 'none',
      reason: asked ? null : (reasonCodes[code - 1] ?? null),
      answer: path?.name ?? null,
      resting: lifecycle.states[state] ?? 'notPrompted',
      snoozes: lifecycle.counts[state] ?? 0,
    };
  });
}

/** What the machines say of the same user, told in the same way. */
export function machineAttempts(compiled: CompiledForecast, seed: number, user: number): readonly ToldAttempt[] {
  return followUser(compiled, seed, user).attempts.map(({ day, kind, outcome, reason, answer, resting, snoozes }) => ({
    day,
    kind,
    outcome,
    reason,
    answer,
    resting,
    snoozes: Math.min(snoozes, countMax),
  }));
}

/** What came of holding the kernel against the machines. */
export interface Verification {
  readonly users: number;
  readonly attempts: number;
  /** The first user for whom the two differ, with both accounts from the first difference on; `null` when there is none. */
  readonly difference: {
    readonly user: number;
    readonly attempt: number;
    readonly kernel: ToldAttempt | null;
    readonly machines: ToldAttempt | null;
  } | null;
}

/**
 * Folds users through the machines and holds what the kernel says of them against it, event by event. Takes the compiled
 * forecast, the seed, how many users there are and how many of them are looked at, spread evenly.
 */
export function verifyKernel(compiled: CompiledForecast, seed: number, users: number, sample: number): Verification {
  const looked = Math.min(users, sample);
  let attempts = 0;
  for (let number = 0; number < looked; number += 1) {
    const user = Math.floor((number * users) / looked);
    const kernel = kernelAttempts(compiled, seed, user);
    const machines = machineAttempts(compiled, seed, user);
    attempts += machines.length;
    const length = Math.max(kernel.length, machines.length);
    for (let attempt = 0; attempt < length; attempt += 1) {
      if (JSON.stringify(kernel[attempt]) === JSON.stringify(machines[attempt])) continue;
      const difference = { user, attempt, kernel: kernel[attempt] ?? null, machines: machines[attempt] ?? null };
      return { users: number + 1, attempts, difference };
    }
  }
  return { users: looked, attempts, difference: null };
}
