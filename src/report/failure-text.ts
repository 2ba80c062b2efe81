import type { Mismatch, ScenarioResult, StepResult } from '../contract/result.schema.ts';
import { differencesBetween } from './differences.ts';
import type { Palette } from './palette.ts';
import { compactTrace, valueText } from './trace-text.ts';

/**
 * Formats the failure of a scenario as lines: the step with its location, the expected and actual values, the gates
 * of its verdict, and the command to repeat it.
 */
export function failureLines(result: ScenarioResult, palette: Palette): readonly string[] {
  return [
    `${palette.bad('FAILED')} ${palette.strong(result.id)} on ${result.driver}`,
    `  ${result.name}`,
    ...(result.message === undefined ? [] : [`  ${result.message}`, ...unfinishedLines(result)]),
    ...result.steps.filter(({ status }) => status === 'failed').flatMap((step) => stepLines(result, step, palette)),
    ...unconfirmedLines(result),
    ...(result.evidence ?? []).map((file) => `  evidence: ${file}`),
    `  repeat: ${palette.strong(result.command)}`,
  ];
}

/** Formats the first failure of a scenario in one line. */
export function failureHeadline(result: ScenarioResult): string {
  const step = result.steps.find(({ status }) => status === 'failed');
  const [mismatch] = step?.mismatches ?? [];
  if (step === undefined || mismatch === undefined) return result.message ?? unconfirmedLines(result).join(' ').trim();
  const what = mismatch.message ?? `expected ${valueText(mismatch.expected)}, got ${valueText(mismatch.actual)}`;
  return `${step.kind}, line ${step.line}: ${mismatch.key}: ${what}`;
}

/** Returns the unfinished step of a scenario that ended outside a step, such as by a timeout. */
function unfinishedLines({ file, steps }: ScenarioResult): readonly string[] {
  const step = steps.find(({ status }) => status !== 'passed');
  return step?.status === 'not-run' ? [`  ${file}:${step.line} ${step.kind} did not finish`] : [];
}

function stepLines({ file }: ScenarioResult, step: StepResult, palette: Palette): readonly string[] {
  const { reason, rules } = step;
  const verdict = reason === undefined ? [] : [`verdict: ${reason ?? 'no reason, so the user is prompted'}`];
  return [
    `  ${file}:${step.line} ${step.kind}`,
    ...step.mismatches.flatMap((mismatch) => mismatchLines(mismatch, palette)),
    ...[...verdict, ...(rules === undefined ? [] : compactTrace(rules, palette))].map((line) => `    ${line}`),
  ];
}

function mismatchLines(mismatch: Mismatch, palette: Palette): readonly string[] {
  const { key, message } = mismatch;
  if (key === 'step') return [`    ${message ?? 'The step could not be performed.'}`];
  const lines = differencesBetween(mismatch.expected, mismatch.actual).flatMap(({ path, expected, actual }) => [
    `    ${path === '' ? key : `${key}.${path}`}`,
    `      expected ${palette.good(valueText(expected))}`,
    `      actual   ${palette.bad(valueText(actual))}`,
  ]);
  return message === undefined ? lines : [...lines, `      ${message}`];
}

function unconfirmedLines({ unconfirmedClaims }: ScenarioResult): readonly string[] {
  if (unconfirmedClaims.length === 0) return [];
  return [`  The scenario claims to cover ${unconfirmedClaims.join(', ')}, but no step shows this.`];
}
