/** A driver of one's own. In another repository the types come from 'nudgelab'. */
import type { Driver, DriverSession, Observation, Scenario, Step, StepKind } from '../../src/index.ts';
import { DemoSystem, type OwnSystem, type Sight } from './demo-system.ts';

/** What the program calls to make the driver that the configuration names. */
export const driver = (): Driver => new OwnDriver(new DemoSystem());

/** Runs scenarios on the system under test. */
export class OwnDriver implements Driver {
  readonly name = 'own';
  /** A scenario with any other step is skipped, and says why. */
  readonly can: ReadonlySet<StepKind> = new Set(['signIn', 'skip', 'advance']);
  readonly #system: OwnSystem;

  /** Takes the system under test. */
  constructor(system: OwnSystem) {
    this.#system = system;
  }

  /** Prepares what the scenario gives: `plan` holds the facts of tenant and users, complete, with the clock and the seed. */
  async open({ plan }: Scenario): Promise<DriverSession> {
    const tenant = await this.#system.makeTenant({
      snoozeDays: plan.tenant.campaign.snoozeDurationInDays ?? 1,
      users: plan.users.map(({ id }) => id),
    });
    return new OwnSession(this.#system, tenant);
  }

  /** Called once, after the last scenario. */
  async close(): Promise<void> {
    // This driver holds nothing between scenarios.
  }
}

/** One scenario in progress. Several run at once, so all that it knows stands here. */
class OwnSession implements DriverSession {
  readonly #system: OwnSystem;
  readonly #tenant: string;
  readonly #signInIds = new Map<string, string>();
  #latest = '';

  constructor(system: OwnSystem, tenant: string) {
    this.#system = system;
    this.#tenant = tenant;
  }

  /** Does one step and tells what was seen. What it throws fails the scenario at this step. */
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

  /** This system cannot tell why it decided as it did. */
  async verdict(): Promise<null> {
    return null;
  }

  /** This system does not show how often someone has skipped. */
  async nudgeStatus(): Promise<null> {
    return null;
  }

  /** This system keeps no journal. */
  async journal(): Promise<null> {
    return null;
  }

  /** Called at the end, whatever happened. */
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

/** What is seen, in the words of scenarios. `outcome` is read from the page, never computed. */
const observed: Readonly<Record<Sight, Observation>> = {
  nudge: { page: 'prompt', outcome: 'skippable' },
  'nudge without a skip': { page: 'required', outcome: 'required' },
  home: { page: 'not-nudged', outcome: 'none' },
};
