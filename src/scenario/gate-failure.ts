import { NudgeLabError } from '../core/errors.ts';
import { gateErrors } from '../core/gate-errors.ts';
import type { Scenario } from './scenario.ts';

/**
 * Adds the scenario to the error of a gate module, because one module decides the sign-ins of many scenarios.
 *
 * @param error - what a scenario threw
 * @param scenario - the scenario that ran
 * @returns an error of the same code whose message names the file and the name of the scenario; every other error unchanged
 */
export function withScenario(error: unknown, { file, name }: Scenario): unknown {
  if (!(error instanceof NudgeLabError) || !Object.hasOwn(gateErrors, error.code)) return error;
  const message = `${error.message} This occurred in the scenario "${name}" of ${file}.`;
  return new NudgeLabError(error.code, { message, cause: error });
}
