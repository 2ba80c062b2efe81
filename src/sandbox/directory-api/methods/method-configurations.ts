import type { PlainConfiguration } from '../../../contract/policy.schema.ts';
import { methodConfigurations } from '../../../contract/policy-methods.ts';
import type { SandboxState } from '../../../journal/state.ts';

type ConfigurationId = PlainConfiguration['id'];

/** Returns the configuration of a method that no rule reads. */
export function getConfiguration<Id extends ConfigurationId>(
  { tenant, settings }: Pick<SandboxState, 'tenant' | 'settings'>,
  id: Id,
): Extract<PlainConfiguration, { id: Id }> {
  const configurations = methodConfigurations(tenant.methodsPolicy, settings.authenticatorWireName);
  return configurations.find((one) => one.id === id) as Extract<PlainConfiguration, { id: Id }>;
}
