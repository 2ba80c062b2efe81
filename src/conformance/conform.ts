/**
 * Conformance of logs: `nudgelab/conform`. A log is read by a mapping and checked against rulesets in one pass.
 *
 * ```ts
 * import { checkLogFile, readMappingFile } from 'nudgelab/conform';
 * ```
 */

export type {
  ConformanceReport,
  Misfit,
  MisfitCluster,
  NearestFit,
  RejectionCode,
  RulesetFit,
} from '../contract/conformance-report.ts';
export { checkLogFile, type LogFileOptions } from './check-log-file.ts';
export { readMappingFile, readMappingText } from './log/read-mapping.ts';
