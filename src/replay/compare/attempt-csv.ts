import type { ComparedAttempt } from '../../contract/compared-attempt.ts';

const csvColumns = [
  'variant',
  'user',
  'attempt',
  'at',
  'platform',
  'outcomeBefore',
  'reasonBefore',
  'ruleBefore',
  'outcomeAfter',
  'reasonAfter',
  'ruleAfter',
  'changed',
  'certain',
  'answer',
] as const;

/** Header line of attempts as CSV. */
export const comparisonCsvHead = `${csvColumns.join(',')}\n`;

/** Formats an attempt as a CSV line. */
export function comparisonCsvLine({
  variant,
  user,
  attempt,
  at,
  platform,
  before,
  after,
  changed,
  certain,
  answer,
}: ComparedAttempt): string {
  const cells = [
    variant,
    user,
    attempt,
    at,
    platform,
    before.outcome,
    before.reason,
    before.rule,
    after.outcome,
    after.reason,
    after.rule,
    changed,
    certain,
    answer,
  ];
  return `${cells.map(csvCell).join(',')}\n`;
}

/** Formats a CSV cell and escapes text that a spreadsheet would interpret as a formula. */
function csvCell(value: string | boolean | null): string {
  const text = value === null ? '' : String(value);
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
