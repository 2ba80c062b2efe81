import { inMemory } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadText } from '../../../src/scenario/load.ts';
import type { Scenario } from '../../../src/scenario/scenario.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';

const fixtures = new FixtureLibrary(['fixtures']);

/** Server in this process, with its sandboxes. */
export interface TestServer extends RunningServer {
  readonly sandboxes: Sandboxes;
}

/** Starts a server without sandboxes on a free port. */
export async function startTestServer(): Promise<TestServer> {
  const sandboxes = await Sandboxes.open(inMemory());
  const server = await startServer({ sandboxes, port: 0 });
  return {
    ...server,
    sandboxes,
    close: async () => {
      await server.close();
      await sandboxes.close();
    },
  };
}

/**
 * Creates a scenario with the given steps on a tenant fixture, with the user ada. Throws if the scenario is not
 * valid.
 */
export function createScenario(tenant: string, steps: string): Scenario {
  const text = `name: A claim\ngiven: { tenant: ${tenant}, users: { ada: sms-user } }\nsteps:\n${steps}`;
  const { scenarios, problems } = loadText('suite/one.yaml', text, fixtures);
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error(JSON.stringify(problems));
  return scenario;
}
