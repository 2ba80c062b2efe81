import { answerPaths } from './action-paths.ts';
import type { CompiledForecast } from './compile-forecast.ts';
import { counterLayout } from './counters.ts';
import { type FollowedAttempt, followUser } from './follow-user.ts';
import { simulateUsers } from './kernel.ts';
import { attemptLogSize, promptedFrom } from './user-run.ts';
import { listReasons } from './verdict-table.ts';

/**
 * Attempt as the kernel logs it, in the terms of the state machines. It has no time, because the kernel does not
 * always draw one.
 */
export type LoggedAttempt = Omit<FollowedAttempt, 'atMs' | 'state'>;

/** Highest snooze count in the tables, because higher counts have the same effect. */
const countMax = 3;

/** Lists the attempts of one user as the kernel simulates them. */
export function kernelAttempts(compiled: CompiledForecast, seed: number, user: number): readonly LoggedAttempt[] {
  const { tables, lifecycle, segments, ruleset } = compiled;
  const reasons = listReasons(ruleset);
  const layout = counterLayout(tables.days, segments.length);
  const log: number[] = [];
  const output = { population: new Uint32Array(1), counters: new Int32Array(layout.size), log };
  simulateUsers(tables, layout, { seed, firstUser: user, endUser: user + 1 }, output);
  return Array.from({ length: log.length / attemptLogSize }, (_, attempt) => {
    const [day = 0, kind = 0, code = 0, state = 0] = log.slice(attempt * attemptLogSize);
    const isPrompted = code >= promptedFrom;
    const path = isPrompted ? answerPaths[(code - promptedFrom) % answerPaths.length] : undefined;
    const skippable = code - promptedFrom < answerPaths.length;
    return {
      day,
      kind,
      outcome: isPrompted ? (skippable ? 'skippable' : 'required') : 'none',
      reason: isPrompted ? null : (reasons[code - 1] ?? null),
      answer: path?.name ?? null,
      resting: lifecycle.states[state] ?? 'notPrompted',
      snoozes: lifecycle.counts[state] ?? 0,
    };
  });
}

/** Lists the attempts of the same user as the state machines simulate them, in the same format. */
export function machineAttempts(compiled: CompiledForecast, seed: number, user: number): readonly LoggedAttempt[] {
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

/** Result of comparing the kernel with the state machines. */
export interface Verification {
  readonly users: number;
  readonly attempts: number;
  /** First user with a difference, and both versions of the first attempt that differs; `null` if there is none. */
  readonly difference: {
    readonly user: number;
    readonly attempt: number;
    readonly kernel: LoggedAttempt | null;
    readonly machines: LoggedAttempt | null;
  } | null;
}

/**
 * Simulates users with the state machines and compares each attempt with the kernel. `sample` of the `users` are
 * compared, spread evenly.
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
