import { type CommandName, commandList, type ListedCommand } from './command-list.ts';
import type { CommandContext, ExitCode } from './context.ts';
import { flag, negatedFlag, type OptionSpecs, text, type ValuesOf } from './option.ts';

/** Options of every command. */
export const commonOptions = {
  json: flag('--json', 'print JSON instead of text'),
  config: text('--config <file>', 'configuration file', { whenOmitted: 'nudgelab.config.* in the current folder' }),
  color: negatedFlag('--no-color', 'print without colors, as NO_COLOR does'),
  verbose: flag('--verbose', 'show the stack trace of unexpected errors'),
} as const;

/** Operands after the options, which are file or folder names for most commands. */
interface OperandSpec {
  readonly description: string;
  /** Allowed operands, if they are known. Shell completion suggests them. */
  readonly words?: readonly string[];
}

/** Operands with the syntax that the help shows, such as `[paths...]`. */
interface Operands extends OperandSpec {
  readonly syntax: string;
}

export interface Example {
  /** Arguments after the program name. */
  readonly line: string;
  readonly meaning: string;
}

/** Values passed to a command: its options by name, and the operands in order. */
export type ArgumentsOf<O extends OptionSpecs> = ValuesOf<O> &
  ValuesOf<typeof commonOptions> & { readonly operands: readonly string[] };

interface CommandSpec<O extends OptionSpecs> {
  readonly name: CommandName;
  /** Description of the effect and the exit codes, shown in the command's help. */
  readonly description: string;
  /** `null` exactly where the list of commands has no syntax of operands. */
  readonly operands: OperandSpec | null;
  readonly options: O;
  readonly examples: readonly Example[];
  /** Runs the command and returns the exit code. Throws `NudgeLabError` for errors that the caller can correct. */
  readonly run: (args: ArgumentsOf<O>, context: CommandContext) => Promise<ExitCode>;
}

/** Command with its entry in the list, without the types of its options, as the program uses it. */
export type Command = Omit<CommandSpec<OptionSpecs>, 'run' | 'operands'> &
  Omit<ListedCommand, 'operands'> & {
    readonly operands: Operands | null;
    readonly run: (args: Readonly<Record<string, unknown>>, context: CommandContext) => Promise<ExitCode>;
  };

/**
 * Creates a command from its specification and its entry in the list. The program parses arguments with `options`, so
 * the values passed to `run` are typed.
 */
export function defineCommand<const O extends OptionSpecs>(spec: CommandSpec<O>): Command {
  const { operands: syntax, ...listed } = commandList[spec.name];
  const operands = syntax === null || spec.operands === null ? null : { syntax, ...spec.operands };
  return { ...spec, ...listed, operands, run: (args, context) => spec.run(args as ArgumentsOf<O>, context) };
}
