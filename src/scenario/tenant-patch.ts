import { isPlainObject } from '../core/merge-patch.ts';

/** Changes that a step makes to a tenant: to its facts, and to the settings that no rule reads. */
export interface TenantPatch {
  /** Changed facts, or `null` if the step changes none. */
  readonly facts: Readonly<Record<string, unknown>> | null;
  readonly settings: Readonly<Record<string, unknown>> | null;
}

/** Separates the facts and settings in a step. As in a fixture, `settings` is a key next to the facts. */
export function toTenantPatch(said: unknown): TenantPatch {
  if (!(isPlainObject(said) && 'settings' in said)) return { facts: isPlainObject(said) ? said : {}, settings: null };
  const { settings, ...facts } = said;
  return { facts: Object.keys(facts).length === 0 ? null : facts, settings: isPlainObject(settings) ? settings : {} };
}
