import { FactSpace } from '../../compiled/fact-space.ts';
import { axesBase, contextAxes, deviceAxes, policyAxes, userAxes } from './eligibility-axes.ts';
import { givenFacts } from './given-facts.ts';

const axes = [...policyAxes, ...userAxes, ...contextAxes, ...deviceAxes];

/** Axes that the first gates read: with these in front, one stop settles many combinations at once. */
const first = ['campaign', 'scope', 'methods', 'sign-in context'];

/** Creates the space of policy, user, device, browser and sign-in context combinations for eligibility checks. */
export function eligibilitySpace(): FactSpace {
  const inFront = first.flatMap((name) => axes.filter((axis) => axis.name === name));
  return new FactSpace(givenFacts(axesBase), [...inFront, ...axes.filter((axis) => !inFront.includes(axis))]);
}
