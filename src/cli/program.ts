import { CommanderError, Command as CommandParser, Help, Option } from 'commander';
import { NudgeLabError } from '../core/errors.ts';
import { packageVersion } from '../scenario/shipped.ts';
import { type Command, commonOptions } from './command.ts';
import { commandList } from './command-list.ts';
import { commands } from './commands.ts';
import type { CommandContext, ExitCode } from './context.ts';
import type { OptionSpec, OptionSpecs } from './option.ts';
import { print } from './print.ts';
import { findRenamedOption } from './renamed-options.ts';
import { showError } from './show-error.ts';

/** Width of the help in characters if the output is not a terminal. */
const helpColumnsDefault = 100;

/** Maximum width of the help in characters, because longer lines are hard to read. */
const helpColumnsMax = 120;

/** Runs the program with the arguments after its name. Returns the exit code and never throws. */
export async function runProgram(argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  try {
    return await runNamed(argv, context);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
    return showError(usageError(error), context, {
      json: options.includes('--json'),
      verbose: options.includes('--verbose'),
      command: commands.has(argv[0] ?? '') ? argv[0] : undefined,
    });
  }
}

async function runNamed([name, ...rest]: readonly string[], context: CommandContext): Promise<ExitCode> {
  const [named, ...argv] = name === 'help' && rest[0] !== undefined ? [rest[0], '--help'] : [name, ...rest];
  const load = commands.get(named ?? '');
  if (load !== undefined) return runCommand(await load(), argv, context);
  const overview = overviewParser(context);
  if (named === undefined) {
    overview.outputHelp({ error: true });
    return 2;
  }
  await overview.parseAsync(name === 'help' ? [named] : [named, ...argv], { from: 'user' });
  return 0;
}

async function runCommand(command: Command, argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  const parser = createParser(command, context);
  try {
    parser.parse([...argv], { from: 'user' });
  } catch (error) {
    throw renamedError(error, command) ?? error;
  }
  return command.run({ ...initialValues(command), ...parser.opts(), operands: parser.args }, context);
}

/** Creates the error for an option of an earlier version, which names the option of today; `null` for any other error. */
function renamedError(error: unknown, command: Command): NudgeLabError | null {
  if (!(error instanceof CommanderError) || error.code !== 'commander.unknownOption') return null;
  const [, old = ''] = /'([^']+)'/.exec(error.message) ?? [];
  const flags = Object.values(listOptions(command)).map((option) => option.flags);
  const today = findRenamedOption(old, flags);
  if (today === null) return null;
  return new NudgeLabError('usage-invalid', { message: `The option ${old.split('=')[0]} is now ${today}.` });
}

function initialValues(command: Command): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(listOptions(command)).map(([name, { initial }]) => [name, initial]));
}

/** Lists the options of a command by name. The common options come last. */
export function listOptions({ options }: Command): OptionSpecs {
  return { ...options, ...commonOptions };
}

/** Creates the argument parser of a command from its specification. */
export function createParser(command: Command, context: CommandContext): CommandParser {
  const parser = base(`nudgelab ${command.name}`, context).description(command.description);
  if (command.operands === null) parser.allowExcessArguments(false);
  else parser.argument(command.operands.syntax, command.operands.description);
  for (const spec of Object.values(listOptions(command))) parser.addOption(createOption(spec));
  return parser.addHelpText('after', `\n${examplesText(command)}`);
}

/** An option of the parser. */
function createOption({ flags, description, initial, defaultText, choices, parse }: OptionSpec<unknown>): Option {
  const option = new Option(flags, description);
  if (choices !== undefined) option.choices(choices);
  if (parse !== undefined) option.argParser((value, soFar: unknown) => parse(value, soFar ?? initial));
  if (defaultText !== null) option.default(initial, defaultText);
  return option;
}

/** Describes an option as the help does, with its choices and its default. */
export function describeOption(spec: OptionSpec<unknown>): string {
  return new Help().optionDescription(createOption(spec));
}

function examplesText({ examples }: Command): string {
  const lines = examples.map(({ line, meaning }) => `  nudgelab ${line}\n      ${meaning}`);
  return `Examples:\n${lines.join('\n')}`;
}

function overviewParser(context: CommandContext): CommandParser {
  const overview = base('nudgelab', context)
    .description('Simulates registration campaigns and runs scenarios against them.')
    .usage('<command> [options]')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show the help of a command');
  for (const [name, { group, summary, operands }] of Object.entries(commandList)) {
    // Only shown: a command that exists is loaded, and parses its own arguments.
    const listed = base(name, context).summary(summary).helpGroup(`${group}:`);
    for (const spec of Object.values(commonOptions)) listed.addOption(createOption(spec));
    overview.addCommand(operands === null ? listed : listed.argument(operands));
  }
  return overview.addHelpText('after', '\nFor help on a command, with examples, run: nudgelab <command> --help');
}

function base(name: string, context: CommandContext): CommandParser {
  const columns = Math.min(context.stdout.columns ?? helpColumnsDefault, helpColumnsMax);
  return new CommandParser(name)
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ helpWidth: columns })
    .configureOutput({
      writeOut: (text) => print(context.stdout, {}, () => text),
      writeErr: (text) => print(context.stderr, {}, () => text),
      // Errors of the command line are printed in the same way as all other errors.
      outputError: () => undefined,
    });
}

/** Converts an error of the argument parser to an error of the program. */
function usageError(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  const text = error.message
    .replace(/^error: /, '')
    .replaceAll("'", '"')
    .replaceAll('\n', '. ')
    .trim();
  const end = /[.?!)]$/.test(text) ? '' : '.';
  return new NudgeLabError('usage-invalid', { message: `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}` });
}
