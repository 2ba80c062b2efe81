import type { z } from 'zod';
import { type sandboxRequest, userRequest } from '../../contract/control.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { machineNowMs, parseInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { clockDefaultMs, type SandboxInput } from '../../sandbox/sandbox.ts';

type Body = z.output<typeof sandboxRequest>;

/** Converts a validated request body to sandbox input. Throws `bad-request` with each invalid user and its problem. */
export function sandboxInput({
  tenant,
  settings,
  users,
  syntheticUsers,
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
    ...(users === undefined ? {} : { users: listUsers(users) }),
    ...(syntheticUsers === undefined ? {} : { syntheticUsers }),
    ...(clients === undefined ? {} : { clients }),
    ...(faults === undefined ? {} : { faults }),
    ...(lookup === undefined ? {} : { lookup }),
    ...(clock === undefined ? {} : { clock: parseClock(clock) }),
    ...(seed === undefined ? {} : { seed }),
    ...(ruleset === undefined ? {} : { ruleset }),
  };
}

/**
 * Returns the clock settings. An instant means a frozen clock. A running clock without a time starts at the machine
 * time.
 */
function parseClock(clock: NonNullable<Body['clock']>): NonNullable<SandboxInput['clock']> {
  if (typeof clock === 'string') return { nowMs: instantMs(clock, 'body.clock'), running: false };
  const { now, running = false } = clock;
  if (now !== undefined) return { nowMs: instantMs(now, 'body.clock.now'), running };
  return { nowMs: running ? machineNowMs() : clockDefaultMs, running };
}

/** Converts an instant to milliseconds. Throws `bad-request` for instants before 1970, which no clock supports. */
export function instantMs(instant: string, place: string): number {
  const atMs = parseInstant(instant);
  if (atMs !== null && atMs >= 0) return atMs;
  throw new NudgeLabError('bad-request', {
    problems: [{ location: place, message: `"${instant}" is not between the years 1970 and 9999` }],
  });
}

/** Lists the users of a body. In an object, each key becomes the id of its user. */
function listUsers(users: NonNullable<Body['users']>): readonly unknown[] {
  if (Array.isArray(users)) return users.map((user, index) => parsedUser(user, `body.users.${index}`));
  return Object.entries(users).map(([id, user]) => {
    const place = `body.users.${id}`;
    const named = isPlainObject(user) && !('id' in user) ? { ...user, id } : user;
    const parsed = parsedUser(named, place);
    if (parsed['id'] === id) return parsed;
    throw new NudgeLabError('bad-request', {
      problems: [
        { location: `${place}.id`, message: `${JSON.stringify(parsed['id'])} does not match the key "${id}"` },
      ],
    });
  });
}

function parsedUser(user: unknown, place: string): Readonly<Record<string, unknown>> {
  const { nudgeStatus: _derived, ...facts } = parseOr('bad-request', userRequest, user, place);
  return facts;
}
