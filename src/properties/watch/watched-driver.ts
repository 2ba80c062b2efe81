import { NudgeLabError } from '../../core/errors.ts';
import type { Driver, DriverSession, ReplayObserver } from '../../scenario/driver.ts';
import type { Property } from '../language/formula.ts';
import { UserTraces } from './user-traces.ts';
import { findViolations, formatViolation } from './watch-properties.ts';

/**
 * Adds properties to a driver: a step after which a property is violated fails. A system in this process is observed,
 * and of any other system the journal is read after each step.
 *
 * @param driver - driver of a system with a journal
 * @param properties - properties that can be watched
 * @returns the driver that also checks the properties
 */
export function watchDriver(driver: Driver, properties: readonly Property[]): Driver {
  const { name, can, hasApplications, hasCeremonies, hasRelatedOrigins, timeoutFactor } = driver;
  return {
    name,
    can,
    ...(driver.canFail === undefined ? {} : { canFail: (fault) => driver.canFail?.(fault) ?? true }),
    ...(hasApplications === undefined ? {} : { hasApplications }),
    ...(hasCeremonies === undefined ? {} : { hasCeremonies }),
    ...(hasRelatedOrigins === undefined ? {} : { hasRelatedOrigins }),
    ...(timeoutFactor === undefined ? {} : { timeoutFactor }),
    open: async (scenario) => watchSession(await driver.open(scenario), name, properties),
    close: () => driver.close(),
  };
}

function watchSession(session: DriverSession, driver: string, properties: readonly Property[]): DriverSession {
  const { watch, observe, keepEvidence } = session;
  const observed = watch === undefined ? null : new UserTraces();
  if (observed !== null) watch?.call(session, observed);
  return {
    perform: async (step) => {
      const observation = await session.perform(step);
      const [violation] = findViolations(observed ?? (await readTraces(session, driver)), properties);
      if (violation !== undefined)
        throw new NudgeLabError('property-violated', { message: formatViolation(violation) });
      return observation;
    },
    verdict: (signInId) => session.verdict(signInId),
    nudgeStatus: (userId) => session.nudgeStatus(userId),
    journal: () => session.journal(),
    close: () => session.close(),
    ...(observed === null ? {} : { watch: (other) => watch?.call(session, forward(observed, other)) }),
    ...(observe === undefined ? {} : { observe: (request) => observe.call(session, request) }),
    ...(keepEvidence === undefined ? {} : { keepEvidence: () => keepEvidence.call(session) }),
  };
}

async function readTraces(session: DriverSession, driver: string): Promise<UserTraces> {
  const entries = await session.journal();
  if (entries !== null) return UserTraces.read(entries);
  throw new NudgeLabError('usage-invalid', {
    message: `The system of the ${driver} driver has no journal, so no properties can be watched on it.`,
  });
}

/** Passes the observations of a system to two observers. */
function forward(traces: UserTraces, other: ReplayObserver): ReplayObserver {
  return {
    evaluated: (verdict) => other.evaluated(verdict),
    moved: (...step) => {
      traces.moved(...step);
      other.moved(...step);
    },
    entered: (moment) => {
      traces.entered(moment);
      other.entered?.(moment);
    },
  };
}
