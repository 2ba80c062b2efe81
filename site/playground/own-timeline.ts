import type { OwnVerdict } from '../../machines/own/evaluate-own.ts';
import { type OwnRules, type OwnRuleset, rulesAt } from '../../machines/own/own-ruleset.ts';
import { createOwnWords } from '../../machines/own/own-sentences.ts';
import { getOwnUser } from '../../machines/own/own-state.ts';
import { ruleSentence, verdictHeadline } from '../../machines/verdict-sentences.ts';
import type { PageName } from '../../src/contract/step-names.ts';
import { toInstant, toInstantOrNull } from '../../src/core/clock.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { counterfactualLines } from '../../src/report/counterfactual-text.ts';
import { findCounterfactual } from '../../src/sandbox/own-counterfactual.ts';
import type { OwnObservation } from '../../src/scenario/own/own-run.ts';
import { OwnSession } from '../../src/scenario/own/own-session.ts';
import { answerPrefix, createPlan, type ExpectedStep, toStep, toWrittenStep } from './own-steps.ts';
import { type Action, type Settings, userId } from './settings.ts';
import type { ShownVerdict, TimelineStep } from './timeline.ts';
import { describeStatus } from './timeline.ts';

/** Everything that the page shows for its settings and a ruleset with the base `own`. */
export interface OwnTimeline {
  readonly steps: readonly TimelineStep[];
  /** Verdict of the latest sign-in; `null` before the first one. */
  readonly verdict: ShownVerdict | null;
  readonly status: string;
  /** Page after the latest action at a prompt or sign-in; `null` before the first one. */
  readonly page: PageName | null;
  /** Rules in force after the last action, whose answers are the buttons. */
  readonly rules: OwnRules;
  /** Answers of the open prompt. */
  readonly answers: readonly string[];
  /** Steps that were possible, with what they led to. */
  readonly scenario: readonly ExpectedStep[];
}

/** Performs all actions of the settings on the model of an own ruleset. The result of an impossible action is its error. */
export function createOwnTimeline(settings: Settings, ruleset: OwnRuleset): OwnTimeline {
  const session = new OwnSession(createPlan(settings, ruleset));
  const steps: TimelineStep[] = [];
  const scenario: ExpectedStep[] = [];
  let verdict: ShownVerdict | null = null;
  let page: PageName | null = null;
  let answers: readonly string[] = [];
  let latest: LatestSignIn | null = null;
  for (const action of settings.actions) {
    const written = toWrittenStep(action, settings);
    let result: string;
    let done = true;
    try {
      const earlier = session.fork();
      const observation = session.perform(toStep(written));
      if (observation.verdict !== undefined) {
        verdict = describeVerdict(observation.verdict, session, ruleset);
        latest = { earlier, session: session.fork(), outcome: observation.verdict.outcome };
        answers = observation.verdict.answers;
      }
      page = observation.page ?? page;
      result = describeResult(observation, verdict, session);
      scenario.push({ ...written, expect: toExpectation(observation) });
    } catch (error) {
      if (!(error instanceof NudgeLabError)) throw error;
      done = false;
      result = `Not possible: ${error.message}`;
    }
    steps.push({ action, at: toInstant(session.nowMs), result, done });
  }
  const rules = rulesAt(ruleset, session.nowMs);
  const shown = verdict === null || latest === null ? verdict : { ...verdict, otherwise: describeOtherwise(latest) };
  return { steps, verdict: shown, status: describeNow(session), page, rules, answers, scenario };
}

/** Latest sign-in with the sessions before and after it. */
interface LatestSignIn {
  readonly earlier: OwnSession;
  readonly session: OwnSession;
  readonly outcome: OwnVerdict['outcome'];
}

/** Describes when, and under which other facts, a sign-in without a prompt would have one (OC47). */
function describeOtherwise({ earlier, session, outcome }: LatestSignIn): readonly string[] {
  const { state } = earlier.memory;
  const { user, ...owner } = getOwnUser(state, userId);
  const { lastAttempt: attempt } = getOwnUser(session.memory.state, userId);
  if (attempt === null) return [];
  const { ruleset, tenant, ledger, edition } = state;
  const question = { ruleset, tenant, attempt, user, owner, ledger, edition, snooze: null };
  const counterfactual = findCounterfactual(question, outcome);
  return counterfactual === null ? [] : counterfactualLines(counterfactual);
}

function describeNow(session: OwnSession): string {
  const { nextPromptAtMs, ...status } = session.status(userId);
  return describeStatus({ ...status, nextPromptAt: toInstantOrNull(nextPromptAtMs) });
}

function describeResult(
  { verdict, status, page }: OwnObservation,
  latest: ShownVerdict | null,
  session: OwnSession,
): string {
  if (verdict !== undefined) return latest?.headline ?? '';
  const rejected = status === undefined || status === 200 ? '' : `Rejected with ${status}. `;
  const next = page === undefined ? '' : ` (page ${page})`;
  return `${rejected}${describeNow(session)}${next}`;
}

function describeVerdict(verdict: OwnVerdict, session: OwnSession, ruleset: OwnRuleset): ShownVerdict {
  const rules = rulesAt(ruleset, session.nowMs);
  const words = createOwnWords(rules, toInstant);
  const { snoozes, snoozesLeft } = session.status(userId);
  const left = snoozesLeft === null ? null : { left: snoozesLeft, limit: snoozes + snoozesLeft };
  const { deadlineAtMs, edition, variant, method, outcome } = verdict;
  const label = rules.methods[method]?.label ?? method;
  const details = [
    ...(outcome === 'skippable' || outcome === 'required' ? [`The prompt asks for: ${label}.`] : []),
    ...(deadlineAtMs === null ? [] : [`The deadline is ${toInstant(deadlineAtMs)}.`]),
    ...(edition === null ? [] : [`The edition ${edition} is in force.`]),
    ...(variant === null ? [] : [`The user is in the variant ${variant}.`]),
  ];
  return {
    headline: verdictHeadline(verdict, left, words),
    details,
    otherwise: [],
    rules: verdict.rules.map((rule) => ({ id: rule.id, outcome: rule.outcome, sentence: ruleSentence(rule, words) })),
  };
}

function toExpectation({ verdict, page, status }: OwnObservation): ExpectedStep['expect'] {
  return {
    ...(page === undefined ? {} : { page }),
    ...(verdict === undefined ? {} : { outcome: verdict.outcome, reason: verdict.reason }),
    ...(status === undefined || status === 200 ? {} : { status }),
  };
}

/** Answers that no button has, because the browser or the clock gives them. */
const reservedAnswers: readonly string[] = ['close', 'expire', 'next'];

/** Action with the label of its button, and whether the page of the latest sign-in has it. */
export interface OfferedAction {
  readonly action: Action;
  readonly label: string;
  readonly isPossible: boolean;
}

/** Labels of the actions that every own ruleset has. */
const labels: Readonly<Partial<Record<Action, string>>> = {
  'sign-in': 'Sign in',
  'same-session': 'Sign in, same session',
  close: 'Close browser',
  register: 'Register',
  fail: 'Fail the setup',
  'skip-error': 'Skip the error',
  clear: 'Clear browser data',
  hour: '+1 hour',
  day: '+1 day',
  month: '+30 days',
};

/** Returns the actions of an own ruleset in the order of their buttons. */
export function listOwnActions({ page, rules, answers }: OwnTimeline): readonly OfferedAction[] {
  const isPrompt = page === 'prompt' || page === 'required';
  const isOpen = isPrompt || page === 'setup' || page === 'error-screen';
  const possible: Readonly<Partial<Record<Action, boolean>>> = {
    close: isOpen,
    register: isOpen,
    fail: isPrompt || page === 'setup',
    'skip-error': page === 'error-screen',
    clear: page !== null,
  };
  const ownAnswers = Object.entries(rules.answers)
    .filter(([id]) => !reservedAnswers.includes(id))
    .map(
      ([id, { label }]): OfferedAction => ({
        action: `${answerPrefix}${id}` as Action,
        label: label === '' ? id : label,
        isPossible: isPrompt && answers.includes(id),
      }),
    );
  const fixed = (Object.keys(labels) as Action[]).map(
    (action): OfferedAction => ({
      action,
      label: labels[action] ?? action,
      isPossible: possible[action] ?? true,
    }),
  );
  return [...fixed.slice(0, 2), ...ownAnswers, ...fixed.slice(2)];
}

/** Returns the name of an action in the timeline. */
export function nameOwnAction(action: Action, { rules }: OwnTimeline): string {
  const id = action.slice(answerPrefix.length);
  if (!action.startsWith(answerPrefix)) return labels[action] ?? action;
  const label = rules.answers[id]?.label ?? '';
  return label === '' ? id : label;
}
