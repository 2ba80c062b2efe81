import type { PlainConfiguration } from '../../../contract/policy.schema.ts';
import type { SandboxState } from '../../../journal/state.ts';
import { getPlainConfiguration } from '../../method-configurations.ts';

type ConfigurationId = PlainConfiguration['id'];

/** Returns the configuration of a method that no rule reads. */
export function getConfiguration<Id extends ConfigurationId>(
  { extras }: Pick<SandboxState, 'extras'>,
  id: Id,
): Omit<Extract<PlainConfiguration, { id: Id }>, '@odata.type'> {
  return getPlainConfiguration(extras.configurations, id) as unknown as Extract<PlainConfiguration, { id: Id }>;
}
