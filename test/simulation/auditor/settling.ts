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
  /** Start of the snooze in milliseconds, if the close counts (A40, A41). */
  readonly fromMs: number;
}

/** Closes every prompt whose lifetime ends by the given time, each at its own expiry (A25, A40). */
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

/** Settles the pending closes of a user, in the order in which the pages were closed (A41). */
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

/** R9, A10, A2, A42: closing counts, except for an error screen, a required prompt, or a user at the limit. */
function counts(prompt: Prompt, person: Person, tenant: Tenant): boolean {
  return !prompt.required && !prompt.failed && hasSnoozeLeft(person, tenant);
}

/** A38: a user who was only prompted returns to the previous state, unless another prompt is open. */
function atRest({ state, prompts }: Person): PersonState {
  if (state !== 'prompted') return state;
  return prompts.length > 0 ? 'prompted' : 'notPrompted';
}

function ended(visit: Visit, { required, failed }: Prompt): Visit {
  return { ...visit, screen: 'expired', stuck: required && !failed };
}
