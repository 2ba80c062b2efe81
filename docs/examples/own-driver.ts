/** Custom driver. In another repository, import the types from 'nudgelab'. */
import type { Driver, DriverSession, Observation, Scenario, Step, StepKind } from '../../src/index.ts';
import { DemoSystem, type OwnSystem, type Sight } from './demo-system.ts';

/** Creates the driver that the configuration names. */
export const driver = (): Driver => new OwnDriver(new DemoSystem());

/** Runs scenarios on the system under test. */
export class OwnDriver implements Driver {
  readonly name = 'own';
  /** A scenario with any other step is skipped with the reason. */
  readonly can: ReadonlySet<StepKind> = new Set(['signIn', 'skip', 'advance']);
  readonly #system: OwnSystem;

  /** Creates a driver for the system under test. */
  constructor(system: OwnSystem) {
    this.#system = system;
  }

  /**
   * Prepares the initial state of the scenario: `plan` holds the facts of tenant and users, complete, with the clock
   * and the seed.
   */
  async open({ plan }: Scenario): Promise<DriverSession> {
    const tenant = await this.#system.makeTenant({
      snoozeDays: plan.tenant.campaign.snoozeDurationInDays ?? 1,
      users: plan.users.map(({ id }) => id),
    });
    return new OwnSession(this.#system, tenant);
  }

  /** Called once, after the last scenario. */
  async close(): Promise<void> {
    // This driver keeps no data between scenarios.
  }
}

/** One running scenario. Several scenarios run at once, so all its data is stored here. */
class OwnSession implements DriverSession {
  readonly #system: OwnSystem;
  readonly #tenant: string;
  readonly #signInIds = new Map<string, string>();
  #latest = '';

  constructor(system: OwnSystem, tenant: string) {
    this.#system = system;
    this.#tenant = tenant;
  }

  /** Executes one step and returns the observation. An exception fails the scenario at this step. */
  async perform(step: Step): Promise<Observation> {
    switch (step.kind) {
      case 'signIn':
        return this.#signIn(step.say.user, step.say.as ?? step.say.user);
      case 'skip':
        return this.#skip(step.say.prompt);
      case 'advance': {
        const { days = 0, hours = 0, minutes = 0, ms = 0 } = step.say;
        await this.#system.moveClock(this.#tenant, ((days * 24 + hours) * 60 + minutes) * 60_000 + ms);
        return {};
      }
      default:
        throw new Error(`${step.kind} is none of the steps that this driver says it can do.`);
    }
  }

  /** This system does not report its verdicts. */
  async verdict(): Promise<null> {
    return null;
  }

  /** This system does not report the snooze count. */
  async nudgeStatus(): Promise<null> {
    return null;
  }

  /** This system has no journal. */
  async journal(): Promise<null> {
    return null;
  }

  /** Always called at the end. */
  async close(): Promise<void> {
    await this.#system.removeTenant(this.#tenant);
  }

  async #signIn(user: string, tab: string): Promise<Observation> {
    const { signInId, sight } = await this.#system.signIn(this.#tenant, user);
    this.#signInIds.set(tab, signInId);
    this.#latest = tab;
    return { signInId, ...observed[sight] };
  }

  async #skip(tab = this.#latest): Promise<Observation> {
    const signInId = this.#signInIds.get(tab) ?? '';
    const signedIn = await this.#system.skip(this.#tenant, signInId);
    return signedIn ? { signInId, page: 'signed-in', status: 200 } : { signInId, page: 'required', status: 409 };
  }
}

/** Observation with the names used in scenarios. `outcome` is read from the page, never computed. */
const observed: Readonly<Record<Sight, Observation>> = {
  nudge: { page: 'prompt', outcome: 'skippable' },
  'nudge without a skip': { page: 'required', outcome: 'required' },
  home: { page: 'not-nudged', outcome: 'none' },
};
