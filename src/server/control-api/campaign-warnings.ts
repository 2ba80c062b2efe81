import type { Facts, RuleId, UserFacts, Warning } from '../../../machines/vocabulary.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import { userFactsSchema } from '../../contract/facts.schema.ts';
import type { SandboxState } from '../../journal/state.ts';

/** Gates that depend only on tenant and user. If one stops, no sign-in context leads to a prompt. */
const gatesOfUsers: readonly RuleId[] = ['C1', 'S1', 'S2', 'S3', 'R11.5', 'R10.2', 'R10.3', 'R11.1', 'R11.2', 'R11.7'];

/** Maximum number of users that are evaluated. Larger tenants are not checked, so the response time stays bounded. */
const evaluatedUsersMax = 10_000;

/**
 * Lists problems of a campaign as a whole: it is enabled without include targets (A15), or it cannot prompt any user. A
 * disabled campaign has no warnings.
 *
 * @param state - current state of the sandbox
 */
export function campaignWarnings(state: SandboxState): readonly Warning[] {
  if (state.campaign.state === 'disabled') return [];
  const ofTenant = state.model.evaluate(
    createFacts(state, userFactsSchema.parse({ id: 'nobody' })),
    state.ruleset,
  ).warnings;
  if (!reachesNobody(state)) return ofTenant;
  const message = `None of the ${state.users.size} users can be prompted: scope or methods policy excludes all of them.`;
  return [...ofTenant, { code: 'campaign-reaches-nobody', message }];
}

function reachesNobody(state: SandboxState): boolean {
  const { users, model, ruleset } = state;
  if (users.size === 0 || users.size > evaluatedUsersMax) return false;
  return users.values().every(({ facts }) => {
    const { rules } = model.evaluate(createFacts(state, facts), ruleset);
    return rules.some(({ id, outcome }) => outcome === 'stopped' && gatesOfUsers.includes(id));
  });
}

function createFacts({ tenant, lastAtMs }: SandboxState, user: UserFacts): Facts {
  return { tenant, user, attempt: completeAttempt({}, user, lastAtMs) };
}
