import type { ReportOperationId } from '../../../contract/directory-api/method-operations.ts';
import {
  includedUserRoles,
  includedUserTypes,
  registrationTypes,
} from '../../../contract/directory-api/method-types.ts';
import type { ResourceType } from '../../../contract/directory-api/resource-type.ts';
import type { DirectoryCall, DirectoryHandler, OperationResult } from '../directory-call.ts';
import type { DirectoryObject, DirectoryView } from '../directory-view.ts';
import { badField } from './method-changes.ts';
import { findSubject, toSet, toSingleton } from './method-handlers.ts';
import { countRegistrations, type IncludedUsers, toRegistrationSet } from './registration-rows.ts';

/** Handlers of the reports on registration, by id. */
export const reportHandlers: Readonly<Record<ReportOperationId, DirectoryHandler>> = {
  listRegistrationDetails: ({ view }) => toSet(toRegistrationSet(view, view.users('userPrincipalName'))),
  getRegistrationDetails: (call) => {
    const row: DirectoryObject = { kind: 'user', user: findSubject(call).user };
    return toSet(toRegistrationSet(call.view, [row]));
  },
  countByFeature,
  countByMethod,
};

async function countByFeature(call: DirectoryCall): Promise<OperationResult> {
  const included = readIncluded(call);
  const { total, features } = await countRegistrations(call, included);
  return toSummary(call.view, registrationTypes.userRegistrationFeatureSummary, {
    ...included,
    totalUserCount: total,
    userRegistrationFeatureCounts: Object.entries(features).map(([feature, userCount]) => ({ feature, userCount })),
  });
}

async function countByMethod(call: DirectoryCall): Promise<OperationResult> {
  const included = readIncluded(call);
  const { total, methods } = await countRegistrations(call, included);
  return toSummary(call.view, registrationTypes.userRegistrationMethodSummary, {
    ...included,
    totalUserCount: total,
    userRegistrationMethodCounts: Array.from(methods, ([name, userCount]) => ({
      authenticationMethod: call.view.dialect.toWire(name),
      userCount,
    })),
  });
}

function toSummary(
  view: DirectoryView,
  type: ResourceType,
  values: Readonly<Record<string, unknown>>,
): OperationResult {
  return toSet(toSingleton(`${view.dialect.data.namespace}.${type.name}`, type, values));
}

function readIncluded({ params }: DirectoryCall): IncludedUsers {
  return {
    userTypes: readWord(params, 'includedUserTypes', includedUserTypes),
    userRoles: readWord(params, 'includedUserRoles', includedUserRoles),
  };
}

function readWord<Word extends string>(
  params: Readonly<Record<string, string>>,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const given = params[name];
  if (given === undefined) return words[0];
  const word = words.find((one) => one.toLowerCase() === given.toLowerCase());
  if (word !== undefined) return word;
  throw badField(name, `"${given.slice(0, 40)}" is not one of ${words.join(', ')}`);
}
