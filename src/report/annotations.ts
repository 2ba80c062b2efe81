import type { ScenarioResult } from '../contract/result.schema.ts';
import { failureHeadline } from './failure-text.ts';

/** Maximum number of annotations that the hosting service shows for one step. */
const annotationsMax = 50;

/**
 * Formats failures as workflow commands, which the hosting service shows next to the line of the scenario. The
 * results must not contain secrets. Returns one command per line and a last line with the number of further
 * failures.
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

/** Escapes the message of a command. Line breaks are encoded, because a message ends at its line. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Escapes a property of a command. A property also ends at a comma or a colon. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
