import { z } from 'zod';
import { targetTypes } from '../../../machines/vocabulary.ts';
import { type ConfigurationTypeName, configurationTypes } from '../method-configurations/configuration-types.ts';
import type { ResourceType } from './resource-type.ts';

/** Names of the types of configurations. */
export const configurationTypeNames: readonly ConfigurationTypeName[] = configurationTypes.map(({ name }) => name);

/** Name of their base type. */
const configurationBase = 'authenticationMethodConfiguration';

const target = { targetType: z.enum(targetTypes), id: z.string() };

/** Types of configurations as resources of the directory API, by name. */
export const configurationResources = Object.fromEntries(
  configurationTypes.map(({ name, fields, targetFields }): [string, ResourceType] => {
    const entries = Object.entries(fields);
    const listShown = (isBeta: boolean) =>
      entries.filter(([, field]) => (field.isBeta === true) === isBeta).map(([key]) => key);
    const schemas = (given: typeof fields) =>
      Object.fromEntries(Object.entries(given).map(([key, { schema }]) => [key, schema]));
    const schema = z.strictObject({
      id: z.string(),
      state: z.enum(['enabled', 'disabled']),
      ...schemas(fields),
      excludeTargets: z.array(z.strictObject(target)).readonly(),
      includeTargets: z
        .array(z.strictObject({ ...target, isRegistrationRequired: z.boolean(), ...schemas(targetFields) }))
        .readonly(),
    });
    const shown = ['id', 'state', ...listShown(false), 'excludeTargets', 'includeTargets'];
    return [name, { name, schema, base: configurationBase, shown, shownInBeta: listShown(true) }];
  }),
) as Readonly<Record<ConfigurationTypeName, ResourceType>>;
