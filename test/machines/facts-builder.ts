import type { Facts, KeyRestrictions, PasskeyProfile, TargetedMethod } from '../../machines/vocabulary.ts';

/** Facts that a table row may write to. */
export type Draft<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { -readonly [K in keyof T]: Draft<T[K]> }
    : T;

/** What a table row changes about the facts it starts from. */
export type Change = (facts: Draft<Facts>) => void;

/** 2026-01-05T09:00:00.000Z. */
export const nowMs = 1_767_603_600_000;

/** A day of 24 hours in ms, written out so that no table leans on the code under test. */
export const dayMs = 86_400_000;

/** An unchanged row. */
export const asIs: Change = () => undefined;

/**
 * A user who is asked to register the given method: member, SMS only, Chrome on Windows, every gate met. Takes the method
 * of the enabled campaign and the changes in order; returns facts of their own, shared with no one.
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

/** The same under the provider's management: the passkey after the rollout of the method, the app before it (A19). */
export function managedFacts(method: TargetedMethod, ...changes: readonly Change[]): Facts {
  const managed: Change = ({ tenant }) => {
    tenant.campaign.state = 'default';
    tenant.campaign.includeTargets = [];
    tenant.rollout.method = method === 'fido2';
  };
  return enabledFacts(method, managed, ...changes);
}

/** A copy of the facts with the changes made to it. */
export function changed(facts: Facts, ...changes: readonly Change[]): Facts {
  const draft = structuredClone(facts) as Draft<Facts>;
  for (const change of changes) change(draft);
  return draft;
}

/** The user holds one passkey of a type, made on a device. */
export function holdsPasskey(type: Facts['user']['passkeys'][number]['type'], deviceId = 'device-1'): Change {
  return ({ user }) => {
    user.passkeys.push({ type, deviceId });
  };
}

/** The user's passkey profiles are these, all given by the target that names everyone. */
export function hasProfiles(...profiles: readonly Omit<PasskeyProfile, 'id'>[]): Change {
  return ({ tenant: { methodsPolicy } }) => {
    const named = profiles.map((profile, index) => ({ id: `profile-${index}`, ...profile }));
    methodsPolicy.fido2.profiles = structuredClone(named) as Draft<PasskeyProfile[]>;
    methodsPolicy.fido2.includeTargets = [
      { targetType: 'group', id: 'all_users', profiles: named.map(({ id }) => id) },
    ];
  };
}

/** Key restrictions as tables write them. */
export function keys(type: KeyRestrictions['type'], ...kinds: KeyRestrictions['kinds']): KeyRestrictions {
  return { type, kinds };
}

/** Freezes a value with all that is in it, so that writing to it throws. */
export function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFrozen(part);
  }
  return value;
}
