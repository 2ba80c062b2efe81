import { targetsUser } from '../membership.ts';
import type { AuthenticatorPolicy, UserFacts } from '../vocabulary.ts';
import { met, notApplicable, type Rule, stopped } from './rule.ts';

interface AppModeFacts {
  readonly tenant: { readonly methodsPolicy: { readonly authenticator: Pick<AuthenticatorPolicy, 'includeTargets'> } };
  readonly user: Pick<UserFacts, 'id'>;
  readonly memberOf: ReadonlySet<string>;
}

/** R10.3: the authentication mode is any or push; with several matching targets one such target is enough (A24). */
export const appModeRule: Rule<AppModeFacts> = {
  id: 'R10.3',
  summary: 'App: the authentication mode is any or push.',
  source: ['R10.3', 'A24'],
  appliesTo: 'vendorAuthenticator',
  reads: ['tenant.methodsPolicy.authenticator.includeTargets', 'user.id', 'memberOf'],
  reasons: ['mode-passwordless'],
  judge: ({ tenant, user, memberOf }) => {
    const modes = tenant.methodsPolicy.authenticator.includeTargets
      .filter((target) => targetsUser(target, user.id, memberOf))
      .map((target) => target.authenticationMode);
    const saw = { modes };
    if (modes.length === 0) return notApplicable(saw);
    return modes.some((mode) => mode !== 'deviceBasedPush') ? met(saw) : stopped('mode-passwordless', saw);
  },
};
