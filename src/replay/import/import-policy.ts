import { z } from 'zod';
import type { KeyRestrictions, PasskeyType, TenantFacts } from '../../../machines/vocabulary.ts';
import { findPasskeyType } from '../../contract/aaguids.ts';
import { tenantFactsSchema } from '../../contract/facts.schema.ts';
import type { ImportMapping } from '../../contract/import-mapping.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { parseInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject, mergePatch } from '../../core/merge-patch.ts';
import { sameName } from './columns.ts';
import type { Tally } from './tally.ts';

/** Policy with its start time, which is `null` if it applies from the beginning. */
export interface PolicyEpoch {
  readonly fromMs: number | null;
  readonly tenant: TenantFacts;
}

const targets = z.array(z.looseObject({ targetType: z.string(), id: z.string() })).default([]);

const restrictions = z
  .looseObject({ isEnforced: z.boolean(), enforcementType: z.enum(['allow', 'block']), aaGuids: z.array(z.string()) })
  .nullish();

const passkeys = z.looseObject({
  state: z.enum(['enabled', 'disabled']).optional(),
  isSelfServiceRegistrationAllowed: z.boolean().optional(),
  keyRestrictions: restrictions,
  includeTargets: targets,
  excludeTargets: targets,
  passkeyProfiles: z
    .array(
      z.looseObject({
        id: z.string(),
        passkeyTypes: z.string().nullish(),
        attestationEnforcement: z.string().nullish(),
        keyRestrictions: restrictions,
      }),
    )
    .nullish(),
});

const app = z.looseObject({
  state: z.enum(['enabled', 'disabled']).optional(),
  includeTargets: targets,
  excludeTargets: targets,
});

/**
 * Parses the tenant facts of a policy body in any of three formats: a complete API response, part of it as in a PATCH
 * request, or facts of this program. They are merged over the given facts. The mapping supplies the names for the
 * authenticator app. Throws `bad-request` with every error.
 */
export function tenantOfPolicy(
  body: unknown,
  over: unknown,
  { policies }: Pick<ImportMapping, 'policies'>,
  tally: Tally | null = null,
): TenantFacts {
  if (!isPlainObject(body)) throw notAPolicy();
  const enforcement = body['registrationEnforcement'];
  const section = isPlainObject(enforcement) ? enforcement['authenticationMethodsRegistrationCampaign'] : undefined;
  const configurations = body['authenticationMethodConfigurations'];
  if (section === undefined && configurations === undefined) {
    const { campaign, rollout, methodsPolicy, groups, options, subscription } = body;
    if ([campaign, rollout, methodsPolicy, groups, options, subscription].every((part) => part === undefined)) {
      throw notAPolicy();
    }
    return parseOr('bad-request', tenantFactsSchema, mergePatch(over, body, 'keep'), 'policy');
  }
  const campaign = isPlainObject(section) ? toCampaign(section, policies.authenticatorNames) : {};
  const methodsPolicy = toMethods(
    Array.isArray(configurations) ? configurations : [],
    policies.authenticatorNames,
    tally,
  );
  return parseOr('bad-request', tenantFactsSchema, mergePatch(over, { campaign, methodsPolicy }, 'keep'), 'policy');
}

function notAPolicy(): NudgeLabError {
  return new NudgeLabError('bad-request', {
    problems: [
      {
        location: 'policy',
        message: 'must contain registrationEnforcement, authenticationMethodConfigurations or tenant facts',
      },
    ],
  });
}

function toCampaign(section: Record<string, unknown>, appNames: readonly string[]): Record<string, unknown> {
  const { includeTargets, excludeTargets, ...rest } = withoutAnnotations(section);
  const named = (target: unknown): unknown => {
    if (!isPlainObject(target)) return target;
    const plain = withoutAnnotations(target);
    const method = String(plain['targetedAuthenticationMethod'] ?? '');
    const isApp = appNames.some((name) => name.toLowerCase() === method.toLowerCase());
    const word = isApp ? 'vendorAuthenticator' : method.toLowerCase() === 'fido2' ? 'fido2' : method;
    return { ...plain, targetedAuthenticationMethod: word };
  };
  return {
    ...rest,
    ...(Array.isArray(includeTargets) ? { includeTargets: includeTargets.map(named) } : {}),
    ...(Array.isArray(excludeTargets) ? { excludeTargets: excludeTargets.map(plainTarget) } : {}),
  };
}

function plainTarget(target: unknown): unknown {
  return isPlainObject(target) ? { targetType: target['targetType'], id: target['id'] } : target;
}

function withoutAnnotations(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !key.includes('@odata')));
}

function toMethods(configurations: readonly unknown[], appNames: readonly string[], tally: Tally | null): object {
  const byId = (wanted: readonly string[]): unknown =>
    configurations.find(
      (one) => isPlainObject(one) && wanted.some((id) => id.toLowerCase() === String(one['id']).toLowerCase()),
    );
  const [passkeyGiven, appGiven] = [byId(['fido2']), byId(appNames)];
  return {
    ...(passkeyGiven === undefined
      ? {}
      : { fido2: passkeyPolicy(parseOr('bad-request', passkeys, passkeyGiven, 'policy.fido2'), tally) }),
    ...(appGiven === undefined
      ? {}
      : { authenticator: appPolicy(parseOr('bad-request', app, appGiven, 'policy.authenticator')) }),
  };
}

function passkeyPolicy(given: z.output<typeof passkeys>, tally: Tally | null): object {
  return {
    ...(given.state === undefined ? {} : { state: given.state }),
    ...(given.isSelfServiceRegistrationAllowed === undefined
      ? {}
      : { selfService: given.isSelfServiceRegistrationAllowed }),
    keyRestrictions: toRestrictions(given.keyRestrictions, tally),
    includeTargets: given.includeTargets.map(({ targetType, id, allowedPasskeyProfiles }) => ({
      targetType,
      id,
      profiles: Array.isArray(allowedPasskeyProfiles) ? allowedPasskeyProfiles.map(String) : [],
    })),
    excludeTargets: given.excludeTargets.map(plainTarget),
    profiles: (given.passkeyProfiles ?? []).map((profile) => ({
      id: profile.id,
      passkeyTypes:
        profile.passkeyTypes === 'synced' || profile.passkeyTypes === 'deviceBound' ? profile.passkeyTypes : 'any',
      attestationEnforced: !['disabled', '', undefined, null].includes(profile.attestationEnforcement),
      keyRestrictions: toRestrictions(profile.keyRestrictions, tally),
    })),
  };
}

function appPolicy(given: z.output<typeof app>): object {
  return {
    ...(given.state === undefined ? {} : { state: given.state }),
    includeTargets: given.includeTargets.map(({ targetType, id, authenticationMode }) => ({
      targetType,
      id,
      ...(typeof authenticationMode === 'string' ? { authenticationMode } : {}),
    })),
    excludeTargets: given.excludeTargets.map(plainTarget),
  };
}

/** Converts AAGUID restrictions to the passkey types that the AAGUIDs identify. */
function toRestrictions(given: z.output<typeof restrictions>, tally: Tally | null): KeyRestrictions | null {
  if (given === null || given === undefined || !given.isEnforced) return null;
  const kinds = new Set<PasskeyType>();
  for (const aaguid of given.aaGuids) {
    const kind = findPasskeyType(aaguid.toLowerCase());
    if (kind === null) tally?.unknown('aaGuids', aaguid, 1, 'policy');
    else kinds.add(kind);
  }
  return { type: given.enforcementType, kinds: [...kinds] };
}

/**
 * Lists the policies over time: those of the audit log, and the current one at the end. The current policy is a body or
 * `null`; the additional tenant facts apply to all of them. Throws `bad-request` for an invalid policy.
 */
export function policyTimeLine(
  parts: { readonly policy: unknown; readonly audit: readonly unknown[]; readonly over: unknown },
  mapping: ImportMapping,
  tally: Tally,
): readonly PolicyEpoch[] {
  const found = parts.audit.flatMap((row, index) =>
    parseChanges(row, mapping, { tally, place: `row ${index + 1} of the audit log` }),
  );
  // Most audit logs start with the newest row, which also orders changes of the same time.
  const isNewestFirst = (found[0]?.atMs ?? 0) > (found.at(-1)?.atMs ?? 0);
  const changes = (isNewestFirst ? found.toReversed() : found).toSorted((a, b) => a.atMs - b.atMs);
  const read = (body: unknown, over: unknown, place: string | null = null): TenantFacts =>
    namingPlace(place, () => tenantOfPolicy(body, over, mapping, tally));
  const present = parts.policy === null ? null : read(parts.policy, parts.over);
  const [first] = changes;
  if (first === undefined)
    return [{ fromMs: null, tenant: present ?? parseOr('bad-request', tenantFactsSchema, parts.over, 'tenant') }];
  // A change can contain only a part of the policy, so the earliest policy is the current one with all changes undone.
  const earliest = changes
    .toReversed()
    .reduce<unknown>(
      (later, { before, place }) => (before === null ? later : read(before, later, place)),
      present ?? parts.over,
    );
  let tenant = read(first.before ?? first.after, earliest, first.place);
  const epochs: PolicyEpoch[] = [{ fromMs: null, tenant }];
  for (const { atMs, before, after, place } of changes) {
    if (before !== null && JSON.stringify(read(before, tenant, place)) !== JSON.stringify(tenant)) {
      tally.odd('policy changes that do not match the previous policy', 1, `at ${atMs}`);
    }
    tenant = read(after, tenant, place);
    epochs.push({ fromMs: atMs, tenant });
  }
  if (present !== null && JSON.stringify(present.campaign) !== JSON.stringify(tenant.campaign)) {
    tally.odd('current policy that differs from the last policy in the audit log', 1);
  }
  return epochs;
}

/** Runs a function and adds the location, if there is one, to the policy errors that it throws. */
function namingPlace<T>(place: string | null, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (place === null || !(error instanceof NudgeLabError)) throw error;
    const problems = error.problems.map((problem) => ({ ...problem, location: `${place}: ${problem.location}` }));
    throw new NudgeLabError(error.code, { problems, cause: error });
  }
}

interface PolicyChange {
  /** Row of the audit log. */
  readonly place: string;
  readonly atMs: number;
  readonly before: unknown;
  readonly after: unknown;
}

/** Lists the policy changes in a row of the audit log, whose old and new values are JSON text. */
function parseChanges(
  row: unknown,
  { policies }: ImportMapping,
  { tally, place }: { readonly tally: Tally; readonly place: string },
): readonly PolicyChange[] {
  const { at, resources, properties, before, after } = policies.audit.columns;
  if (!isPlainObject(row)) {
    tally.skip('audit log rows that are not objects', 1, place);
    return [];
  }
  const atMs = parseInstant(String(first(row, at) ?? ''));
  const list = resources
    .map((name) => jsonValue(valueUnder(row, name)))
    .find((value) => value !== undefined && value !== null);
  const changes = (Array.isArray(list) ? list : [list]).filter(isPlainObject).flatMap((resource) => {
    const list = jsonValue(first(resource, properties));
    return (Array.isArray(list) ? list : []).filter(isPlainObject).flatMap((property) => {
      const now = policyValue(first(property, after));
      if (now === null && namesCampaign.test(String(first(property, after)))) {
        tally.skip('policy changes with an unreadable new value, for example because it is truncated', 1, place);
      }
      return now === null ? [] : [{ before: policyValue(first(property, before)), after: now }];
    });
  });
  if (changes.length === 0) tally.skip('audit log rows without policy changes', 1, place);
  if (changes.length > 0 && atMs === null) {
    tally.skip('policy changes without a time', changes.length, place);
    return [];
  }
  return changes.map((change) => ({ ...change, place, atMs: atMs ?? 0 }));
}

/** Pattern that identifies a value that should contain a policy. */
const namesCampaign = /registrationEnforcement|authenticationMethodsRegistrationCampaign/;

/** Parses a policy in a value of the audit log, which is JSON or JSON encoded again as text. */
function policyValue(value: unknown): unknown {
  let read: unknown = jsonValue(value);
  if (typeof read === 'string') read = jsonValue(read);
  if (Array.isArray(read) && read.length === 1) read = jsonValue(read[0]);
  if (!isPlainObject(read)) return null;
  if ('authenticationMethodsRegistrationCampaign' in read) return { registrationEnforcement: read };
  if ('registrationEnforcement' in read || 'authenticationMethodConfigurations' in read) return read;
  const isSection = 'includeTargets' in read && 'snoozeDurationInDays' in read;
  return isSection ? { registrationEnforcement: { authenticationMethodsRegistrationCampaign: read } } : null;
}

/** Returns the value of the first key that exists. */
function first(object: Record<string, unknown>, names: readonly string[]): unknown {
  return names.map((name) => valueUnder(object, name)).find((value) => value !== undefined && value !== null);
}

function valueUnder(object: Record<string, unknown>, name: string): unknown {
  const key = Object.keys(object).find((candidate) => sameName(candidate) === sameName(name));
  return key === undefined ? undefined : object[key];
}

function jsonValue(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
