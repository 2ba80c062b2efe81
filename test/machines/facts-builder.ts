import type { Facts, KeyRestrictions, PasskeyProfile, TargetedMethod } from '../../machines/vocabulary.ts';

/** Writable facts of a table row. */
export type Draft<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { -readonly [K in keyof T]: Draft<T[K]> }
    : T;

/** Change that a table row makes to its initial facts. */
export type Change = (facts: Draft<Facts>) => void;

/** 2026-01-05T09:00:00.000Z. */
export const nowMs = 1_767_603_600_000;

/** Day of 24 hours in milliseconds. It is defined here, so the tables do not depend on the code under test. */
export const dayMs = 86_400_000;

/** Change that keeps the facts as they are. */
export const asIs: Change = () => undefined;

/**
 * Creates facts of a user who is prompted to register the given method: a member with only SMS, in Chrome on Windows,
 * with every gate met.
 *
 * @param method - Method of the enabled campaign.
 * @param changes - Changes, applied in order.
 * @returns facts that are not shared with other callers.
 */
export function enabledFacts(method: TargetedMethod, ...changes: readonly Change[]): Facts {
  return changed(
    {
      tenant: {
        id: 'tenant',
        subscription: 'paid',
        campaign: {
          state: 'enabled',
          snoozeDurationInDays: 1,
          enforceRegistrationAfterAllowedSnoozes: true,
          includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method }],
          excludeTargets: [],
        },
        rollout: { method: false, snoozeDays: false, snoozeLimit: false, targeting: false },
        methodsPolicy: {
          authenticator: {
            state: 'enabled',
            includeTargets: [{ targetType: 'group', id: 'all_users', authenticationMode: 'any' }],
            excludeTargets: [],
          },
          fido2: {
            state: 'enabled',
            selfService: true,
            keyRestrictions: null,
            includeTargets: [{ targetType: 'group', id: 'all_users', profiles: [] }],
            excludeTargets: [],
            profiles: [],
          },
        },
        groups: {},
        options: { strictDevice: false },
      },
      user: {
        id: 'ada',
        type: 'member',
        groups: [],
        methods: ['sms'],
        passkeys: [],
        mfaCapable: true,
        snooze: { count: 0, snoozedAtMs: null },
      },
      attempt: {
        os: 'windows',
        browser: 'chrome',
        surface: 'browser',
        deviceId: 'device-1',
        mfa: { completed: true, provider: 'service', method: 'sms' },
        ssoSession: false,
        registeredThisSession: false,
        conditionalAccess: { registrationPageBlocked: false, registrationConditionMet: true },
        termsOfUse: false,
        customControls: false,
        nowMs,
      },
    },
    ...changes,
  );
}

/** Creates the same facts under provider management: passkey after the rollout of the method, app before it (A19). */
export function managedFacts(method: TargetedMethod, ...changes: readonly Change[]): Facts {
  const managed: Change = ({ tenant }) => {
    tenant.campaign.state = 'default';
    tenant.campaign.includeTargets = [];
    tenant.rollout.method = method === 'fido2';
  };
  return enabledFacts(method, managed, ...changes);
}

/** Copies facts and applies changes to the copy. */
export function changed(facts: Facts, ...changes: readonly Change[]): Facts {
  const draft = structuredClone(facts) as Draft<Facts>;
  for (const change of changes) change(draft);
  return draft;
}

/** Returns a change that adds one passkey of a type from a device. */
export function holdsPasskey(type: Facts['user']['passkeys'][number]['type'], deviceId = 'device-1'): Change {
  return ({ user }) => {
    user.passkeys.push({ type, deviceId });
  };
}

/** Returns a change that sets the passkey profiles of the user, all assigned by a target for all users. */
export function hasProfiles(...profiles: readonly Omit<PasskeyProfile, 'id'>[]): Change {
  return ({ tenant: { methodsPolicy } }) => {
    const named = profiles.map((profile, index) => ({ id: `profile-${index}`, ...profile }));
    methodsPolicy.fido2.profiles = structuredClone(named) as Draft<PasskeyProfile[]>;
    methodsPolicy.fido2.includeTargets = [
      { targetType: 'group', id: 'all_users', profiles: named.map(({ id }) => id) },
    ];
  };
}

/** Creates key restrictions for a table row. */
export function keys(type: KeyRestrictions['type'], ...kinds: KeyRestrictions['kinds']): KeyRestrictions {
  return { type, kinds };
}

/** Freezes a value and everything in it, so writing to it throws. */
export function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFrozen(part);
  }
  return value;
}
