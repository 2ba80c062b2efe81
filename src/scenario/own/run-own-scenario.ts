import { isDeepStrictEqual } from 'node:util';
import type { OwnVerdict } from '../../../machines/own/evaluate-own.ts';
import type { OwnExpectation } from '../../contract/own-scenario.schema.ts';
import type { Mismatch, StepResult } from '../../contract/result.schema.ts';
import { parseInstant, toInstantOrNull } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { OwnScenarioPlan, OwnStep } from './own-scenario.ts';
import { type OwnObservation, OwnSession } from './own-session.ts';

/** Runs a scenario of a ruleset file on the model. Returns the results of its steps; those after a failure are not run. */
export function runOwnSteps(plan: OwnScenarioPlan): readonly StepResult[] {
  const session = new OwnSession(plan);
  const results: StepResult[] = [];
  let failed = false;
  let verdict: OwnVerdict | null = null;
  for (const step of plan.steps) {
    if (failed) {
      results.push({ ...blank(step), status: 'not-run' });
      continue;
    }
    try {
      const observation = session.perform(step);
      verdict = observation.verdict ?? verdict;
      const mismatches = step.expect === null ? [] : listMismatches(step.expect, observation, verdict, session);
      failed = mismatches.length > 0;
      results.push({
        ...blank(step),
        checked: Object.keys(step.expect ?? {}).length,
        status: failed ? 'failed' : 'passed',
        mismatches,
        ...(observation.page === undefined ? {} : { page: observation.page }),
        ...(observation.verdict === undefined ? {} : { reason: observation.verdict.reason }),
      });
    } catch (error) {
      failed = true;
      const message = describeError(error);
      const expected = `${step.kind} is possible`;
      results.push({
        ...blank(step),
        status: 'failed',
        mismatches: [{ key: 'step', expected, actual: message, message }],
      });
    }
  }
  return results;
}

function describeError(error: unknown): string {
  if (!(error instanceof NudgeLabError)) throw error;
  const problems = error.problems.map(({ location, message }) => `${location}: ${message}`);
  return problems.length > 0 ? problems.join('; ') : `${error.code}: ${error.message}`;
}

function blank({ kind, line }: OwnStep): StepResult {
  return { kind, line, status: 'passed', checked: 0, mismatches: [] };
}

function listMismatches(
  expected: OwnExpectation,
  { page, status }: OwnObservation,
  verdict: OwnVerdict | null,
  session: OwnSession,
): readonly Mismatch[] {
  const userStatus = session.userId === null ? null : session.status(session.userId);
  const actual: Readonly<Record<keyof OwnExpectation, unknown>> = {
    page,
    status,
    outcome: verdict?.outcome,
    reason: verdict?.reason,
    answers: verdict?.answers,
    deadlineAt: toInstantOrNull(verdict?.deadlineAtMs ?? null),
    edition: verdict?.edition,
    variant: verdict?.variant,
    state: userStatus?.state,
    snoozes: userStatus?.snoozes,
    snoozesLeft: userStatus?.snoozesLeft,
    nextPromptAt: toInstantOrNull(userStatus?.nextPromptAtMs ?? null),
  };
  return Object.entries(expected).flatMap(([key, wanted]): readonly Mismatch[] => {
    const name = key as keyof OwnExpectation;
    const isTime = name === 'deadlineAt' || name === 'nextPromptAt';
    const same = (value: unknown): unknown => (isTime && typeof value === 'string' ? parseInstant(value) : value);
    if (isDeepStrictEqual(same(wanted), same(actual[name]))) return [];
    const message = verdict === null ? undefined : describeTrace(verdict);
    return [{ key, expected: wanted, actual: actual[name] ?? null, ...(message === undefined ? {} : { message }) }];
  });
}

/** Describes the result of each gate in one line. */
function describeTrace({ rules, outcome, reason }: OwnVerdict): string {
  const gates = rules.map((rule) => `${rule.id} ${rule.outcome}${rule.outcome === 'stopped' ? ` ${rule.reason}` : ''}`);
  return `The verdict is ${outcome}${reason === null ? '' : ` (${reason})`}: ${gates.join(', ')}.`;
}
