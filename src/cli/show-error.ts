import { errorTable, NudgeLabError, type Problem } from '../core/errors.ts';
import type { CommandContext, ExitCode } from './context.ts';
import { paletteFor } from './palette.ts';

/** Problems shown of one error; the rest is counted. */
const problemsShownMax = 200;

/**
 * Shows why a command ended: `error code: message`, each problem on a line, then what to do; with `--json` an object with the
 * key `error` on the standard output besides. Takes what was thrown. Returns the exit code.
 */
export function showError(
  error: unknown,
  context: CommandContext,
  asked: { json: boolean; verbose: boolean },
): ExitCode {
  const known = error instanceof NudgeLabError ? error : unexpected(error);
  const { strong, bad } = paletteFor(context.stderr, context);
  const lines = [`${bad('error')} ${strong(`${known.code}:`)} ${headline(known)}`, ...problemLines(known.problems)];
  if (asked.verbose && error instanceof Error && error.stack !== undefined) lines.push(error.stack);
  const action = known.code === 'internal-error' ? whatToReport(asked.verbose) : known.action;
  context.stderr.write(`${[...lines, action].join('\n')}\n`);
  if (asked.json) context.stdout.write(`${JSON.stringify({ error: { ...errorObject(known), action } })}\n`);
  return known.exitCode;
}

/** A problem as one line: `file:line:column message`, or `field: message`. */
export function problemLine({ place, message }: Problem): string {
  return /:\d+(:\d+)?$/.test(place) ? `${place} ${message}` : `${place}: ${message}`;
}

function problemLines(problems: readonly Problem[]): readonly string[] {
  const lines = problems.slice(0, problemsShownMax).map(problemLine);
  const rest = problems.length - lines.length;
  return rest > 0 ? [...lines, `and ${rest} more`] : lines;
}

/** The message without the problems that the lines below repeat. */
function headline({ code, message, problems }: NudgeLabError): string {
  const { title } = errorTable[code];
  return problems.length > 0 && message.startsWith(`${title}:`) ? `${title}.` : message;
}

function errorObject({ code, message, problems }: NudgeLabError): object {
  return { code, message, problems };
}

/** A file that cannot be read or written is the caller's to mend; anything else that was not expected is a fault here. */
function unexpected(error: unknown): NudgeLabError {
  const message = error instanceof Error ? error.message : String(error);
  const concernsFile = error instanceof Error && 'syscall' in error && 'path' in error;
  return new NudgeLabError(concernsFile ? 'file-unreadable' : 'internal-error', { message, cause: error });
}

function whatToReport(verbose: boolean): string {
  return verbose
    ? 'This is a fault of the program: report it with the lines above.'
    : 'This is a fault of the program: repeat the command with --verbose, and report what it shows.';
}
