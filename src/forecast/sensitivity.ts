import type { ForecastDescription, PromptAnswers, SignInPattern } from '../contract/forecast.schema.ts';

/** Factors that an input is multiplied with in a sensitivity analysis. */
export const sensitivityFactors = { low: 0.8, high: 1.2 } as const;

/** Input of a description that a sensitivity analysis can change. */
export interface MovableInput {
  readonly name: string;
  /** Returns a description whose input is multiplied by a factor. Probabilities are limited to 1. */
  readonly moved: (description: ForecastDescription, factor: number) => ForecastDescription;
}

/** Inputs that a sensitivity analysis changes one at a time. */
export const movableInputs: readonly MovableInput[] = [
  {
    name: 'chance of a sign-in on each day',
    moved: (description, factor) =>
      withHabits(description, (habit) => ({ ...habit, weekdays: scaledAll(habit.weekdays, factor) })),
  },
  {
    name: 'likelihood of registering at a prompt with a skip',
    moved: (description, factor) =>
      withAnswers(description, (answers) => ({
        ...answers,
        skippable: answers.skippable.map((one) => leaning(one, 'register', factor)),
      })),
  },
  {
    name: 'likelihood of registering when it is required',
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
 * Multiplies one share and scales the others proportionally, so the sum remains 1. If the other shares are 0, the
 * first of them gets the remainder.
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
  return withBehavior(description, (behavior) =>
    behavior.signIn === undefined ? behavior : { ...behavior, signIn: change(behavior.signIn) },
  );
}

function withAnswers(
  description: ForecastDescription,
  change: (answers: PromptAnswers) => PromptAnswers,
): ForecastDescription {
  return withBehavior(description, (behavior) => {
    const { answers } = behavior;
    if (answers === undefined) return behavior;
    if ('skippable' in answers) return { ...behavior, answers: change(answers) };
    const { vendorAuthenticator, fido2 } = answers;
    return { ...behavior, answers: { vendorAuthenticator: change(vendorAuthenticator), fido2: change(fido2) } };
  });
}

type Behavior = ForecastDescription['defaults'];

function withBehavior(
  description: ForecastDescription,
  change: <B extends Behavior>(behavior: B) => B,
): ForecastDescription {
  return {
    ...description,
    defaults: change(description.defaults),
    segments: description.segments.map((segment) => change(segment)),
  };
}
