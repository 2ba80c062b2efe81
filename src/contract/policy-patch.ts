import { z } from 'zod';
import { snoozeDaysMax, snoozeDaysMin } from '../../machines/campaign-limits.ts';
import { allUsersId, comparableId, isAllUsers } from '../../machines/membership.ts';
import {
  campaignStateSettings,
  type ExcludeTarget,
  type IncludeTarget,
  type TargetedMethod,
  targetedMethods,
  targetTypes,
} from '../../machines/vocabulary.ts';
import { parseInstant, toInstant } from '../core/clock.ts';
import type { ValidationProblem } from '../core/errors.ts';
import { policyTargetsMax } from '../core/limits.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { oneMethod } from './facts.schema.ts';
import {
  type ConcreteCampaign,
  campaignSectionSchema,
  featureStates,
  migrationStates,
  type PolicyModified,
  type PolicySubject,
  suspiciousActivitySchema,
  voiceReportingCodeMax,
  voiceReportingCodeMin,
} from './policy.schema.ts';
import { isContextFor } from './policy-query.ts';
import {
  element,
  type ItemReader,
  leaf,
  list,
  type Reader,
  Refusals,
  readOnly,
  section,
  shown,
  word,
} from './policy-reader.ts';

/** What a PATCH would lead to, and everything that is wrong with it. */
export interface PolicyChange {
  /** The very policy that the PATCH was read against when it changes nothing. */
  readonly after: PolicySubject;
  readonly problems: readonly ValidationProblem[];
}

/** Reads PATCHes of one tenant. */
export type PolicyPatchReader = (body: unknown, current: PolicySubject) => PolicyChange;

/**
 * The reader of PATCHes for a tenant. Takes the tenant's own word for the authenticator app; `vendorAuthenticator` is
 * understood besides. Any part of the policy may be given: objects merge, lists replace, what is read-only may be repeated.
 * It evaluates all but what the provider manages (A17), which the campaign machine decides.
 */
export function policyPatchReader(authenticatorWireName: string): PolicyPatchReader {
  const read = policyReader(methodReader(authenticatorWireName));
  return (body, current) => {
    const refusals = new Refusals();
    const after = read(body, current, '', refusals);
    return { after, problems: refusals.problems };
  };
}

const guid = z.guid();

/** Objects that the policy names before and after: a GUID, an id that stands there already, or everyone where that is meant. */
function objectId(everybody: 'may be meant' | 'is no object'): Reader<string> {
  const allowed = everybody === 'may be meant' ? `a GUID or "${allUsersId}"` : 'a GUID';
  return (given, current: string | undefined, place, refusals) => {
    if (typeof given === 'string') {
      if (current !== undefined && comparableId(given) === comparableId(current)) return current;
      if (isAllUsers(given) && everybody === 'may be meant') return allUsersId;
      if (guid.safeParse(given).success) return given;
    }
    const reason = typeof given === 'string' && isAllUsers(given) ? ' (A37)' : '';
    refusals.refuse(place, `${shown(given)} is not ${allowed}${reason}`);
    return current as string;
  };
}

const targetType = word(targetTypes);

const excludeReaders = { targetType, id: objectId('is no object') };
const includeReaders = { targetType, id: objectId('may be meant') };

function everybodyIsAGroup(target: ExcludeTarget, place: string, refusals: Refusals): void {
  if (isAllUsers(target.id) && target.targetType !== 'group') {
    refusals.refuse(
      `${place}.targetType`,
      `${shown(target.targetType)} does not go with "${allUsersId}", "group" does`,
    );
  }
}

const excludeTarget = element<ExcludeTarget>({ typeName: 'excludeTarget', readers: excludeReaders });

const preferenceTarget = element<ExcludeTarget>({
  typeName: 'includeTarget',
  readers: includeReaders,
  rule: everybodyIsAGroup,
});

/** R15: the app's push and passkeys can be targeted and nothing else. */
function methodReader(authenticatorWireName: string): Reader<TargetedMethod> {
  return word(targetedMethods, new Map([[authenticatorWireName, 'vendorAuthenticator']]));
}

function campaignTarget(targetedAuthenticationMethod: Reader<TargetedMethod>): ItemReader<IncludeTarget> {
  return element<IncludeTarget>({
    typeName: 'authenticationMethodsRegistrationCampaignIncludeTarget',
    readers: { ...includeReaders, targetedAuthenticationMethod },
    rule: everybodyIsAGroup,
  });
}

function targets<T extends ExcludeTarget>(
  item: ItemReader<T>,
  rule?: (targets: readonly T[], place: string, refusals: Refusals) => void,
): Reader<readonly T[]> {
  return list<T>({
    item,
    identityOf: targetIdentity,
    itemsMax: policyTargetsMax,
    ...(rule === undefined ? {} : { rule }),
  });
}

/** Ids of users and groups are apart: a user's id that is stored is not known as a group's. */
function targetIdentity(target: unknown): string | null {
  if (!isPlainObject(target)) return null;
  const { targetType: type, id } = target as Partial<Record<string, unknown>>;
  if (typeof type !== 'string' || typeof id !== 'string') return null;
  return `${type.toLowerCase()}:${comparableId(id)}`;
}

/** R2, A16: a campaign has one method. */
function oneMethodOnly(includeTargets: readonly IncludeTarget[], place: string, refusals: Refusals): void {
  if (oneMethod(includeTargets)) return;
  const methods = [...new Set(includeTargets.map((target) => shown(target.targetedAuthenticationMethod)))].join(
    ' and ',
  );
  refusals.refuse(
    place,
    `targetedAuthenticationMethod is ${methods}; a campaign targets one method at a time, the same in every target (R2)`,
  );
}

function campaignReader(method: Reader<TargetedMethod>): Reader<ConcreteCampaign> {
  const { snoozeDurationInDays, enforceRegistrationAfterAllowedSnoozes } = campaignSectionSchema.shape;
  return section<ConcreteCampaign>({
    typeName: 'authenticationMethodsRegistrationCampaign',
    readers: {
      snoozeDurationInDays: leaf(snoozeDurationInDays, `a whole number from ${snoozeDaysMin} to ${snoozeDaysMax}`),
      enforceRegistrationAfterAllowedSnoozes: leaf(enforceRegistrationAfterAllowedSnoozes, 'true or false'),
      state: word(campaignStateSettings),
      excludeTargets: targets(excludeTarget),
      includeTargets: targets(campaignTarget(method), oneMethodOnly),
    },
  });
}

const suspiciousActivityReader = section<PolicySubject['reportSuspiciousActivitySettings']>({
  typeName: 'reportSuspiciousActivitySettings',
  readers: {
    state: word(featureStates),
    voiceReportingCode: leaf(
      suspiciousActivitySchema.shape.voiceReportingCode,
      `a whole number from ${voiceReportingCodeMin} to ${voiceReportingCodeMax}`,
    ),
    includeTarget: section<ExcludeTarget>({
      typeName: 'includeTarget',
      readers: includeReaders,
      rule: everybodyIsAGroup,
    }),
  },
});

const credentialPreferencesReader = section<PolicySubject['systemCredentialPreferences']>({
  typeName: 'systemCredentialPreferences',
  readers: {
    state: word(featureStates),
    excludeTargets: targets(excludeTarget),
    includeTargets: targets(preferenceTarget),
  },
});

function policyReader(method: Reader<TargetedMethod>): Reader<PolicySubject> {
  return section<PolicySubject>({
    typeName: 'authenticationMethodsPolicy',
    readers: {
      '@odata.context': readOnly(isContextFor),
      id: readOnly(),
      displayName: readOnly(),
      description: readOnly(),
      lastModifiedDateTime: readModified,
      policyVersion: readOnly(),
      policyMigrationState: word(migrationStates),
      registrationEnforcement: section<PolicySubject['registrationEnforcement']>({
        typeName: 'registrationEnforcement',
        readers: { authenticationMethodsRegistrationCampaign: campaignReader(method) },
      }),
      reportSuspiciousActivitySettings: suspiciousActivityReader,
      systemCredentialPreferences: credentialPreferencesReader,
      authenticationMethodConfigurations: readOnly(),
    },
  });
}

const withOffset = /(?:z|[+-]\d\d:\d\d)$/i;

/**
 * The time of a change is read-only: the last one is accepted, and that of an earlier version, so that a stored GET can be sent
 * back after other changes. Clients that parse instants write them back in their own way; the moment is what counts.
 */
function readModified(given: unknown, current: PolicyModified, place: string, refusals: Refusals): PolicyModified {
  const givenMs = typeof given === 'string' && withOffset.test(given) ? parseInstant(given) : null;
  if (givenMs !== null && givenMs >= current.earliestMs && givenMs <= current.latestMs) return current;
  const times = `from ${toInstant(current.earliestMs)} to ${toInstant(current.latestMs)}`;
  refusals.refuse(place, `${shown(given)} is no time of a change of this policy, ${times}; the property is read-only`);
  return current;
}
