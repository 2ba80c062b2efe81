import { isDeepStrictEqual } from 'node:util';
import type { OwnVerdict } from '../../../machines/own/evaluate-own.ts';
import type { OwnExpectation } from '../../contract/own-scenario.schema.ts';
import type { Mismatch, StepResult } from '../../contract/result.schema.ts';
import { parseInstant, toInstantOrNull } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { gateErrors } from '../../core/gate-errors.ts';
import type { ScenarioCoverage } from './own-coverage.ts';
import type { OwnObservation, OwnRun, OwnUserStatus } from './own-run.ts';
import type { OwnScenarioPlan, OwnStep } from './own-scenario.ts';
import { OwnSession } from './own-session.ts';

/**
 * Runs a scenario of a ruleset file. Returns the results of its steps; those after a failure are not run.
 *
 * @param run - scenario in progress on a driver
 * @param coverage - receives every step that was performed
 */
export async function runOwnScenario(
  run: OwnRun,
  plan: OwnScenarioPlan,
  coverage: ScenarioCoverage | null,
): Promise<readonly StepResult[]> {
  const results = new OwnResults(coverage);
  for (const step of plan.steps) {
    if (results.failed) results.skip(step);
    else {
      try {
        const observation = await run.perform(step);
        const { userId, nowMs } = run;
        results.add(step, observation, { userId, nowMs, status: userId === null ? null : await run.status(userId) });
      } catch (error) {
        results.fail(step, error);
      }
    }
  }
  return results.list;
}

/** Runs a scenario of a ruleset file on the campaign itself, without a sandbox: for searches through many rulesets. */
export function runOwnSteps(plan: OwnScenarioPlan): readonly StepResult[] {
  const session = new OwnSession(plan);
  const results = new OwnResults(null);
  for (const step of plan.steps) {
    if (results.failed) results.skip(step);
    else {
      try {
        const observation = session.perform(step);
        const { userId, nowMs } = session;
        const found = userId === null ? null : session.status(userId);
        const status = found && { ...found, nextPromptAt: toInstantOrNull(found.nextPromptAtMs) };
        results.add(step, observation, { userId, nowMs, status });
      } catch (error) {
        results.fail(step, error);
      }
    }
  }
  return results.list;
}

/** State of a scenario after a step. */
interface Moment {
  readonly userId: string | null;
  readonly nowMs: number;
  readonly status: OwnUserStatus | null;
}

/** Results of the steps of one scenario. */
class OwnResults {
  readonly list: StepResult[] = [];
  readonly #coverage: ScenarioCoverage | null;
  #verdict: OwnVerdict | null = null;
  failed = false;

  constructor(coverage: ScenarioCoverage | null) {
    this.#coverage = coverage;
  }

  /** Adds a step that was performed, and compares what it led to with what the scenario expects. */
  add(step: OwnStep, observation: OwnObservation, { userId, nowMs, status }: Moment): void {
    this.#verdict = observation.verdict ?? this.#verdict;
    const nextPromptAtMs = parseInstant(status?.nextPromptAt ?? '');
    this.#coverage?.note(step, observation, userId, {
      nowMs,
      nextPromptAtMs,
      snoozesLeft: status?.snoozesLeft ?? null,
    });
    const mismatches = step.expect === null ? [] : listMismatches(step.expect, observation, this.#verdict, status);
    this.failed = mismatches.length > 0;
    this.list.push({
      ...blank(step),
      checked: Object.keys(step.expect ?? {}).length,
      status: this.failed ? 'failed' : 'passed',
      mismatches,
      ...(observation.page === undefined ? {} : { page: observation.page }),
      ...(observation.verdict === undefined ? {} : { reason: observation.verdict.reason }),
    });
  }

  /** Adds a step that was impossible. Throws the error of a gate module, which is a fault of the ruleset. */
  fail(step: OwnStep, error: unknown): void {
    const message = describeError(error);
    this.failed = true;
    const expected = `${step.kind} is possible`;
    this.list.push({
      ...blank(step),
      status: 'failed',
      mismatches: [{ key: 'step', expected, actual: message, message }],
    });
  }

  /** Adds a step after a failure. */
  skip(step: OwnStep): void {
    this.list.push({ ...blank(step), status: 'not-run' });
  }
}

function describeError(error: unknown): string {
  // A gate module that fails is a fault of the ruleset, not a failed expectation (OC32).
  if (!(error instanceof NudgeLabError) || error.code in gateErrors) throw error;
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
  userStatus: OwnUserStatus | null,
): readonly Mismatch[] {
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
    nextPromptAt: userStatus?.nextPromptAt ?? null,
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
