import { z } from 'zod';
import type { ScalarProperty } from '../odata/filter-properties.ts';
import { noOptions, type QueryRow, singleRow } from '../odata/query-row.ts';
import { directoryAccess } from './access.ts';
import { configurationTypeNames } from './configuration-resources.ts';
import { type DescribedResource, resource } from './resource-operation.ts';

const { configurationReads, configurationWrites } = directoryAccess;

const equalTexts: ScalarProperty = { type: 'string', operators: ['eq', 'ne', 'in'] };

/** Configurations are few, so all of them are on one page unless `$top` requests fewer. */
const configurationRow: QueryRow = {
  page: { rows: Number.MAX_SAFE_INTEGER, rowsMax: 999 },
  filter: { id: equalTexts, state: equalTexts },
};

const path = '/policies/authenticationMethodsPolicy/authenticationMethodConfigurations';

function configurations(described: Pick<DescribedResource, 'summary' | 'row' | 'result'>): DescribedResource {
  return { ...described, access: configurationReads, types: configurationTypeNames, isVersioned: true };
}

/** Parts of a configuration, whose type has its fields. */
const body = z.record(z.string(), z.unknown());

/** Operations on the configurations of authentication methods. */
export const configurationOperations = {
  listConfigurations: resource(
    `GET ${path}`,
    configurations({
      summary: 'Lists the configurations of the authentication methods.',
      row: configurationRow,
      result: 'list',
    }),
  ),
  getConfiguration: resource(
    `GET ${path}/{configuration}`,
    configurations({ summary: 'Returns one configuration, by id in any case.', row: singleRow, result: 'object' }),
  ),
  updateConfiguration: resource(`PATCH ${path}/{configuration}`, {
    ...configurations({
      summary:
        'Changes a configuration; objects are merged, and lists are replaced. The body must name its `@odata.type`.',
      row: noOptions,
      result: 'nothing',
    }),
    access: configurationWrites,
    body,
  }),
  resetConfiguration: resource(`DELETE ${path}/{configuration}`, {
    ...configurations({
      summary: 'Resets a configuration to its default, or removes that of an external method.',
      row: noOptions,
      result: 'nothing',
    }),
    access: configurationWrites,
  }),
  addConfiguration: resource(`POST ${path}`, {
    ...configurations({ summary: 'Adds the configuration of an external method.', row: noOptions, result: 'object' }),
    access: configurationWrites,
    types: ['externalAuthenticationMethodConfiguration'],
    body,
    statuses: [201],
  }),
} as const;

export type ConfigurationOperationId = keyof typeof configurationOperations;
