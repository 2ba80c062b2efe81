import { errorTable, NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import type { CommandContext, ExitCode } from './context.ts';
import { paletteFor } from './palette.ts';
import { print, printJson } from './print.ts';

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
  const known = error instanceof NudgeLabError ? error : unexpected(error);
  const { strong, bad } = paletteFor(context.stderr, context);
  const stack = options.verbose && error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const action = suggestAction(known, options, context);
  const report = { message: forProgram(headline(known), context), problems: known.problems, stack, action };
  print(context.stderr, report, ({ message, problems, ...rest }) => [
    `${bad('error')} ${strong(`${known.code}:`)} ${message}`,
    ...problemLines(problems),
    ...rest.stack,
    rest.action,
  ]);
  if (options.json) printJson(context.stdout, { error: { ...errorObject(known), action } });
  return known.exitCode;
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
  if (code !== 'usage-invalid') return forProgram(action, context);
  const help = command === undefined ? 'lists the commands' : 'shows the options and examples';
  return `\`${context.program}${command === undefined ? '' : ` ${command}`} --help\` ${help}.`;
}

/** Writes the suggested commands of a text as they are entered here: in a checkout, they begin with its npm script. */
function forProgram(text: string, { program }: CommandContext): string {
  return text.replaceAll('`nudgelab ', `\`${program} `);
}

function whatToReport(verbose: boolean): string {
  return verbose
    ? 'This is a bug in the program. Report it with the lines above.'
    : 'This is a bug in the program. Repeat the command with --verbose, and report its output.';
}
