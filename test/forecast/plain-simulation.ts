/**
 * Tenant of a simulation that is written only from the specification, with whole days and plain arithmetic. The
 * simulation shares neither code nor random numbers with the program, so totals can be compared as two samples of one
 * process.
 */
export interface PlainTenant {
  readonly users: number;
  readonly days: number;
  /** Probability of one sign-in with MFA at 09:00 on each day. */
  readonly chance: number;
  readonly snoozeDays: number;
  readonly limited: boolean;
  /** Share of the attempts from a phone, on which an app campaign does not prompt. */
  readonly phones: number;
  readonly ssoSessions: number;
  /** Share of the users who have already registered the app with push notifications. */
  readonly holders: number;
  readonly register: number;
  /** Share of users who close the prompt instead of skipping it, among users who do not register. */
  readonly close: number;
  readonly registerWhenRequired: number;
  readonly failure: number;
}

export interface PlainTotals {
  attempts: number;
  prompts: number;
  required: number;
  snoozed: number;
  registered: number;
  failed: number;
  promptedUsers: number;
  requiredUsers: number;
}

interface PlainUser {
  hasApp: boolean;
  snoozes: number;
  notBefore: number;
  reached: boolean;
  wasRequired: boolean;
}

/**
 * Simulates a tenant.
 *
 * @param tenant - Tenant to simulate.
 * @param draw - Source of random numbers in [0, 1).
 */
export function simulatePlainly(tenant: PlainTenant, draw: () => number): PlainTotals {
  const totals: PlainTotals = {
    attempts: 0,
    prompts: 0,
    required: 0,
    snoozed: 0,
    registered: 0,
    failed: 0,
    promptedUsers: 0,
    requiredUsers: 0,
  };
  for (let number = 0; number < tenant.users; number += 1) {
    const hasApp = draw() < tenant.holders;
    const user: PlainUser = { hasApp, snoozes: 0, notBefore: -1, reached: false, wasRequired: false };
    for (let day = 0; day < tenant.days; day += 1) {
      if (draw() < tenant.chance) signIn(tenant, user, day, { draw, totals });
    }
  }
  return totals;
}

interface Rest {
  readonly draw: () => number;
  readonly totals: PlainTotals;
}

function signIn(tenant: PlainTenant, user: PlainUser, day: number, { draw, totals }: Rest): void {
  totals.attempts += 1;
  const phone = draw() < tenant.phones;
  const sso = draw() < tenant.ssoSessions;
  if (phone || sso || user.hasApp || day < user.notBefore) return;
  totals.prompts += 1;
  if (!user.reached) totals.promptedUsers += 1;
  user.reached = true;
  const required = tenant.limited && user.snoozes >= 3;
  if (required) totals.required += 1;
  if (required && !user.wasRequired) totals.requiredUsers += 1;
  user.wasRequired ||= required;
  if (draw() < (required ? tenant.registerWhenRequired : tenant.register)) {
    // A failure shows the error screen. Skipping that screen does not raise the snooze count.
    user.hasApp = draw() >= tenant.failure;
    totals[user.hasApp ? 'registered' : 'failed'] += 1;
  } else if (!required) {
    // Skipping and closing both raise the snooze count. Closing a required prompt changes nothing.
    user.snoozes += 1;
    totals.snoozed += 1;
    user.notBefore = day + tenant.snoozeDays;
  }
}
