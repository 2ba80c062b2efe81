import type { z } from 'zod';
import { type sandboxRequest, userRequest } from '../../contract/control.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { machineNowMs, parseInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { clockDefaultMs, type SandboxInput } from '../../sandbox/sandbox.ts';

type Body = z.output<typeof sandboxRequest>;

/** What a sandbox is to be made from, of a body that its contract accepted. Throws `bad-request` naming user and fault. */
export function sandboxInput({
  tenant,
  settings,
  users,
  clients,
  faults,
  lookup,
  clock,
  seed,
  ruleset,
}: Body): SandboxInput {
  return {
    ...(tenant === undefined ? {} : { tenant }),
    ...(settings === undefined ? {} : { settings }),
    ...(users === undefined ? {} : { users: usersOf(users) }),
    ...(clients === undefined ? {} : { clients }),
    ...(faults === undefined ? {} : { faults }),
    ...(lookup === undefined ? {} : { lookup }),
    ...(clock === undefined ? {} : { clock: clockOf(clock) }),
    ...(seed === undefined ? {} : { seed }),
    ...(ruleset === undefined ? {} : { ruleset }),
  };
}

/** A frozen clock at an instant, or as it is described. One that runs from no named time runs at the machine's. */
function clockOf(clock: NonNullable<Body['clock']>): NonNullable<SandboxInput['clock']> {
  if (typeof clock === 'string') return { nowMs: instantMs(clock, 'body.clock'), running: false };
  const { now, running = false } = clock;
  if (now !== undefined) return { nowMs: instantMs(now, 'body.clock.now'), running };
  return { nowMs: running ? machineNowMs() : clockDefaultMs, running };
}

/** An instant of a body in ms. Throws `bad-request` for one before 1970, which no clock shows. */
export function instantMs(instant: string, place: string): number {
  const atMs = parseInstant(instant);
  if (atMs !== null && atMs >= 0) return atMs;
  throw new NudgeLabError('bad-request', {
    problems: [{ location: place, message: `"${instant}" is not between 1970 and 9999` }],
  });
}

/** Users of a list as they stand there; of an object each with its key as id. */
function usersOf(users: NonNullable<Body['users']>): readonly unknown[] {
  if (Array.isArray(users)) return users.map((user, index) => parsedUser(user, `body.users.${index}`));
  return Object.entries(users).map(([id, user]) => {
    const place = `body.users.${id}`;
    const named = isPlainObject(user) && !('id' in user) ? { ...user, id } : user;
    const parsed = parsedUser(named, place);
    if (parsed['id'] === id) return parsed;
    throw new NudgeLabError('bad-request', {
      problems: [{ location: `${place}.id`, message: `${JSON.stringify(parsed['id'])} differs from the key "${id}"` }],
    });
  });
}

function parsedUser(user: unknown, place: string): Readonly<Record<string, unknown>> {
  const { nudgeStatus: _derived, ...facts } = parseOr('bad-request', userRequest, user, place);
  return facts;
}
