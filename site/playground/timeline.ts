import type { Screen } from '../../machines/sign-in.machine.ts';
import { type EvaluatedRule, ruleSentence, verdictHeadline } from '../../machines/verdict-sentences.ts';
import { attemptInputSchema } from '../../src/contract/context.schema.ts';
import { defaultPasskeyType } from '../../src/contract/step-names.ts';
import { toInstant } from '../../src/core/clock.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { getBuiltIn, type PlaygroundRuleset } from './rulesets.ts';
import { PlaygroundSession, type PlaygroundStatus } from './session.ts';
import {
  type Action,
  type CampaignAction,
  createAttempt,
  deviceId,
  type ExpectedSignIn,
  isCampaignAction,
  type Settings,
  toSandbox,
  userId,
} from './settings.ts';

/** One action and its result. */
export interface TimelineStep {
  readonly action: Action;
  /** Virtual time after the action. */
  readonly at: string;
  readonly result: string;
  /** False if the action was not possible. */
  readonly done: boolean;
}

/** Result of one rule as a sentence. */
interface ShownRule extends Pick<EvaluatedRule, 'id' | 'outcome'> {
  readonly sentence: string;
}

/** Verdict as sentences. */
export interface ShownVerdict {
  readonly headline: string;
  /** Sentences about the prompt, its deadline and the rules in force. */
  readonly details: readonly string[];
  readonly rules: readonly ShownRule[];
  /** When, and under which other facts, there would be a prompt; only for own rulesets. */
  readonly otherwise: readonly string[];
}

/** Everything that the page shows for its settings and a registration campaign. */
export interface Timeline {
  readonly steps: readonly TimelineStep[];
  /** Verdict of the latest sign-in; `null` before the first one. */
  readonly verdict: ShownVerdict | null;
  readonly status: PlaygroundStatus;
  /** Screen of the latest sign-in; `null` before the first one. */
  readonly screen: Screen | null;
  readonly expected: readonly ExpectedSignIn[];
}

/**
 * Performs all actions of the settings in a new session. The result of an impossible action is its error.
 *
 * @param settings - the settings
 * @param ruleset - ruleset of the registration campaign
 * @returns what the page shows
 */
export async function createTimeline(
  settings: Settings,
  ruleset: PlaygroundRuleset = getBuiltIn('seed'),
): Promise<Timeline> {
  const session = await PlaygroundSession.begin(toSandbox(settings, ruleset));
  const steps: TimelineStep[] = [];
  const expected: ExpectedSignIn[] = [];
  let verdict: Timeline['verdict'] = null;
  let signInId: string | null = null;
  for (const action of settings.actions.filter(isCampaignAction)) {
    let result: string;
    let done = true;
    try {
      if (action === 'sign-in') {
        signInId = (await session.signIn(userId, attemptInputSchema.parse(createAttempt(settings)))).id;
        const evaluated = session.verdict(signInId);
        if (evaluated !== null) {
          const { outcome, reason, rules, edition = null } = evaluated;
          const { snoozes, snoozesLeft } = session.status(userId);
          const words = session.words();
          const left = snoozesLeft === null ? null : { left: snoozesLeft, limit: snoozes + snoozesLeft };
          verdict = {
            headline: verdictHeadline(evaluated, left, words),
            otherwise: [],
            details: edition === null ? [] : [`The edition ${edition} is in force.`],
            rules: rules.map((rule) => ({ id: rule.id, outcome: rule.outcome, sentence: ruleSentence(rule, words) })),
          };
          expected.push({ outcome, reason });
        }
        result = verdict?.headline ?? '';
      } else {
        await perform(session, action, signInId, settings);
        result = describeStatus(session.status(userId));
      }
    } catch (error) {
      if (!(error instanceof NudgeLabError)) throw error;
      done = false;
      result = `Not possible: ${error.message}`;
    }
    steps.push({ action, at: toInstant(session.nowMs), result, done });
  }
  const screen = signInId === null ? null : session.view(signInId).screen;
  return { steps, verdict, status: session.status(userId), screen, expected };
}

async function perform(
  session: PlaygroundSession,
  action: Exclude<CampaignAction, 'sign-in'>,
  signInId: string | null,
  { os }: Settings,
): Promise<void> {
  if (action === 'hour') return session.advance({ hours: 1 });
  if (action === 'day') return session.advance({ days: 1 });
  if (signInId === null) throw new NudgeLabError('prompt-not-open');
  if (action === 'skip') await session.skip(signInId);
  else if (action === 'close') await session.close(signInId);
  else await session.register(signInId, { type: defaultPasskeyType(os), deviceId });
}

/** Describes a nudge status in one sentence. */
export function describeStatus({ state, snoozes, snoozesLeft, nextPromptAt }: PlaygroundStatus): string {
  const left = snoozesLeft === null ? 'unlimited' : String(snoozesLeft);
  const next = nextPromptAt === null ? '' : `; next prompt from ${nextPromptAt}`;
  return `State ${state}, ${snoozes} snoozes, ${left} left${next}`;
}
