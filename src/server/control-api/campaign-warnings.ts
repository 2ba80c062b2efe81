import type { Facts, GateId, UserFacts, Warning } from '../../../machines/vocabulary.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import { userFactsSchema } from '../../contract/facts.schema.ts';
import type { SandboxState } from '../../journal/state.ts';

/** Gates about tenant and user alone: whatever the sign-in is like, these let a user be asked or not. */
const gatesOfUsers: readonly GateId[] = ['C1', 'S1', 'S2', 'S3', 'R11.5', 'R10.2', 'R10.3', 'R11.1', 'R11.2', 'R11.7'];

/** Users who are asked for before the question stays open: a view must not take longer the larger a tenant is. */
const usersAskedMax = 10_000;

/**
 * What is odd about a campaign as a whole: no include targets while it is enabled (A15), and no one whom it could ask.
 * Takes the state as of now; a campaign that is disabled is not odd.
 */
export function campaignWarnings(state: SandboxState): readonly Warning[] {
  if (state.campaign.state === 'disabled') return [];
  const ofTenant = state.model.evaluate(
    factsOf(state, userFactsSchema.parse({ id: 'nobody' })),
    state.ruleset,
  ).warnings;
  if (!reachesNobody(state)) return ofTenant;
  const message = `None of the ${state.users.size} users can be asked: scope or methods policy stops each of them.`;
  return [...ofTenant, { code: 'campaign-reaches-nobody', message }];
}

function reachesNobody(state: SandboxState): boolean {
  const { users, model, ruleset } = state;
  if (users.size === 0 || users.size > usersAskedMax) return false;
  return users.values().every(({ facts }) => {
    const { rules } = model.evaluate(factsOf(state, facts), ruleset);
    return rules.some(({ id, outcome }) => outcome === 'stopped' && gatesOfUsers.includes(id));
  });
}

function factsOf({ tenant, lastAtMs }: SandboxState, user: UserFacts): Facts {
  return { tenant, user, attempt: completeAttempt({}, user, lastAtMs) };
}
