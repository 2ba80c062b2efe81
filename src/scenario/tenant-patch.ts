import { isPlainObject } from '../core/merge-patch.ts';

/** What a step changes of a tenant: its facts, and the settings that no rule reads. */
export interface TenantPatch {
  /** `null` where nothing of it is said. */
  readonly facts: Readonly<Record<string, unknown>> | null;
  readonly settings: Readonly<Record<string, unknown>> | null;
}

/** Takes what a step says of a tenant apart: `settings` stands beside the facts, as in a fixture. */
export function toTenantPatch(said: unknown): TenantPatch {
  if (!(isPlainObject(said) && 'settings' in said)) return { facts: isPlainObject(said) ? said : {}, settings: null };
  const { settings, ...facts } = said;
  return { facts: Object.keys(facts).length === 0 ? null : facts, settings: isPlainObject(settings) ? settings : {} };
}
