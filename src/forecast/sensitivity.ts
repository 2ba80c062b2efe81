import type { ForecastDescription, PromptAnswers, SignInPattern } from '../contract/forecast.schema.ts';

/** How far an input is moved: down to and up to these parts of itself. */
export const sensitivityFactors = { low: 0.8, high: 1.2 } as const;

/** An input of a description that can be moved. */
export interface MovableInput {
  readonly name: string;
  /** The description with the input moved to a part of itself; chances stay below one. */
  readonly moved: (description: ForecastDescription, factor: number) => ForecastDescription;
}

/** Every input that a sensitivity moves, one at a time. */
export const movableInputs: readonly MovableInput[] = [
  {
    name: 'chance of a sign-in on each day',
    moved: (description, factor) =>
      withHabits(description, (habit) => ({ ...habit, weekdays: scaledAll(habit.weekdays, factor) })),
  },
  {
    name: 'willingness to register at a prompt with a skip',
    moved: (description, factor) =>
      withAnswers(description, (answers) => ({
        ...answers,
        skippable: answers.skippable.map((one) => leaning(one, 'register', factor)),
      })),
  },
  {
    name: 'willingness to register when it is required',
    moved: (description, factor) =>
      withAnswers(description, (answers) => ({
        ...answers,
        required: answers.required.map((one) => leaning(one, 'register', factor)),
      })),
  },
  {
    name: 'registrations that fail',
    moved: (description, factor) =>
      withAnswers(description, (answers) => ({
        ...answers,
        failure: answers.failure.map((one) => Math.min(1, one * factor)),
      })),
  },
  {
    name: 'retries after a failure',
    moved: (description, factor) =>
      withAnswers(description, (answers) => ({
        ...answers,
        onFailure: leaning(answers.onFailure, 'retry', factor),
      })),
  },
];

/**
 * Moves one share and lets the others make room in proportion, so that all still come to one; where there were none, the first of
 * them takes the room.
 */
function leaning<T extends Record<K, number>, K extends string>(shares: T, key: K, factor: number): T {
  const before = shares[key];
  const after = Math.min(1, before * factor);
  const others = Object.keys(shares).filter((name) => name !== key);
  const moved = others.map((name, place) => {
    const share = (shares as Readonly<Record<string, number>>)[name] ?? 0;
    const alone = place === 0 ? 1 - after : 0;
    return [name, before === 1 ? alone : share * ((1 - after) / (1 - before))];
  });
  return { ...shares, ...Object.fromEntries(moved), [key]: after };
}

function scaledAll<T extends object>(chances: T, factor: number): T {
  return Object.fromEntries(Object.entries(chances).map(([day, chance]) => [day, Math.min(1, chance * factor)])) as T;
}

function withHabits(
  description: ForecastDescription,
  change: (habit: SignInPattern) => SignInPattern,
): ForecastDescription {
  return withBehavior(description, (held) =>
    held.signIn === undefined ? held : { ...held, signIn: change(held.signIn) },
  );
}

function withAnswers(
  description: ForecastDescription,
  change: (answers: PromptAnswers) => PromptAnswers,
): ForecastDescription {
  return withBehavior(description, (held) => {
    const { answers } = held;
    if (answers === undefined) return held;
    if ('skippable' in answers) return { ...held, answers: change(answers) };
    const { vendorAuthenticator, fido2 } = answers;
    return { ...held, answers: { vendorAuthenticator: change(vendorAuthenticator), fido2: change(fido2) } };
  });
}

type Behavior = ForecastDescription['defaults'];

function withBehavior(
  description: ForecastDescription,
  change: <B extends Behavior>(held: B) => B,
): ForecastDescription {
  return {
    ...description,
    defaults: change(description.defaults),
    segments: description.segments.map((segment) => change(segment)),
  };
}
