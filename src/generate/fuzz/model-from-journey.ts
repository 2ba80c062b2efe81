import type { WrittenStep } from '../../contract/scenario.schema.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import type { Journey } from '../journey.ts';
import { modelUser, type TestModel } from '../mutate/test-model.ts';

/** Prompt actions, which every model has, and waits, which the model finds by itself. */
const known = ['skip', 'next', 'register', 'failRegistration', 'skipError', 'closeBrowser', 'reload', 'advance'];

/**
 * Creates a test model from the content of a journey: the same initial state, the same types of sign-in and the same
 * other steps.
 * @param statesMax - maximum number of states in the model
 * @returns the model; `null` if the journey cannot be modeled, for example because it has several users
 */
export function createModelFromJourney(journey: Journey, statesMax: number): TestModel | null {
  const users = Object.keys(journey.given.users ?? {});
  if (users.length !== 1 || users[0] !== modelUser) return null;
  const said = (step: WrittenStep): readonly [string, unknown] => Object.entries(step)[0] as [string, unknown];
  const signIns = new Map<string, object>();
  const others = new Map<string, WrittenStep>();
  const tabs = new Set<string>();
  for (const step of journey.steps) {
    const [verb, value] = said(step);
    if (verb === 'signIn' && isPlainObject(value)) {
      const { user: _one, as = modelUser, ...attempt } = value;
      tabs.add(String(as));
      signIns.set(JSON.stringify(attempt), attempt);
    } else if (!known.includes(verb)) others.set(JSON.stringify(step), step);
  }
  if (tabs.size === 0) return null;
  return {
    name: journey.name,
    ...(journey.ruleset === undefined ? {} : { ruleset: journey.ruleset }),
    given: [journey.given],
    tabs: [...tabs],
    signIns: [...signIns.values()],
    others: [...others.values()],
    days: [1, 2, 3],
    waits: 'to-events',
    countMax: 6,
    statesMax,
  };
}
