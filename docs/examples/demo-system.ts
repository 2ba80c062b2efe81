/** Page that a user sees at the end of a sign-in on the system under test. */
export type Sight = 'nudge' | 'nudge without a skip' | 'home';

/** Interface between the driver and the system under test. Implement it once for your test environment. */
export interface OwnSystem {
  /** Creates a separate tenant with a frozen clock, and returns its name. */
  makeTenant(given: { readonly snoozeDays: number; readonly users: readonly string[] }): Promise<string>;
  removeTenant(tenant: string): Promise<void>;
  signIn(tenant: string, user: string): Promise<{ readonly signInId: string; readonly sight: Sight }>;
  /** Presses "Skip for now"; returns whether that signed the user in. */
  skip(tenant: string, signInId: string): Promise<boolean>;
  moveClock(tenant: string, byMs: number): Promise<void>;
}

interface DemoTenant {
  readonly snoozeMs: number;
  nowMs: number;
  readonly users: Map<string, { skips: number; skippedAtMs: number | null }>;
  readonly openNudges: Map<string, string>;
}

const dayMs = 86_400_000;
const skipsMax = 3;

/**
 * Represents the system under test, so the example can run: it prompts, snoozes for some days, and allows three
 * snoozes.
 */
export class DemoSystem implements OwnSystem {
  readonly #tenants = new Map<string, DemoTenant>();
  #made = 0;

  async makeTenant(given: { readonly snoozeDays: number; readonly users: readonly string[] }): Promise<string> {
    const name = this.#nextName('tenant');
    this.#tenants.set(name, {
      snoozeMs: given.snoozeDays * dayMs,
      nowMs: 0,
      users: new Map(given.users.map((user) => [user, { skips: 0, skippedAtMs: null }])),
      openNudges: new Map(),
    });
    return name;
  }

  async removeTenant(tenant: string): Promise<void> {
    this.#tenants.delete(tenant);
  }

  async signIn(tenant: string, user: string): Promise<{ readonly signInId: string; readonly sight: Sight }> {
    const { nowMs, snoozeMs, users, openNudges } = this.#tenant(tenant);
    const { skips = 0, skippedAtMs = null } = users.get(user) ?? {};
    const signInId = this.#nextName('sign-in');
    if (skippedAtMs !== null && nowMs - skippedAtMs < snoozeMs) return { signInId, sight: 'home' };
    openNudges.set(signInId, user);
    return { signInId, sight: skips < skipsMax ? 'nudge' : 'nudge without a skip' };
  }

  async skip(tenant: string, signInId: string): Promise<boolean> {
    const { nowMs, users, openNudges } = this.#tenant(tenant);
    const user = users.get(openNudges.get(signInId) ?? '');
    if (user === undefined || user.skips >= skipsMax) return false;
    user.skips += 1;
    user.skippedAtMs = nowMs;
    openNudges.delete(signInId);
    return true;
  }

  async moveClock(tenant: string, byMs: number): Promise<void> {
    this.#tenant(tenant).nowMs += byMs;
  }

  #tenant(name: string): DemoTenant {
    const tenant = this.#tenants.get(name);
    if (tenant === undefined) throw new Error(`There is no tenant ${name}.`);
    return tenant;
  }

  #nextName(kind: string): string {
    this.#made += 1;
    return `${kind}-${this.#made}`;
  }
}
