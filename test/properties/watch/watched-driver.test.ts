import { describe, expect, it } from 'vitest';
import { assign } from 'xstate';
import { nudgeMachine } from '../../../machines/nudge.machine.ts';
import { readPropertiesText } from '../../../src/properties/language/read-properties.ts';
import { readShippedProperties } from '../../../src/properties/shipped-properties.ts';
import { UserTraces } from '../../../src/properties/watch/user-traces.ts';
import { findViolations, requireWatchable, selectWatchable } from '../../../src/properties/watch/watch-properties.ts';
import { watchDriver } from '../../../src/properties/watch/watched-driver.ts';
import { SandboxModel } from '../../../src/sandbox/sandbox.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadText } from '../../../src/scenario/load.ts';
import { runScenario } from '../../../src/scenario/run-scenario.ts';
import type { Scenario } from '../../../src/scenario/scenario.ts';

const fixtures = new FixtureLibrary(['fixtures']);

function load(text: string): Scenario {
  const [scenario] = loadText('suite/one.yaml', text, fixtures).scenarios;
  if (scenario === undefined) throw new RangeError('The text contains no scenario.');
  return scenario;
}

const shipped = selectWatchable(readShippedProperties());

const skipTwice = load(`name: A user skips two prompts
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt }
  - skip: {}
  - advance: { days: 1 }
  - signIn: { user: ada }
  - skip: {}
`);

const twoTabs = load(`name: A user skips in two tabs
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada, as: first }
    expect: { page: prompt }
  - signIn: { user: ada, as: second }
  - skip: { prompt: first }
  - skip: { prompt: second }
`);

const noSecond = readPropertiesText(
  'team.properties.yaml',
  'properties: [{ id: once, title: No user snoozes twice, property: { never: { fact: snoozes, is: 2 } } }]',
);

async function run(scenario: Scenario, driver: ModelDriver, properties = shipped) {
  return runScenario(scenario, watchDriver(driver, properties), null);
}

/** Model whose second skip forgets the first one. */
const forgetful = new SandboxModel({
  nudge: nudgeMachine.provide({
    actions: {
      countSkip: assign(({ context, event }) => ({
        count: context.count > 0 ? 0 : 1,
        snoozedAtMs: event.type === 'prompt.skipped' ? event.nowMs : context.snoozedAtMs,
        openPrompts: [],
      })),
    },
  }),
});

describe('watchDriver', () => {
  it('PR24: the properties of the specification hold on a run of the model', async () => {
    expect(shipped.length).toBeGreaterThan(10);
    expect(await run(skipTwice, new ModelDriver())).toMatchObject({ status: 'passed' });
  });

  it('PR24: a step after which a property is violated fails, with the user, the time and the event', async () => {
    const { status, steps } = await run(skipTwice, new ModelDriver(), noSecond);
    expect(status).toBe('failed');
    expect(steps.map((step) => step.status)).toEqual(['passed', 'passed', 'passed', 'passed', 'failed']);
    expect(steps[4]?.mismatches[0]?.message).toBe(
      'property-violated: The property once is violated for the user ada at 2026-01-06T09:00:00.000Z with prompt.skipped: No user snoozes twice.',
    );
  });

  it('PR24: the steps of the observed system count, not those of the specification', async () => {
    const { status, steps } = await run(skipTwice, new ModelDriver(forgetful));
    expect(status).toBe('failed');
    expect(steps.find((step) => step.status === 'failed')?.mismatches[0]?.message).toMatch(
      /^property-violated: The property count-never-falls /,
    );
  });

  it('PR24: a path ends when a second prompt opens, because the properties speak about one prompt', async () => {
    expect(await run(twoTabs, new ModelDriver())).toMatchObject({ status: 'passed' });
  });

  it('PR24: a journal of a server has the same violations as the observed model', async () => {
    const session = await new ModelDriver().open(skipTwice);
    for (const step of skipTwice.steps) await session.perform(step);
    const violations = findViolations(UserTraces.read(await session.journal()), noSecond);
    expect(violations).toMatchObject([{ property: 'once', userId: 'ada', event: 'prompt.skipped' }]);
    expect(findViolations(UserTraces.read(await session.journal()), shipped)).toEqual([]);
  });

  it('PR24: a system without a journal is rejected', async () => {
    const driver = new ModelDriver();
    const blind = Object.assign(Object.create(driver), {
      open: async (scenario: Scenario) => {
        const session = await driver.open(scenario);
        return Object.assign(Object.create(session), {
          watch: undefined,
          perform: session.perform.bind(session),
          journal: async () => null,
          close: async () => undefined,
        });
      },
    }) as ModelDriver;
    const { steps } = await run(skipTwice, blind);
    expect(steps[0]?.mismatches[0]?.message).toContain('The system of the model driver has no journal');
  });

  it('property-invalid: properties of other machines, and with actions or the class of the user, cannot be watched', () => {
    const text = `properties:
  - { id: other, title: Of a machine, machine: sign-in, property: { always: { state: welcome } } }
  - { id: acts, title: With an action, property: { never: { action: signs in } } }
  - { id: user, title: With the user, property: { never: { fact: user, is: excluded } } }
  - { id: fine, title: Of the lifecycle, property: { always: { fact: snoozes, atMost: 3 } } }
`;
    const properties = readPropertiesText('team.properties.yaml', text);
    expect(selectWatchable(properties).map(({ id }) => id)).toEqual(['fine']);
    const location = (line: number) => expect.stringMatching(new RegExp(`^team\\.properties\\.yaml:${line}:`));
    expect(() => requireWatchable(properties)).toThrow(
      expect.objectContaining({
        code: 'property-invalid',
        problems: [2, 3, 4].map((line) => expect.objectContaining({ location: location(line) })),
      }),
    );
  });
});
