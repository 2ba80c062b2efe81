import type { PasskeyPolicy } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface SelfServiceFacts {
  readonly tenant: { readonly methodsPolicy: { readonly fido2: Pick<PasskeyPolicy, 'selfService'> } };
}

/** R11.2: The "Allow self-service setup" setting of the passkey method is on. */
export const selfServiceRule: Rule<SelfServiceFacts> = {
  id: 'R11.2',
  summary: 'Passkey: self-service setup is allowed.',
  source: ['R11.2'],
  appliesTo: 'fido2',
  reads: ['tenant.methodsPolicy.fido2.selfService'],
  reasons: ['self-service-off'],
  evaluate: ({ tenant }) => {
    const saw = { selfService: tenant.methodsPolicy.fido2.selfService };
    return saw.selfService ? met(saw) : stopped('self-service-off', saw);
  },
};
