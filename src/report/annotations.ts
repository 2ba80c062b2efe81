import type { ScenarioResult } from '../contract/result.ts';
import { failureHeadline } from './failure-text.ts';

/** The service shows no more annotations of a step than these. */
const annotationsMax = 50;

/**
 * Failures as workflow commands, which the hosting service shows beside the line of the scenario. Takes the results without
 * secrets; returns one command a line, and a last line that says how many more there are.
 */
export function workflowAnnotations(results: readonly ScenarioResult[]): readonly string[] {
  const failed = results.filter(({ status }) => status === 'failed');
  const lines = failed.slice(0, annotationsMax).map(annotation);
  const more = failed.length - lines.length;
  return more > 0 ? [...lines, `::notice::${more} more scenarios failed.`] : lines;
}

function annotation(result: ScenarioResult): string {
  const line = result.steps.find(({ status }) => status === 'failed')?.line ?? 1;
  const title = property(`${result.name} (${result.driver})`);
  const message = data(`${failureHeadline(result)}\nRepeat it: ${result.command}`);
  return `::error file=${property(result.file)},line=${line},title=${title}::${message}`;
}

/** The message of a command ends at its line, so line breaks are written as the service reads them. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A property ends at a comma or a colon besides. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
