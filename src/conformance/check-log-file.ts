import { createReadStream } from 'node:fs';
import { rulesets as builtIn } from '../../machines/rulesets/ruleset-registry.ts';
import type { ConformanceMapping } from '../contract/conformance.schema.ts';
import type { ConformanceReport } from '../contract/conformance-report.ts';
import { NudgeLabError } from '../core/errors.ts';
import { describeUnknownName, endSentence } from '../core/nearest-name.ts';
import { isRulesetFile } from '../scenario/rulesets/ruleset-file.ts';
import { type CheckedRuleset, checkLog, getOptions } from './check-log.ts';
import { readRows } from './log/log-rows.ts';
import { peekBytes } from './log/peek-bytes.ts';
import { createTimeline } from './model/policy-timeline.ts';

/** Options of a check of a log file. */
export interface LogFileOptions {
  /** Ids of built-in rulesets, and paths of ruleset files. Default: `seed`. */
  readonly rulesets?: readonly string[];
  /** Number of users whose first impossible event is explained. Default: 10. */
  readonly examplesMax?: number;
}

/**
 * Checks a log file against rulesets in one pass: JSON Lines, JSON with a list of rows, or CSV.
 *
 * @param path - path of the log
 * @param mapping - what its columns and values mean, as `readMappingFile` returns it
 * @param options - rulesets to compare, and how much is explained
 * @returns the fit of each ruleset, the best first
 * @throws NudgeLabError `log-invalid` for a row that cannot be read, `log-too-large`, `file-unreadable`,
 *   `ruleset-invalid`, and `usage-invalid` for an unknown ruleset
 */
export async function checkLogFile(
  path: string,
  mapping: ConformanceMapping,
  { rulesets = ['seed'], examplesMax = 10 }: LogFileOptions = {},
): Promise<ConformanceReport> {
  const checked: CheckedRuleset[] = [];
  for (const name of rulesets) checked.push(await loadChecked(name));
  const bytes = await peekBytes(createReadStream(path) as AsyncIterable<Uint8Array>);
  const { batches, rest } = readRows(bytes, path, mapping);
  const log = { timeline: createTimeline(mapping), options: getOptions(mapping, examplesMax), batches, rest };
  return checkLog(log, checked);
}

async function loadChecked(name: string): Promise<CheckedRuleset> {
  if (isRulesetFile(name)) {
    const [{ loadRuleset }, { RulesetRegistry }] = await Promise.all([
      import('../scenario/rulesets/load-rulesets.ts'),
      import('../journal/ruleset-registry.ts'),
    ]);
    return loadRuleset(name, new RulesetRegistry(), '.').ruleset;
  }
  const ruleset = builtIn.get(name);
  if (ruleset !== undefined) return ruleset;
  const message = endSentence(`${describeUnknownName(name, [...builtIn.keys()])}, or the path of a ruleset file`);
  throw new NudgeLabError('usage-invalid', { message });
}
