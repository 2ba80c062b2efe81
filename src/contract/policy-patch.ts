import { snoozeDaysMax, snoozeDaysMin } from '../../machines/campaign-limits.ts';
import {
  campaignStateSettings,
  type ExcludeTarget,
  type IncludeTarget,
  type TargetedMethod,
  targetedMethods,
} from '../../machines/vocabulary.ts';
import { parseInstant, toInstant } from '../core/clock.ts';
import type { ValidationProblem } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import type { Dialect } from './directory-api/dialect.ts';
import { oneMethod } from './facts.schema.ts';
import { configurationsContext, isConfigurationContext } from './method-configurations/wire-configuration.ts';
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
  type Reader,
  Refusals,
  readOnly,
  repeats,
  section,
  word,
} from './policy-reader.ts';
import { createTargetReaders, everybodyIsAGroup, type ResolveId, type TargetReaders } from './policy-targets.ts';

/** Effect of a PATCH: the policy after the change, and every problem. */
export interface PolicyChange {
  /** Policy after the PATCH. It is the same object as before if nothing changes. */
  readonly after: PolicySubject;
  readonly problems: readonly ValidationProblem[];
}

/** Function that evaluates PATCH bodies of one tenant. */
export type PolicyPatchReader = (body: unknown, current: PolicySubject) => PolicyChange;

/** Names by which the PATCH bodies of a tenant refer to methods and objects. */
export interface PatchNames {
  /** Dialect of the tenant. The words of the specification are always accepted. */
  readonly dialect: Dialect;
  readonly resolveId: ResolveId;
  /** `true` to reject the properties that only `/beta` has. */
  readonly isV1Only?: boolean;
}

/**
 * Creates the PATCH reader of a tenant. A PATCH can contain any part of the policy: objects are merged, lists are
 * replaced, and read-only values can be repeated. The reader checks everything except provider-managed settings (A17),
 * which the campaign machine decides.
 */
export function policyPatchReader(names: PatchNames): PolicyPatchReader {
  const read = policyReader(names);
  return (body, current) => {
    const refusals = new Refusals();
    const after = read(body, current, '', refusals);
    return { after, problems: refusals.problems };
  };
}

/** Creates a reader of targeted methods. R15: only push notifications of the app and passkeys can be targeted. */
function methodReader({ authenticator }: Dialect): Reader<TargetedMethod> {
  return word(targetedMethods, new Map([[authenticator, 'vendorAuthenticator']]));
}

function campaignTarget({ targetType, id }: TargetReaders, dialect: Dialect): ItemReader<IncludeTarget> {
  return element<IncludeTarget>({
    typeName: 'authenticationMethodsRegistrationCampaignIncludeTarget',
    readers: { targetType, id, targetedAuthenticationMethod: methodReader(dialect) },
    rule: everybodyIsAGroup,
  });
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

function campaignReader(targets: TargetReaders, { dialect, isV1Only = false }: PatchNames): Reader<ConcreteCampaign> {
  const { snoozeDurationInDays, enforceRegistrationAfterAllowedSnoozes } = campaignSectionSchema.shape;
  return section<ConcreteCampaign>({
    typeName: 'authenticationMethodsRegistrationCampaign',
    readers: {
      snoozeDurationInDays: leaf(snoozeDurationInDays, `a whole number from ${snoozeDaysMin} to ${snoozeDaysMax}`),
      enforceRegistrationAfterAllowedSnoozes: isV1Only
        ? onlyBeta
        : leaf(enforceRegistrationAfterAllowedSnoozes, 'true or false'),
      state: word(campaignStateSettings),
      excludeTargets: targets.list(targets.excludeTarget),
      includeTargets: targets.list(campaignTarget(targets, dialect), oneMethodOnly),
    },
  });
}

function suspiciousActivityReader({
  single,
}: TargetReaders): Reader<PolicySubject['reportSuspiciousActivitySettings']> {
  return section<PolicySubject['reportSuspiciousActivitySettings']>({
    typeName: 'reportSuspiciousActivitySettings',
    readers: {
      state: word(featureStates),
      voiceReportingCode: leaf(
        suspiciousActivitySchema.shape.voiceReportingCode,
        `a whole number from ${voiceReportingCodeMin} to ${voiceReportingCodeMax}`,
      ),
      includeTarget: single('includeTarget'),
    },
  });
}

function credentialPreferencesReader(targets: TargetReaders): Reader<PolicySubject['systemCredentialPreferences']> {
  const { targetType, id, excludeTarget } = targets;
  return section<PolicySubject['systemCredentialPreferences']>({
    typeName: 'systemCredentialPreferences',
    readers: {
      state: word(featureStates),
      excludeTargets: targets.list(excludeTarget),
      includeTargets: targets.list(
        element<ExcludeTarget>({ typeName: 'includeTarget', readers: { targetType, id }, rule: everybodyIsAGroup }),
      ),
    },
  });
}

/** Rejects a property that this version does not have. */
function onlyBeta<T>(_given: unknown, current: T, place: string, refusals: Refusals): T {
  refusals.refuse(place, 'is a property of /beta only, because of the setting betaOnly; send it to /beta');
  return current;
}

function policyReader(names: PatchNames): Reader<PolicySubject> {
  const targets = createTargetReaders(names.resolveId);
  const { dialect, isV1Only = false } = names;
  const withoutValue = [
    ...dialect.data.policyProperties.values.map((name) => [name, readOnly(isNull)] as const),
    ...dialect.data.policyProperties.lists.map((name) => [name, readOnly(isEmptyList)] as const),
  ];
  return section<PolicySubject>({
    typeName: 'authenticationMethodsPolicy',
    readers: {
      ...Object.fromEntries(withoutValue),
      ...(dialect.data.targetContexts ? { [configurationsContext.name]: readOnly(isConfigurationContext) } : {}),
      '@odata.context': readOnly(isContextFor),
      id: readOnly(),
      displayName: readOnly(),
      description: readOnly(),
      lastModifiedDateTime: readModified,
      policyVersion: readOnly(),
      policyMigrationState: word(migrationStates),
      registrationEnforcement: section<PolicySubject['registrationEnforcement']>({
        typeName: 'registrationEnforcement',
        readers: { authenticationMethodsRegistrationCampaign: campaignReader(targets, names) },
      }),
      reportSuspiciousActivitySettings: isV1Only ? onlyBeta : suspiciousActivityReader(targets),
      systemCredentialPreferences: isV1Only ? onlyBeta : credentialPreferencesReader(targets),
      authenticationMethodConfigurations: readOnly((given, current) =>
        repeats(toComparable(given, dialect), toComparable(current, dialect)),
      ),
    },
  });
}

function isNull(given: unknown): boolean {
  return given === null;
}

function isEmptyList(given: unknown): boolean {
  return Array.isArray(given) && given.length === 0;
}

/**
 * Returns configurations without annotations of contexts, and with the names of the specification. They can be repeated
 * with the names of the dialect or of the specification.
 */
function toComparable(configurations: unknown, dialect: Dialect): unknown {
  if (!Array.isArray(configurations)) return configurations;
  return configurations.map((one: unknown) => {
    if (!isPlainObject(one)) return one;
    const kept = Object.entries(one).filter(([name]) => !name.endsWith('@odata.context'));
    return Object.fromEntries(
      kept.map(([name, value]) => {
        if (typeof value !== 'string') return [name, value];
        if (name === '@odata.type') return [name, dialect.fromWireType(value)];
        return [name, name === 'id' ? dialect.fromWire(value) : value];
      }),
    );
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
