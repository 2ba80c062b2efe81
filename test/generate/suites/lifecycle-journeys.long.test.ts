import { describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../machines/campaign-limits.ts';
import type { ProductSteps } from '../../../src/generate/exploration/product-steps.ts';
import { expectedScenario, type Journey, toScenario } from '../../../src/generate/journey.ts';
import { type ControlView, controlView } from '../../../src/generate/models/lifecycle-view.ts';
import { exploredLifecycle, lifecycleSuite, listJourneys } from '../../../src/generate/suites/lifecycle-journeys.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { nonEmpty } from '../../non-empty.ts';

// The tests try many paths, which takes a long time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const startMs = Date.parse('2026-01-05T09:00:00.000Z');
const oneDay = { snoozeDays: [1], distinguishedDays: 1 } as const;

interface Seen {
  readonly page: string | null | undefined;
  readonly nudgeStatus: object;
}

/** Returns the page and the nudge status after each step of a scenario, in the format of the product view. */
async function shownBy(journey: Journey): Promise<readonly Seen[]> {
  const scenario = toScenario(journey);
  const session = await new ModelDriver().open(scenario);
  const shown: Seen[] = [];
  let nowMs = startMs;
  for (const step of scenario.steps) {
    const { page } = await session.perform(step);
    if (step.kind === 'advance') nowMs += (step.say.days ?? 0) * dayMs;
    const status = await session.nudgeStatus('ada');
    if (status === null) throw new TypeError('The model tells every nudge status.');
    const { state, snoozes, snoozesLeft, nextPromptAt } = status;
    const daysToNextPrompt =
      nextPromptAt === null ? null : Math.max(0, Math.ceil((Date.parse(nextPromptAt) - nowMs) / dayMs));
    const nudgeStatus = { state, snoozes: Math.min(3, snoozes), snoozesLeft, daysToNextPrompt };
    shown.push({ page: page === 'signed-in' || page === 'not-nudged' ? null : page, nudgeStatus });
  }
  await session.close();
  return shown;
}

/** Returns the views of the product states along a test. */
function listViews(test: readonly string[], { graph, explored, compiled }: ProductSteps): readonly ControlView[] {
  const names = compiled.product.actions.map(({ name }) => name);
  let state = 0;
  return test.map((name) => {
    state = graph.targets[state * graph.labels + names.indexOf(name)] as number;
    return controlView(explored.getState(state));
  });
}

function getNudgeStatus({ page: _page, skippable: _skippable, ...nudgeStatus }: ControlView): object {
  return nudgeStatus;
}

describe('journeys over the lifecycle', () => {
  test.for(['states', 'transitions', 'pairs'] as const)(
    'R5, R6, R7: after every step of a suite for %s, the model is in the state of the generated path',
    async (cover) => {
      const suite = lifecycleSuite({ ...oneDay, cover });
      const steps = exploredLifecycle(oneDay);
      expect(suite.journeys.length).toBe(suite.tests.length);
      expect(suite.journeys.length).toBeGreaterThan(3);
      for (const [index, test] of nonEmpty(suite.tests.entries())) {
        const shown = await shownBy(suite.journeys[index] as Journey);
        const views = listViews(test, steps);
        expect(shown.map(({ nudgeStatus }) => nudgeStatus)).toEqual(views.map(getNudgeStatus));
        // A step without a tab, such as a wait, shows no page.
        const seen = shown.map(({ page }, at) => (page === undefined ? undefined : views[at]?.page));
        expect(shown.map(({ page }) => page)).toEqual(seen);
      }
    },
  );

  test('R5, R6, R7: tests with distinguishing sequences end in the final states of the generated paths', async () => {
    const suite = lifecycleSuite({ ...oneDay, suffixes: 'ends', resetCost: 0 });
    const steps = exploredLifecycle(oneDay);
    for (const [index, test] of nonEmpty(suite.tests.entries())) {
      const shown = await shownBy(suite.journeys[index] as Journey);
      expect(shown.at(-1)?.nudgeStatus).toEqual(listViews(test, steps).map(getNudgeStatus).at(-1));
    }
  });

  test('R5 to R9: the scenarios of a suite pass on the model and confirm every rule and assumption that they claim', async () => {
    const { journeys } = lifecycleSuite({ snoozeDays: [1, 2] });
    const scenarios = await Promise.all(journeys.map(async (journey) => toScenario(await expectedScenario(journey))));
    const report = await runSuite(scenarios, [new ModelDriver()], {
      workers: 1,
      bail: false,
      repeat: 1,
      coverage: true,
    });
    expect(report.summary).toMatchObject({ passed: journeys.length, failed: 0, skipped: 0 });
    expect(report.results.flatMap(({ unconfirmedClaims }) => unconfirmedClaims)).toEqual([]);
  });

  test('A3: a test that waits and resets claims only what it shows', () => {
    const steps = exploredLifecycle(oneDay);
    const [journey] = listJourneys([['signs in', 'skips', 'the nudge status is reset', 'skips']], steps, {
      what: 'By hand',
      snoozeDays: [1],
    });
    expect(journey).toMatchObject({ name: 'By hand, test 1 of 1', covers: expect.arrayContaining(['A3', 'R7']) });
    expect(journey?.covers).not.toContain('R9');
    // The second skip is omitted, because no page has a skip button at that time.
    expect(journey?.steps.map((step) => Object.keys(step)[0])).toEqual(['signIn', 'skip', 'setUser']);
  });

  test('R5, R6: the plain list of events of a test leads the lifecycle to the final state of the generated path', () => {
    const steps = exploredLifecycle(oneDay);
    const { compiled } = steps.compiled.parts[0] as (typeof steps.compiled.parts)[number];
    for (const walk of nonEmpty(lifecycleSuite(oneDay).tests)) {
      let state = 0;
      for (const { part, event } of steps.listEvents(walk)) {
        if (part === 'nudge') state = compiled.target(state, compiled.events.indexOf(event as never));
      }
      const { state: ends } = listViews(walk, steps).at(-1) as ControlView;
      expect((compiled.states[state] as { readonly value: unknown }).value).toBe(ends);
    }
  });

  test('R6: the same suite has the same bytes each time', () => {
    const bytes = () => JSON.stringify(lifecycleSuite({ ...oneDay, cover: 'pairs' }));
    expect(bytes()).toBe(bytes());
  });
});
