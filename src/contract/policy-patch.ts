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
  formatValue,
  type ItemReader,
  leaf,
  list,
  type Reader,
  Refusals,
  readOnly,
  section,
  word,
} from './policy-reader.ts';

/** Effect of a PATCH: the policy after the change, and every problem. */
export interface PolicyChange {
  /** Policy after the PATCH. It is the same object as before if nothing changes. */
  readonly after: PolicySubject;
  readonly problems: readonly ValidationProblem[];
}

/** Function that evaluates PATCH bodies of one tenant. */
export type PolicyPatchReader = (body: unknown, current: PolicySubject) => PolicyChange;

/**
 * Creates the PATCH reader of a tenant. A PATCH can contain any part of the policy: objects are merged, lists are
 * replaced, and read-only values can be repeated. The reader checks everything except provider-managed settings (A17),
 * which the campaign machine decides.
 *
 * @param authenticatorWireName - the tenant's own name for the authenticator app; `vendorAuthenticator` is always
 *   accepted
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

/** Creates a reader of object ids. It accepts a GUID, the id that is already stored, and `all_users` where allowed. */
function objectId(everybody: 'may be meant' | 'is no object'): Reader<string> {
  const allowed = everybody === 'may be meant' ? `a GUID or "${allUsersId}"` : 'a GUID';
  return (given, current: string | undefined, place, refusals) => {
    if (typeof given === 'string') {
      if (current !== undefined && comparableId(given) === comparableId(current)) return current;
      if (isAllUsers(given) && everybody === 'may be meant') return allUsersId;
      if (guid.safeParse(given).success) return given;
    }
    const reason = typeof given === 'string' && isAllUsers(given) ? ' (A37)' : '';
    refusals.refuse(place, `${formatValue(given)} is not ${allowed}${reason}`);
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
      `${formatValue(target.targetType)} is not allowed with "${allUsersId}"; use "group"`,
    );
  }
}

const excludeTarget = element<ExcludeTarget>({ typeName: 'excludeTarget', readers: excludeReaders });

const preferenceTarget = element<ExcludeTarget>({
  typeName: 'includeTarget',
  readers: includeReaders,
  rule: everybodyIsAGroup,
});

/** Creates a reader of targeted methods. R15: only push notifications of the app and passkeys can be targeted. */
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

/**
 * Returns the identity of a target. It includes the type, because user ids and group ids are independent of each other.
 */
function targetIdentity(target: unknown): string | null {
  if (!isPlainObject(target)) return null;
  const { targetType: type, id } = target as Partial<Record<string, unknown>>;
  if (typeof type !== 'string' || typeof id !== 'string') return null;
  return `${type.toLowerCase()}:${comparableId(id)}`;
}

/** Rejects targets with different methods, because a campaign targets one method (R2, A16). */
function oneMethodOnly(includeTargets: readonly IncludeTarget[], place: string, refusals: Refusals): void {
  if (oneMethod(includeTargets)) return;
  const methods = [...new Set(includeTargets.map((target) => formatValue(target.targetedAuthenticationMethod)))].join(
    ' and ',
  );
  refusals.refuse(
    place,
    `targetedAuthenticationMethod is ${methods}; all targets of a campaign must use the same method (R2)`,
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
 * Reads the read-only time of the latest change. Times of earlier versions are also accepted, so a stored GET response
 * can be sent back after other changes. Clients format instants differently, so only the instant is compared.
 */
function readModified(given: unknown, current: PolicyModified, place: string, refusals: Refusals): PolicyModified {
  const givenMs = typeof given === 'string' && withOffset.test(given) ? parseInstant(given) : null;
  if (givenMs !== null && givenMs >= current.earliestMs && givenMs <= current.latestMs) return current;
  const times = `from ${toInstant(current.earliestMs)} to ${toInstant(current.latestMs)}`;
  refusals.refuse(
    place,
    `${formatValue(given)} is not a modification time of this policy, ${times}; the property is read-only`,
  );
  return current;
}
