import { errorTable, NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import type { CommandContext, ExitCode } from './context.ts';
import { paletteFor } from './palette.ts';
import { print, printJson } from './print.ts';
import { withProgram } from './suggested-commands.ts';

/** Maximum number of problems shown for one error. Other problems are only counted. */
const problemsShownMax = 200;

/**
 * Shows the error that ended a command: `error code: message`, one line per problem, and the suggested action. With
 * `--json`, it also prints an object with the key `error` to standard output. Returns the exit code.
 */
export function showError(
  error: unknown,
  context: CommandContext,
  options: { json: boolean; verbose: boolean; command?: string | undefined },
): ExitCode {
  const known = enterable(error instanceof NudgeLabError ? error : unexpected(error), context);
  const { strong, bad } = paletteFor(context.stderr, context);
  const stack = options.verbose && error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const action = suggestAction(known, options, context);
  const report = { message: headline(known), problems: known.problems, stack, action };
  print(context.stderr, report, ({ message, problems, ...rest }) => [
    `${bad('error')} ${strong(`${known.code}:`)} ${message}`,
    ...problemLines(problems),
    ...rest.stack,
    rest.action,
  ]);
  if (options.json) printJson(context.stdout, { error: { ...errorObject(known), action } });
  return known.exitCode;
}

/** Returns an error whose suggested commands can be entered here. */
function enterable({ code, message, problems }: NudgeLabError, context: CommandContext): NudgeLabError {
  return new NudgeLabError(code, {
    message: withProgram(message, context),
    problems: problems.map((problem) => ({ ...problem, message: withProgram(problem.message, context) })),
  });
}

/** Formats a problem as one line: `file:line:column message`, or `field: message`. */
export function problemLine({ location: place, message }: ValidationProblem): string {
  return /:\d+(:\d+)?$/.test(place) ? `${place} ${message}` : `${place}: ${message}`;
}

function problemLines(problems: readonly ValidationProblem[]): readonly string[] {
  const lines = problems.slice(0, problemsShownMax).map(problemLine);
  const rest = problems.length - lines.length;
  return rest > 0 ? [...lines, `and ${rest} more`] : lines;
}

/** Returns the message without the problems, because they are listed below it. */
function headline({ code, message, problems }: NudgeLabError): string {
  const { title } = errorTable[code];
  return problems.length > 0 && message.startsWith(`${title}:`) ? `${title}.` : message;
}

function errorObject({ code, message, problems }: NudgeLabError): object {
  return { code, message, problems };
}

/** System error codes for insufficient disk space or quota. These errors do not name a file. */
const noRoom: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Converts an unexpected error. The caller can correct a file error, and any other error is an internal error. */
function unexpected(error: unknown): NudgeLabError {
  const message = error instanceof Error ? error.message : String(error);
  const { code, syscall, path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (noRoom.includes(code)) return new NudgeLabError('output-unwritable', { message: `${message}.`, cause: error });
  const concernsFile = syscall !== undefined && path !== undefined;
  return new NudgeLabError(concernsFile ? 'file-unreadable' : 'internal-error', { message, cause: error });
}

function suggestAction(
  { code, action }: NudgeLabError,
  { verbose, command }: { readonly verbose: boolean; readonly command?: string | undefined },
  context: CommandContext,
): string {
  if (code === 'internal-error') return whatToReport(verbose);
  if (code !== 'usage-invalid') return withProgram(action, context);
  const help = command === undefined ? 'lists the commands' : 'shows the options and examples';
  return `\`${context.program}${command === undefined ? '' : ` ${command}`} --help\` ${help}.`;
}

function whatToReport(verbose: boolean): string {
  return verbose
    ? 'This is a bug in the program. Report it with the lines above.'
    : 'This is a bug in the program. Repeat the command with --verbose, and report its output.';
}
