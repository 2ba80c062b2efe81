import { createMachine } from 'xstate';
import type { Model } from '../../compiled/model.ts';

/** Group that the explored campaign excludes. */
export const excludedGroup = 'never-asked';

/** User classes with the facts that the rules receive, except for methods and snoozes. */
export const userClasses = {
  included: {},
  excluded: { groups: [excludedGroup] },
  guest: { type: 'guest' },
  notMfaCapable: { mfaCapable: false },
} as const;

export type UserClass = keyof typeof userClasses;

const states = Object.fromEntries(Object.keys(userClasses).map((name) => [name, {}]));
const moves = Object.fromEntries(Object.keys(userClasses).map((name) => [`became.${name}`, `.${name}`]));

/** Model of the user class. Any class can change into any other, as groups and accounts are changed. */
export const userModel: Model = {
  name: 'user',
  machine: createMachine({ id: 'user', initial: 'included', states, on: moves }),
  events: Object.keys(moves).map((type) => ({ type })),
};
