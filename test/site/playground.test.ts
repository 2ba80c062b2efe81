import { describe, expect, it } from 'vitest';
import { PlaygroundSession } from '../../site/playground/session.ts';
import {
  actions,
  fromFragment,
  initialSettings,
  type Settings,
  toFragment,
  toScenario,
} from '../../site/playground/settings.ts';
import { createTimeline } from '../../site/playground/timeline.ts';
import type { Step } from '../../src/contract/scenario.schema.ts';
import { defaultPasskeyType, type StepKind } from '../../src/contract/step-names.ts';
import { clockSettingAt } from '../../src/core/clock.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import type { SignInView } from '../../src/sandbox/sign-in-view.ts';
import { signInParts } from '../../src/scenario/application-session.ts';
import type { Driver, DriverSession, Observation } from '../../src/scenario/driver.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadScenarios, loadText } from '../../src/scenario/load.ts';
import { getPageName } from '../../src/scenario/pages.ts';
import { runSuite } from '../../src/scenario/run-suite.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { scenarioFiles } from '../../src/scenario/scenario-files.ts';
import { findPromptName } from '../../src/scenario/step-check.ts';
import { Tabs } from '../../src/scenario/tabs.ts';
import { nonEmpty } from '../non-empty.ts';

const can: ReadonlySet<StepKind> = new Set(['signIn', 'skip', 'closeBrowser', 'register', 'advance']);
const options = { workers: 1, bail: false, repeat: 1, coverage: false };
const fixtures = new FixtureLibrary(['fixtures']);

/** Runs scenarios in the session of the playground. */
class PlaygroundDriver implements Driver {
  readonly name = 'playground';
  readonly can = can;

  async open({ plan }: Scenario): Promise<DriverSession> {
    const clock = clockSettingAt(plan.clock.nowMs, plan.clock.running);
    return new DrivenPlayground(await PlaygroundSession.begin({ ...plan, clock }));
  }

  async close(): Promise<void> {
    // A session holds nothing that has to be closed.
  }
}

class DrivenPlayground implements DriverSession {
  readonly #session: PlaygroundSession;
  readonly #tabs = new Tabs<{ readonly id: string; readonly os: string | undefined; readonly deviceId: string }>();

  constructor(session: PlaygroundSession) {
    this.#session = session;
  }

  async perform(step: Step): Promise<Observation> {
    if (step.kind === 'advance') {
      await this.#session.advance(step.say);
      return {};
    }
    if (step.kind === 'signIn') {
      const { user, tab, attempt } = signInParts(step.say);
      const view = await this.#session.signIn(user, attempt);
      this.#tabs.open(tab, { id: view.id, os: attempt.os, deviceId: attempt.deviceId ?? 'device-1' });
      const outcome = view.screen === 'prompt' ? 'skippable' : view.screen === 'required' ? 'required' : 'none';
      return { ...seen(view, 200), outcome };
    }
    const { id, os, deviceId } = this.#tabs.get(findPromptName(step));
    if (step.kind === 'closeBrowser') {
      await this.#session.close(id);
      return { page: 'closed', signInId: id };
    }
    try {
      if (step.kind === 'skip') return seen(await this.#session.skip(id), 200);
      const { passkey } = (step as Extract<Step, { kind: 'register' }>).say;
      const made = { type: passkey?.type ?? defaultPasskeyType(os), deviceId: passkey?.deviceId ?? deviceId };
      return seen(await this.#session.register(id, made), 200);
    } catch (error) {
      if (!(error instanceof NudgeLabError)) throw error;
      return seen(this.#session.view(id), error.status);
    }
  }

  async verdict(signInId: string) {
    return this.#session.verdict(signInId);
  }

  async nudgeStatus(userId: string) {
    return this.#session.status(userId);
  }

  async journal() {
    return null;
  }

  async close(): Promise<void> {
    // The session holds nothing that has to be closed.
  }
}

function seen(view: SignInView, status: number): Observation {
  return {
    page: getPageName(view.screen),
    visitedPages: view.interstitials.map(getPageName),
    signInId: view.id,
    status,
  };
}

/** Checks whether the playground can express the steps of a scenario, with sign-ins at the sign-in page itself. */
function isExpressible({ steps, tags }: Scenario): boolean {
  return (
    !tags.includes('ceremony') &&
    steps.every((step) => {
      if (step.kind !== 'signIn') return can.has(step.kind);
      const { application, otherWay, usernameless, origin } = signInParts(step.say);
      return application === null && otherWay === undefined && !usernameless && origin === null;
    })
  );
}

describe('the playground', () => {
  it('084: every shipped scenario that the playground can express passes in it', async () => {
    const loaded = loadScenarios(scenarioFiles(['scenarios'], process.cwd()), fixtures, process.cwd());
    const expressible = loaded.scenarios.filter(isExpressible);
    expect(expressible.length).toBeGreaterThan(150);
    const { results } = await runSuite(expressible, [new PlaygroundDriver()], options);
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(results).toHaveLength(expressible.length);
  });

  const campaigns: readonly (readonly [string, Partial<Settings>])[] = [
    ['a skipped prompt', { actions: ['sign-in', 'skip', 'hour', 'sign-in', 'day', 'sign-in'] }],
    ['a closed browser', { actions: ['sign-in', 'close', 'sign-in', 'day', 'sign-in', 'register', 'sign-in'] }],
    ['a passkey campaign', { method: 'fido2', os: 'macos', actions: ['sign-in', 'register', 'day', 'sign-in'] }],
    ['a passkey of the device', { method: 'fido2', passkey: 'windows-bound', actions: ['sign-in'] }],
    ['used-up snoozes', { days: 0, actions: ['sign-in', 'skip', 'sign-in', 'skip', 'sign-in', 'skip', 'sign-in'] }],
    ['a disabled campaign', { state: 'disabled', actions: ['sign-in'] }],
  ];

  it.for(campaigns)('084: the saved scenario of %s passes on the model', async ([, chosen]) => {
    const settings = { ...initialSettings, ...chosen };
    const { steps, expected } = await createTimeline(settings);
    expect(steps.filter(({ done }) => !done)).toEqual([]);
    expect(expected).toHaveLength(settings.actions.filter((action) => action === 'sign-in').length);
    const { scenarios, problems } = loadText('playground.yaml', toScenario(settings, expected), fixtures);
    expect(problems).toEqual([]);
    const { results } = await runSuite(nonEmpty(scenarios), [new ModelDriver()], options);
    expect(results.map(({ status }) => status)).toEqual(['passed']);
  });

  it('084: settings survive the address, and unknown values keep the defaults', () => {
    const settings: Settings = { ...initialSettings, method: 'fido2', days: 14, limited: false, os: 'ios', actions };
    expect(fromFragment(toFragment(settings))).toEqual(settings);
    expect(fromFragment('')).toEqual(initialSettings);
    expect(fromFragment('method=x&days=15&limited=x&actions=fly')).toEqual({ ...initialSettings, actions: [] });
    expect(fromFragment(`actions=${'day.'.repeat(1_000)}`).actions).toHaveLength(60);
  });

  it('prompt-not-open: an action without a sign-in is shown as not possible', async () => {
    const { steps, verdict } = await createTimeline({ ...initialSettings, actions: ['skip'] });
    expect(steps).toEqual([expect.objectContaining({ done: false, result: expect.stringContaining('Not possible') })]);
    expect(verdict).toBeNull();
  });
});
