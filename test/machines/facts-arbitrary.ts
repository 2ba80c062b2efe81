import fc from 'fast-check';
import {
  type AttemptFacts,
  type AuthenticatorPolicy,
  authenticationModes,
  browsers,
  type ExcludeTarget,
  type Facts,
  type KeyRestrictions,
  mfaMethods,
  mfaProviders,
  operatingSystems,
  type PasskeyPolicy,
  type PasskeyProfile,
  passkeyTypes,
  profilePasskeyTypes,
  registeredMethods,
  subscriptions,
  surfaces,
  type TenantFacts,
  targetedMethods,
  type UserFacts,
  userTypes,
} from '../../machines/vocabulary.ts';
import { dayMs, nowMs } from './facts-builder.ts';

const userIds = ['ada', 'ben'] as const;
const groupIds = ['team', 'unit', 'staff', 'ops'] as const;
const profileIds = ['open', 'shut', 'odd'] as const;
const deviceIds = ['device-1', 'device-2'] as const;

/** Booleans that are true one time in eight. Facts that stop a prompt are rare, so late gates are also reached. */
const seldom = fc.integer({ min: 0, max: 7 }).map((drawn) => drawn === 0);
const mostly = seldom.map((drawn) => !drawn);
const state = mostly.map((on): 'enabled' | 'disabled' => (on ? 'enabled' : 'disabled'));

/** Creates records with the prototype of JSON objects. */
function record<T>(fields: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

const target: fc.Arbitrary<ExcludeTarget> = fc.oneof(
  record({ targetType: fc.constant('user' as const), id: fc.constantFrom(...userIds) }),
  record({ targetType: fc.constant('group' as const), id: fc.constantFrom(...groupIds) }),
);
const includeTargets: fc.Arbitrary<readonly ExcludeTarget[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([{ targetType: 'group' as const, id: 'all_users' }]) },
  { weight: 2, arbitrary: fc.array(target, { maxLength: 3 }) },
);
const excludeTargets: fc.Arbitrary<readonly ExcludeTarget[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(target, { maxLength: 2 }) },
);

const keyRestrictions: fc.Arbitrary<KeyRestrictions | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: record({
      type: fc.constantFrom('allow' as const, 'block' as const),
      kinds: fc.uniqueArray(fc.constantFrom(...passkeyTypes), { maxLength: 3 }),
    }),
  },
);

const profiles: fc.Arbitrary<readonly PasskeyProfile[]> = fc.tuple(
  ...profileIds.map((id) =>
    record({
      id: fc.constant(id),
      passkeyTypes: fc.constantFrom(...profilePasskeyTypes),
      attestationEnforced: seldom,
      keyRestrictions,
    }),
  ),
);

const campaign: fc.Arbitrary<TenantFacts['campaign']> = record({
  state: fc.constantFrom('enabled' as const, 'enabled' as const, 'default' as const, null, 'disabled' as const),
  snoozeDurationInDays: fc.constantFrom(null, 0, 1, 3, 14),
  enforceRegistrationAfterAllowedSnoozes: fc.constantFrom(null, true, false),
  includeTargets,
  excludeTargets,
  method: fc.constantFrom(...targetedMethods),
}).map(({ method, ...settings }) => ({
  ...settings,
  includeTargets: settings.includeTargets.map((one) => ({ ...one, targetedAuthenticationMethod: method })),
}));

const authenticatorPolicy: fc.Arbitrary<AuthenticatorPolicy> = record({
  state,
  targets: includeTargets,
  modes: fc.array(fc.constantFrom(...authenticationModes), { minLength: 3, maxLength: 3 }),
  excludeTargets,
}).map(({ targets, modes, ...policy }) => ({
  ...policy,
  includeTargets: targets.map((one, index) => ({ ...one, authenticationMode: modes[index] ?? 'any' })),
}));

const passkeyPolicy: fc.Arbitrary<PasskeyPolicy> = record({
  state,
  selfService: mostly,
  keyRestrictions: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: keyRestrictions }),
  targets: includeTargets,
  named: fc.subarray([...profileIds]),
  excludeTargets,
  profiles,
}).map(({ targets, named, ...policy }) => ({
  ...policy,
  includeTargets: targets.map((one, index) => ({ ...one, profiles: index === 0 ? named : named.slice(1) })),
}));

/** Arbitrary tenants. */
export const tenantFacts: fc.Arbitrary<TenantFacts> = record({
  id: fc.constant('tenant'),
  subscription: fc.constantFrom(...subscriptions),
  campaign,
  rollout: record({
    method: fc.boolean(),
    snoozeDays: fc.boolean(),
    snoozeLimit: fc.boolean(),
    targeting: fc.boolean(),
  }),
  methodsPolicy: record({ authenticator: authenticatorPolicy, fido2: passkeyPolicy }),
  groups: fc.dictionary(fc.constantFrom(...groupIds), fc.subarray([...groupIds]), { noNullPrototype: true }),
  options: record({ strictDevice: fc.boolean() }),
});

/** Arbitrary users. Their snoozes are near multiples of whole days, and sometimes in the future. */
const userFacts: fc.Arbitrary<UserFacts> = record({
  id: fc.constantFrom(...userIds),
  type: seldom.map((guest) => userTypes[guest ? 1 : 0]),
  groups: fc.subarray([...groupIds]),
  methods: fc.subarray([...registeredMethods]),
  passkeys: fc.array(record({ type: fc.constantFrom(...passkeyTypes), deviceId: fc.constantFrom(...deviceIds) }), {
    maxLength: 3,
  }),
  mfaCapable: mostly,
  snooze: record({
    count: fc.integer({ min: 0, max: 5 }),
    snoozedAtMs: fc.oneof(
      fc.constant(null),
      fc
        .tuple(fc.integer({ min: -1, max: 15 }), fc.integer({ min: -1, max: 1 }))
        .map(([days, ms]) => nowMs - days * dayMs + ms),
    ),
  }),
});

/** Arbitrary attempts at `nowMs`. */
const attemptFacts: fc.Arbitrary<AttemptFacts> = record({
  os: fc.constantFrom(...operatingSystems),
  browser: fc.constantFrom(...browsers, null),
  surface: fc.oneof(fc.constant('browser' as const), fc.constantFrom(...surfaces)),
  deviceId: fc.constantFrom(...deviceIds),
  mfa: record({
    completed: mostly,
    provider: fc.oneof(fc.constant('service' as const), fc.constantFrom(...mfaProviders)),
    method: fc.constantFrom(...mfaMethods, null),
  }),
  ssoSession: seldom,
  registeredThisSession: seldom,
  conditionalAccess: record({ registrationPageBlocked: seldom, registrationConditionMet: mostly }),
  termsOfUse: seldom,
  customControls: seldom,
  nowMs: fc.constant(nowMs),
});

/**
 * Arbitrary facts that the schema accepts. The values come from small pools, so targets, groups, profiles and devices
 * often match.
 */
export const anyFacts: fc.Arbitrary<Facts> = record({
  tenant: tenantFacts,
  user: userFacts,
  attempt: attemptFacts,
});
