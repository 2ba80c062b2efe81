import { methodEnablement, targetsUser } from '../membership.ts';
import type { AuthenticatorPolicy, UserFacts } from '../vocabulary.ts';
import { met, notApplicable, type Rule, stopped } from './rule.ts';

interface AppModeFacts {
  readonly tenant: { readonly methodsPolicy: { readonly authenticator: AuthenticatorPolicy } };
  readonly user: Pick<UserFacts, 'id'>;
  readonly memberOf: ReadonlySet<string>;
}

/**
 * R10.3: The authentication mode is any or push. With several matching targets, one such target is sufficient
 * (A24). Without access to the app through the policy (R10.2), a user has no mode.
 */
export const appModeRule: Rule<AppModeFacts> = {
  id: 'R10.3',
  summary: 'App: the authentication mode is any or push.',
  source: ['R10.3', 'A24'],
  appliesTo: 'vendorAuthenticator',
  reads: ['tenant.methodsPolicy.authenticator', 'user.id', 'memberOf'],
  reasons: ['mode-passwordless'],
  evaluate: ({ tenant, user, memberOf }) => {
    const policy = tenant.methodsPolicy.authenticator;
    const { enabled } = methodEnablement(policy, user.id, memberOf);
    if (!enabled) return notApplicable({ enabled });
    const modes = policy.includeTargets
      .filter((target) => targetsUser(target, user.id, memberOf))
      .map((target) => target.authenticationMode);
    const saw = { modes };
    return modes.some((mode) => mode !== 'deviceBasedPush') ? met(saw) : stopped('mode-passwordless', saw);
  },
};
