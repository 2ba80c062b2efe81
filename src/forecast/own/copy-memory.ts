import { type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { getOwnUser, type OpenOwnPrompt } from '../../../machines/own/own-state.ts';
import type { UserMemory } from './forecast-user.ts';
import { ledgerTimes, listEarlier, sortEntries } from './ledger-entries.ts';
import type { OwnTimes } from './own-times.ts';

/** Instants of a copy, by the places of their slots. */
interface CopiedInstants {
  readonly values: ReadonlyMap<string, number>;
  readonly nowMs: number;
  readonly times: OwnTimes;
}

/** Copies the memory of a user with other instants. */
export function copyMemory(
  { state, sessions, promptKinds, turnedDown }: UserMemory,
  userId: string,
  { values, nowMs, times }: CopiedInstants,
): UserMemory {
  const owner = getOwnUser(state, userId);
  const ledger = new Map(
    sortEntries(state).map((entry) => {
      const instants = ledgerTimes.flatMap((role) => {
        const value = values.get(`${entry.key}|${role}`);
        return value === undefined ? [] : [[role, value] as const];
      });
      return [entry.key, { ...entry, ...Object.fromEntries(instants) }];
    }),
  );
  const prompts = owner.prompts.map((prompt): OpenOwnPrompt => {
    const shownAtMs = values.get(`prompt ${prompt.id}|shownAtMs`) ?? prompt.shownAtMs;
    const leftAtMs = prompt.leftAtMs === null ? null : (values.get(`prompt ${prompt.id}|leftAtMs`) ?? prompt.leftAtMs);
    const instants = listEarlier(prompt, times).map(({ at, field }) => [field, values.get(at) ?? null]);
    const earlier = { ...prompt.earlier, ...Object.fromEntries(instants) };
    return { ...prompt, shownAtMs, leftAtMs, earlier, attempt: { ...prompt.attempt, nowMs: shownAtMs } };
  });
  const facts = Object.fromEntries(
    Object.entries(owner.user.facts).map(([name, value]) => [name, values.get(`user.facts.${name}`) ?? value]),
  );
  const previous = values.get('previous');
  const signInTimesMs = [...owner.signInTimesMs];
  if (previous !== undefined) signInTimesMs[signInTimesMs.length - 1] = previous;
  const user = { ...owner.user, facts };
  return {
    state: {
      ...state,
      edition: rulesAt(state.ruleset, nowMs - 1).edition,
      ledger,
      users: new Map([[userId, { ...owner, user, prompts, signInTimesMs, ended: new Map(), lastAttempt: null }]]),
    },
    sessions: new Map(sessions),
    promptKinds: new Map(promptKinds),
    turnedDown,
  };
}

/** Returns the time at which the edition that is in force at another time ends. */
export function editionEnd({ editions }: OwnRuleset, atMs: number): number {
  return editions.find(({ fromMs }) => fromMs > atMs)?.fromMs ?? Number.POSITIVE_INFINITY;
}
