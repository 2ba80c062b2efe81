import { isPlainObject } from '../../core/merge-patch.ts';
import type { Dialect } from '../directory-api/dialect.ts';
import type { ConfigurationFields } from './configuration-fields.ts';
import { type ConfigurationType, getConfigurationType } from './configuration-types.ts';
import type { MethodConfiguration } from './method-configuration.ts';

/** Parts of a response that the format of a configuration depends on. */
export interface WireForm {
  readonly dialect: Dialect;
  readonly isBeta: boolean;
  /** Converts the id of a user or of a group to the one in responses. */
  readonly toWireId: (targetType: string, id: string) => string;
}

/** Configuration in the format of responses. */
export type WireConfiguration = { readonly '@odata.type': string; readonly id: string } & Readonly<
  Record<string, unknown>
>;

/** Converts a configuration to the format of responses, with the properties in their order. */
export function toWireConfiguration(configuration: MethodConfiguration, form: WireForm): WireConfiguration {
  const type = getConfigurationType(configuration.id);
  const { id, state, excludeTargets, includeTargets } = configuration;
  const fields = Object.entries(pickFields(type.fields, configuration, form.isBeta));
  return withWireIds(
    {
      '@odata.type': form.dialect.toWireType(type.name),
      id: form.dialect.toWire(id),
      state,
      ...Object.fromEntries(fields),
      excludeTargets,
      includeTargets: includeTargets.map((target) => toWireTarget(type, target)),
    },
    form.toWireId,
  ) as WireConfiguration;
}

function toWireTarget(
  { targetFields }: ConfigurationType,
  target: MethodConfiguration['includeTargets'][number],
): object {
  const { targetType, id, isRegistrationRequired } = target;
  return { targetType, id, isRegistrationRequired, ...pickFields(targetFields, target, true) };
}

/** Returns the fields that the version has. */
function pickFields(
  fields: ConfigurationFields,
  values: Readonly<Record<string, unknown>>,
  isBeta: boolean,
): Readonly<Record<string, unknown>> {
  const shown = Object.entries(fields).filter(([, field]) => isBeta || field.isBeta !== true);
  return Object.fromEntries(
    shown.map(([name, { betaKeys = [], initial }]) => {
      const value = values[name] ?? initial;
      if (isBeta || betaKeys.length === 0 || !isPlainObject(value)) return [name, value];
      return [name, Object.fromEntries(Object.entries(value).filter(([key]) => !betaKeys.includes(key)))];
    }),
  );
}

/** Replaces the ids of targets anywhere in a value. */
export function withWireIds(value: unknown, toWireId: WireForm['toWireId']): unknown {
  if (Array.isArray(value)) return value.map((item) => withWireIds(item, toWireId));
  if (!isPlainObject(value)) return value;
  const { targetType, id } = value;
  const isTarget = typeof targetType === 'string' && typeof id === 'string';
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      isTarget && key === 'id' ? toWireId(targetType, id) : withWireIds(part, toWireId),
    ]),
  );
}

/** Name of the set of configurations in contexts, below the name of the policy. */
const setName = 'authenticationMethodConfigurations';

/** Annotation of the configurations in the policy, and its value below the URL of the metadata. */
export const configurationsContext = {
  name: `${setName}@odata.context`,
  fragment: `policies/authenticationMethodsPolicy/${setName}`,
} as const;

const contextPath = `authenticationMethodsPolicy/${setName}`.toLowerCase();

/** Returns `true` for a context of the configurations, or of a part of one, below any URL. */
export function isConfigurationContext(given: unknown): boolean {
  return typeof given === 'string' && given.toLowerCase().split('$metadata#').at(-1)?.includes(contextPath) === true;
}

/**
 * Adds the context of the include targets before them.
 *
 * @param policy - the URL of the metadata with the path of the policy
 */
export function withTargetContext({ includeTargets, ...before }: WireConfiguration, policy: string): WireConfiguration {
  const type = before['@odata.type'].slice(1);
  return {
    ...before,
    'includeTargets@odata.context': `${policy}/${setName}('${before.id}')/${type}/includeTargets`,
    includeTargets,
  } as WireConfiguration;
}
