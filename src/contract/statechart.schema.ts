import { z } from 'zod';

/** The machines of the model as statecharts, and what a run took of them. */

const count = z.int().min(0);

const chartState = z.strictObject({
  /** Path of the state in its machine, with dots. */
  id: z.string(),
  isInitial: z.boolean(),
  isFinal: z.boolean(),
  /** The page that a person sees there; `null` where the machine names none. */
  page: z.string().nullable(),
  rules: z.array(z.string()),
});

const chartTransition = z.strictObject({
  /** Its place in the machine, from 1: the order in which the machine tries them. */
  id: z.string(),
  /** The state that it leaves; `any state` where it is of the machine itself. */
  from: z.string(),
  to: z.string(),
  event: z.string(),
  guard: z.string().nullable(),
  actions: z.array(z.string()),
  /** Rules and assumptions that are seen by it, or else those of the state that it leads to. */
  rules: z.array(z.string()),
});

/** Every machine with its states and transitions, read off the machine itself. */
export const machinesResponse = z.strictObject({
  machines: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      summary: z.string(),
      /** The file that states it. */
      source: z.string(),
      states: z.array(chartState),
      transitions: z.array(chartTransition),
    }),
  ),
});

/** Whose states are asked for: a user, with the latest sign-in of theirs and the latest document unless others are named. */
export const machineStatesQuery = z.strictObject({
  user: z.string().min(1).max(256).optional(),
  signIn: z.string().min(1).max(64).optional(),
  document: z.coerce.number().int().min(1).optional(),
});

/** The state that each machine is in now. */
export const machineStatesResponse = z.strictObject({
  user: z.string().nullable(),
  states: z.array(
    z.strictObject({
      machine: z.string(),
      /** `null` where there is nothing that could be in a state: no one has signed in, there is no document. */
      state: z.string().nullable(),
      /** Of what it is the state, such as `sign-in s12`. */
      about: z.string(),
    }),
  ),
});

/** Scenarios that are named for one state or transition; there may be more. */
export const chartScenariosMax = 50;

const taken = z.strictObject({
  id: z.string(),
  times: count,
  /** Scenarios that took it, by their ids: the first of them. */
  scenarios: z.array(z.string()),
  /** How many scenarios took it. */
  scenarioCount: count,
});

/** What a run took of the machines. */
export const chartCoverageResponse = z.strictObject({
  run: z.string(),
  machines: z.array(
    z.strictObject({
      id: z.string(),
      /** What a run of this driver can tell: everything, states alone, or nothing. */
      measured: z.enum(['transitions', 'states', 'nothing']),
      states: z.array(taken),
      transitions: z.array(taken),
    }),
  ),
});
