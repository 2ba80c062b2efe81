/**
 * What the auditor knows. It shares no code with the machines, the fold or the contract: it takes entries of the journal for
 * the JSON that they are, and the rules from the text of the specification. No part is ever changed in place, so that the
 * expected after every entry can be kept side by side.
 */

export type Method = 'vendorAuthenticator' | 'fido2';

/** A prompt that waits for an answer. */
export interface Prompt {
  readonly id: string;
  readonly method: Method;
  readonly shownAtMs: number;
  readonly required: boolean;
  /** It stands at the error screen. */
  readonly failed: boolean;
  readonly leftAtMs: number | null;
}

export type PersonState = 'notPrompted' | 'prompted' | 'snoozed' | 'registrationRequired' | 'registered';

export interface Person {
  readonly id: string;
  readonly count: number;
  readonly snoozedAtMs: number | null;
  readonly state: PersonState;
  /** The method registered last. */
  readonly registered: Method | null;
  readonly methods: readonly string[];
  readonly passkeys: readonly { readonly type: string }[];
  readonly mfaCapable: boolean;
  readonly prompts: readonly Prompt[];
}

/** One sign-in. */
export interface Visit {
  readonly id: string;
  readonly userId: string;
  readonly screen: string;
  readonly outcome: 'none' | 'skippable' | 'required' | null;
  /** What the prompt asks for; `null` without one. */
  readonly method: Method | null;
  /** The prompt had no way out when it ended. */
  readonly stuck: boolean;
  readonly os: string;
  readonly ssoSession: boolean;
  readonly mfaCompleted: boolean;
}

export interface Campaign {
  readonly state: string | null;
  readonly snoozeDurationInDays: number | null;
  readonly enforceRegistrationAfterAllowedSnoozes: boolean | null;
  readonly includeTargets: readonly {
    readonly targetType: string;
    readonly id: string;
    readonly targetedAuthenticationMethod: Method;
  }[];
  readonly excludeTargets: readonly { readonly targetType: string; readonly id: string }[];
}

export interface Tenant {
  readonly subscription: string;
  readonly campaign: Campaign;
  readonly rollout: {
    readonly method: boolean;
    readonly snoozeDays: boolean;
    readonly snoozeLimit: boolean;
    readonly targeting: boolean;
  };
}

export type Clock =
  | { readonly running: false; readonly nowMs: number }
  | { readonly running: true; readonly offsetMs: number };

export interface ExpectedState {
  readonly seq: number;
  readonly atMs: number;
  readonly clock: Clock;
  readonly tenant: Tenant;
  readonly people: ReadonlyMap<string, Person>;
  readonly visits: ReadonlyMap<string, Visit>;
}

export const dayMs = 86_400_000;

/** Prompts live for a quarter of an hour (A25). */
export const lifetimeMs = 15 * 60_000;

/** R6: with the limit on, so many snoozes and no more. */
export const snoozesAllowed = 3;

/** Whether the provider manages the campaign: `default`, and "not set" (A17). */
export function isManaged({ campaign }: Tenant): boolean {
  return campaign.state === null || campaign.state === 'default';
}

/** R6, A19, A20: whether snoozes are limited. */
export function isLimited(tenant: Tenant): boolean {
  if (tenant.subscription !== 'paid') return true;
  if (isManaged(tenant)) return !tenant.rollout.snoozeLimit;
  return tenant.campaign.enforceRegistrationAfterAllowedSnoozes ?? true;
}

/** R8, A19: days that a snooze lasts. */
export function getSnoozeDays(tenant: Tenant): number {
  if (isManaged(tenant)) return tenant.rollout.snoozeDays ? 1 : 3;
  return tenant.campaign.snoozeDurationInDays ?? 1;
}

/** R2, A19: the one method that is asked for. */
export function getMethod(tenant: Tenant): Method | null {
  if (isManaged(tenant)) return tenant.rollout.method ? 'fido2' : 'vendorAuthenticator';
  return tenant.campaign.includeTargets[0]?.targetedAuthenticationMethod ?? null;
}

/** R5, A6, A7: whether a stored snooze still runs; time that went back has not elapsed. */
export function isSnoozing({ snoozedAtMs }: Person, tenant: Tenant, nowMs: number): boolean {
  return snoozedAtMs !== null && Math.max(0, nowMs - snoozedAtMs) < getSnoozeDays(tenant) * dayMs;
}

/**
 * What a person is called at a time: `snoozed` while a stored snooze runs (R5, A7) and no longer. Without one that runs a
 * person is asked by what is open, and else not prompted.
 */
export function stateAt(person: Person, tenant: Tenant, nowMs: number): PersonState {
  const { state, prompts } = person;
  if (state !== 'snoozed' && state !== 'notPrompted') return state;
  if (isSnoozing(person, tenant, nowMs)) return 'snoozed';
  return prompts.length === 0 ? 'notPrompted' : 'prompted';
}

/** R6, A42: whether one more snooze can be counted. */
export function hasSnoozeLeft({ count }: Person, tenant: Tenant): boolean {
  return !isLimited(tenant) || count < snoozesAllowed;
}
