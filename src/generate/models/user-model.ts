import { createMachine } from 'xstate';
import type { Model } from '../../compiled/model.ts';

/** The group that the explored campaign excludes. */
export const excludedGroup = 'never-asked';

/** The users that are told apart: what the rules are told of them besides their methods and snoozes. */
export const userClasses = {
  included: {},
  excluded: { groups: [excludedGroup] },
  guest: { type: 'guest' },
  notMfaCapable: { mfaCapable: false },
} as const;

export type UserClass = keyof typeof userClasses;

const states = Object.fromEntries(Object.keys(userClasses).map((name) => [name, {}]));
const moves = Object.fromEntries(Object.keys(userClasses).map((name) => [`became.${name}`, `.${name}`]));

/** Which of the users it is; any of them can become any other one, as groups and accounts are changed. */
export const userModel: Model = {
  name: 'user',
  machine: createMachine({ id: 'user', initial: 'included', states, on: moves }),
  events: Object.keys(moves).map((type) => ({ type })),
};
