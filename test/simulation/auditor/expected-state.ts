/**
 * Expected state of a sandbox in the auditor’s model. The model shares no code with the machines, the journal or the
 * contract: it reads journal entries as plain JSON and takes the rules from the text of the specification. Values
 * are never modified in place, so the expected state after every entry can be stored.
 */

export type Method = 'vendorAuthenticator' | 'fido2';

/** Open prompt. */
export interface Prompt {
  readonly id: string;
  readonly method: Method;
  readonly shownAtMs: number;
  readonly required: boolean;
  /** True if the error screen is displayed. */
  readonly failed: boolean;
  readonly leftAtMs: number | null;
}

export type PersonState = 'notPrompted' | 'prompted' | 'snoozed' | 'registrationRequired' | 'registered';

export interface Person {
  readonly id: string;
  readonly count: number;
  readonly snoozedAtMs: number | null;
  readonly state: PersonState;
  /** Method that was registered last. */
  readonly registered: Method | null;
  readonly methods: readonly string[];
  readonly passkeys: readonly { readonly type: string }[];
  readonly mfaCapable: boolean;
  readonly prompts: readonly Prompt[];
}

/** State of one sign-in. */
export interface Visit {
  readonly id: string;
  readonly userId: string;
  readonly screen: string;
  readonly outcome: 'none' | 'skippable' | 'required' | null;
  /** Method that the prompt requests. `null` if there is no prompt. */
  readonly method: Method | null;
  /** True if the prompt could not be skipped when it expired. */
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

/** Prompt lifetime in milliseconds: 15 minutes (A25). */
export const lifetimeMs = 15 * 60_000;

/** R6: maximum number of snoozes if the limit is enabled. */
export const snoozesAllowed = 3;

/** Returns whether the provider manages the campaign: `default`, or not set (A17). */
export function isManaged({ campaign }: Tenant): boolean {
  return campaign.state === null || campaign.state === 'default';
}

/** Returns whether snoozes are limited (R6, A19, A20). */
export function isLimited(tenant: Tenant): boolean {
  if (tenant.subscription !== 'paid') return true;
  if (isManaged(tenant)) return !tenant.rollout.snoozeLimit;
  return tenant.campaign.enforceRegistrationAfterAllowedSnoozes ?? true;
}

/** Returns the snooze duration in days (R8, A19). */
export function getSnoozeDays(tenant: Tenant): number {
  if (isManaged(tenant)) return tenant.rollout.snoozeDays ? 1 : 3;
  return tenant.campaign.snoozeDurationInDays ?? 1;
}

/** Returns the one method of the campaign (R2, A19). */
export function getMethod(tenant: Tenant): Method | null {
  if (isManaged(tenant)) return tenant.rollout.method ? 'fido2' : 'vendorAuthenticator';
  return tenant.campaign.includeTargets[0]?.targetedAuthenticationMethod ?? null;
}

/** Returns whether a stored snooze is still running (R5, A6, A7). Elapsed time is never negative. */
export function isSnoozing({ snoozedAtMs }: Person, tenant: Tenant, nowMs: number): boolean {
  return snoozedAtMs !== null && Math.max(0, nowMs - snoozedAtMs) < getSnoozeDays(tenant) * dayMs;
}

/**
 * Returns the state of a user at a time: `snoozed` only while a stored snooze is running (R5, A7), otherwise
 * `prompted` with an open prompt and `notPrompted` without one.
 */
export function stateAt(person: Person, tenant: Tenant, nowMs: number): PersonState {
  const { state, prompts } = person;
  if (state !== 'snoozed' && state !== 'notPrompted') return state;
  if (isSnoozing(person, tenant, nowMs)) return 'snoozed';
  return prompts.length === 0 ? 'notPrompted' : 'prompted';
}

/** Returns whether one more snooze can be counted (R6, A42). */
export function hasSnoozeLeft({ count }: Person, tenant: Tenant): boolean {
  return !isLimited(tenant) || count < snoozesAllowed;
}
