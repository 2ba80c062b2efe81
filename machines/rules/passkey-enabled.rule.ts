import { methodEnablement } from '../membership.ts';
import type { PasskeyPolicy, UserFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface PasskeyEnabledFacts {
  readonly tenant: {
    readonly methodsPolicy: { readonly fido2: Pick<PasskeyPolicy, 'state' | 'includeTargets' | 'excludeTargets'> };
  };
  readonly user: Pick<UserFacts, 'id'>;
  readonly memberOf: ReadonlySet<string>;
}

/** R11.1: The authentication methods policy enables passkeys for this user. An exclusion takes precedence. */
export const passkeyEnabledRule: Rule<PasskeyEnabledFacts> = {
  id: 'R11.1',
  summary: 'Passkey: the authentication methods policy allows passkeys for the user.',
  source: ['R11.1', 'A14'],
  appliesTo: 'fido2',
  reads: [
    'tenant.methodsPolicy.fido2.state',
    'tenant.methodsPolicy.fido2.includeTargets',
    'tenant.methodsPolicy.fido2.excludeTargets',
    'user.id',
    'memberOf',
  ],
  reasons: ['method-not-enabled'],
  evaluate: ({ tenant, user, memberOf }) => {
    const { enabled, ...saw } = methodEnablement(tenant.methodsPolicy.fido2, user.id, memberOf);
    return enabled ? met(saw) : stopped('method-not-enabled', saw);
  },
};
