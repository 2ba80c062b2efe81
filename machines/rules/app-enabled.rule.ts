import { methodEnablement } from '../membership.ts';
import type { AuthenticatorPolicy, UserFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface AppEnabledFacts {
  readonly tenant: { readonly methodsPolicy: { readonly authenticator: AuthenticatorPolicy } };
  readonly user: Pick<UserFacts, 'id'>;
  readonly memberOf: ReadonlySet<string>;
}

/**
 * R10.2: The authentication methods policy enables the authenticator app for the user. An exclusion takes
 * precedence.
 */
export const appEnabledRule: Rule<AppEnabledFacts> = {
  id: 'R10.2',
  summary: 'App: the authentication methods policy allows the app for the user.',
  source: ['R10.2', 'A14'],
  appliesTo: 'vendorAuthenticator',
  reads: ['tenant.methodsPolicy.authenticator', 'user.id', 'memberOf'],
  reasons: ['method-not-enabled'],
  evaluate: ({ tenant, user, memberOf }) => {
    const { enabled, ...saw } = methodEnablement(tenant.methodsPolicy.authenticator, user.id, memberOf);
    return enabled ? met(saw) : stopped('method-not-enabled', saw);
  },
};
