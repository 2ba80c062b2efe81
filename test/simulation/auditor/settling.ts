import {
  type ExpectedState,
  hasSnoozeLeft,
  lifetimeMs,
  type Person,
  type PersonState,
  type Prompt,
  type Tenant,
  type Visit,
} from './expected-state.ts';

interface Closing {
  readonly prompt: Prompt;
  /** From when its snooze runs, if it counts (A40, A41). */
  readonly fromMs: number;
}

/** Closes every prompt whose quarter of an hour is over by a time, each at its own end (A25, A40). */
export function expireBy(expected: ExpectedState, nowMs: number): ExpectedState {
  let after = expected;
  for (const person of expected.people.values()) {
    const due = person.prompts
      .filter(({ shownAtMs }) => shownAtMs + lifetimeMs <= nowMs)
      .sort((a, b) => a.shownAtMs - b.shownAtMs)
      .map((prompt) => ({ prompt, fromMs: prompt.leftAtMs ?? prompt.shownAtMs + lifetimeMs }));
    after = closeAll(after, person, due);
  }
  return after;
}

/** Closes what a person walked away from (A41), in the order of leaving. */
export function settleLeft(expected: ExpectedState, userId: string): ExpectedState {
  const person = expected.people.get(userId);
  if (person === undefined) return expected;
  const left = person.prompts.flatMap((prompt) =>
    prompt.leftAtMs === null ? [] : [{ prompt, fromMs: prompt.leftAtMs }],
  );
  return closeAll(
    expected,
    person,
    left.sort((a, b) => a.fromMs - b.fromMs),
  );
}

function closeAll(expected: ExpectedState, before: Person, closing: readonly Closing[]): ExpectedState {
  if (closing.length === 0) return expected;
  const visits = new Map(expected.visits);
  let person = before;
  for (const { prompt, fromMs } of closing) {
    const prompts = person.prompts.filter(({ id }) => id !== prompt.id);
    person = counts(prompt, person, expected.tenant)
      ? {
          ...person,
          prompts,
          count: person.count + 1,
          snoozedAtMs: Math.max(person.snoozedAtMs ?? 0, fromMs),
          state: 'snoozed',
        }
      : { ...person, prompts, state: atRest({ ...person, prompts }) };
    const visit = visits.get(prompt.id);
    if (visit !== undefined) visits.set(visit.id, ended(visit, prompt));
  }
  return { ...expected, visits, people: new Map(expected.people).set(person.id, person) };
}

/** R9, A10, A2, A42: closing counts, but not an error screen, not what was required, and not beyond the limit. */
function counts(prompt: Prompt, person: Person, tenant: Tenant): boolean {
  return !prompt.required && !prompt.failed && hasSnoozeLeft(person, tenant);
}

/** A38: anyone who was merely prompted is so no more, unless by another prompt. */
function atRest({ state, prompts }: Person): PersonState {
  if (state !== 'prompted') return state;
  return prompts.length > 0 ? 'prompted' : 'notPrompted';
}

function ended(visit: Visit, { required, failed }: Prompt): Visit {
  return { ...visit, screen: 'expired', stuck: required && !failed };
}
