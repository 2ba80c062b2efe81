import { z } from 'zod';

/** Schemas of the statecharts of the model and their coverage in a test run. */

const count = z.int().min(0);

const chartState = z.strictObject({
  /** Dot-separated path of the state in its machine. */
  id: z.string(),
  isInitial: z.boolean(),
  isFinal: z.boolean(),
  /** Page that the user sees in this state. `null` if the machine names none. */
  page: z.string().nullable(),
  rules: z.array(z.string()),
});

const chartTransition = z.strictObject({
  /** Position in the machine, from 1, which is the order in which the machine tries the transitions. */
  id: z.string(),
  /** Source state, or `any state` if the transition is defined on the machine itself. */
  from: z.string(),
  to: z.string(),
  event: z.string(),
  guard: z.string().nullable(),
  actions: z.array(z.string()),
  /** Rules and assumptions that the transition confirms, or otherwise those of its target state. */
  rules: z.array(z.string()),
});

/** All state machines with their states and transitions, generated from the machines themselves. */
export const machinesResponse = z.strictObject({
  machines: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      summary: z.string(),
      /** File that defines the machine. */
      source: z.string(),
      states: z.array(chartState),
      transitions: z.array(chartTransition),
    }),
  ),
});

/** Query of the current states. Unless specified, the user's latest sign-in and the latest document are used. */
export const machineStatesQuery = z.strictObject({
  user: z.string().min(1).max(256).optional(),
  signIn: z.string().min(1).max(64).optional(),
  document: z.coerce.number().int().min(1).optional(),
});

/** Current state of each machine. */
export const machineStatesResponse = z.strictObject({
  user: z.string().nullable(),
  states: z.array(
    z.strictObject({
      machine: z.string(),
      /** Current state. `null` if there is no sign-in or document that could have a state. */
      state: z.string().nullable(),
      /** Object that has this state, such as `sign-in s12`. */
      about: z.string(),
    }),
  ),
});

/** Maximum number of scenarios listed for one state or transition. */
export const chartScenariosMax = 50;

const taken = z.strictObject({
  id: z.string(),
  times: count,
  /** Ids of the first scenarios that reached it. */
  scenarios: z.array(z.string()),
  /** Number of scenarios that reached it. */
  scenarioCount: count,
});

/** Coverage of the machines in a test run. */
export const chartCoverageResponse = z.strictObject({
  run: z.string(),
  machines: z.array(
    z.strictObject({
      id: z.string(),
      /** Coverage that the driver can measure: transitions and states, only states, or nothing. */
      measured: z.enum(['transitions', 'states', 'nothing']),
      states: z.array(taken),
      transitions: z.array(taken),
    }),
  ),
});
