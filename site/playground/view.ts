import { toOwnScenario } from './own-steps.ts';
import { createOwnTimeline, listOwnActions, nameOwnAction, type OfferedAction } from './own-timeline.ts';
import type { PlaygroundRuleset } from './rulesets.ts';
import { type Action, type CampaignAction, isCampaignAction, type Settings, toScenario } from './settings.ts';
import { createTimeline, describeStatus, type ShownVerdict, type Timeline } from './timeline.ts';

/** Action of the timeline with its name and its result. */
interface ShownStep {
  readonly name: string;
  readonly at: string;
  readonly result: string;
}

/** What the page shows below its fields, for a ruleset of any base. */
export interface PlaygroundView {
  readonly steps: readonly ShownStep[];
  readonly status: string;
  readonly verdict: ShownVerdict | null;
  readonly actions: readonly OfferedAction[];
  /** Scenario that repeats the timeline. */
  readonly scenario: string;
}

const campaignLabels: Readonly<Record<CampaignAction, string>> = {
  'sign-in': 'Sign in',
  skip: 'Skip',
  close: 'Close browser',
  register: 'Register',
  hour: '+1 hour',
  day: '+1 day',
};

/**
 * Performs the actions of the settings, and describes what they led to.
 *
 * @param settings - the settings, whose given values have no problems
 * @param ruleset - the ruleset
 * @returns what the page shows
 */
export async function createView(settings: Settings, ruleset: PlaygroundRuleset): Promise<PlaygroundView> {
  const { own } = ruleset;
  if (own !== null) {
    const timeline = createOwnTimeline(settings, own);
    return {
      steps: timeline.steps.map(({ action, at, result }) => ({ name: nameOwnAction(action, timeline), at, result })),
      status: timeline.status,
      verdict: timeline.verdict,
      actions: listOwnActions(timeline),
      scenario: toOwnScenario(settings, ruleset, timeline.scenario),
    };
  }
  const timeline = await createTimeline(settings, ruleset);
  const { steps, verdict, expected } = timeline;
  const actions = steps.filter(({ done }) => done).map(({ action }) => action);
  return {
    steps: steps.map(({ action, at, result }) => ({ name: nameCampaignAction(action), at, result })),
    status: describeStatus(timeline.status),
    verdict,
    actions: listCampaignActions(timeline),
    scenario: toScenario({ ...settings, actions }, expected, ruleset),
  };
}

function nameCampaignAction(action: Action): string {
  return isCampaignAction(action) ? campaignLabels[action] : action;
}

function listCampaignActions({ screen }: Timeline): readonly OfferedAction[] {
  const isPrompt = screen === 'prompt' || screen === 'required';
  const possible: Readonly<Record<CampaignAction, boolean>> = {
    'sign-in': true,
    skip: screen === 'prompt',
    close: isPrompt,
    register: isPrompt,
    hour: true,
    day: true,
  };
  return (Object.keys(campaignLabels) as CampaignAction[]).map((action) => ({
    action,
    label: campaignLabels[action],
    isPossible: possible[action],
  }));
}
