import type { Driver, DriverSession, JournalEntry, ObservationRequest } from '../../../scenario/driver.ts';
import type { Scenario } from '../../../scenario/scenario.ts';
import type { ChartLog } from './chart-log.ts';

/** Wraps a driver to count its scenarios on the statecharts, from the journal of each scenario. */
export function chartedDriver(driver: Driver, charts: ChartLog): Driver {
  return {
    name: driver.name,
    can: driver.can,
    ...(driver.canFail === undefined ? {} : { canFail: (fault) => driver.canFail?.(fault) ?? true }),
    ...(driver.hasApplications === undefined ? {} : { hasApplications: driver.hasApplications }),
    ...(driver.hasCeremonies === undefined ? {} : { hasCeremonies: driver.hasCeremonies }),
    ...(driver.hasRelatedOrigins === undefined ? {} : { hasRelatedOrigins: driver.hasRelatedOrigins }),
    ...(driver.timeoutFactor === undefined ? {} : { timeoutFactor: driver.timeoutFactor }),
    open: async (scenario) => {
      charts.begin(scenario.id);
      return chartedSession(await driver.open(scenario), scenario, charts);
    },
    close: () => driver.close(),
  };
}

function chartedSession(session: DriverSession, { id }: Scenario, charts: ChartLog): DriverSession {
  let journal: readonly JournalEntry[] | null = null;
  const { watch, observe, keepEvidence } = session;
  return {
    perform: (step) => session.perform(step),
    verdict: (signInId) => session.verdict(signInId),
    nudgeStatus: (userId) => session.nudgeStatus(userId),
    journal: () => session.journal(),
    ...(watch === undefined ? {} : { watch: (watcher) => watch.call(session, watcher) }),
    ...(observe === undefined
      ? {}
      : {
          // The last observation deletes the sandbox of a server.
          observe: async (request: ObservationRequest) => {
            if (request.last) journal = await session.journal();
            return observe.call(session, request);
          },
        }),
    ...(keepEvidence === undefined ? {} : { keepEvidence: () => keepEvidence.call(session) }),
    close: async () => {
      if (observe === undefined) journal = await session.journal().catch(() => null);
      await session.close();
      if (journal !== null) charts.note(id, journal);
    },
  };
}
