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
export interface Operands {
  /** Syntax shown in the help, such as `[paths...]`. */
  readonly syntax: string;
  readonly description: string;
  /** Allowed operands, if they are known. Shell completion suggests them. */
  readonly words?: readonly string[];
}

export interface Example {
  /** Arguments after the program name. */
  readonly line: string;
  readonly meaning: string;
}

/** Values passed to a command: its options by name, and the operands in order. */
export type ArgumentsOf<O extends OptionSpecs> = ValuesOf<O> &
  ValuesOf<typeof commonOptions> & { readonly operands: readonly string[] };

/** Headings under which the help lists commands. */
type CommandGroup = 'Test' | 'Serve' | 'Generate' | 'Analyze' | 'Tools';

interface CommandSpec<O extends OptionSpecs> {
  readonly name: string;
  readonly group: CommandGroup;
  /** Summary of one line for the list of commands. */
  readonly summary: string;
  /** Description of the effect and the exit codes, shown in the command's help. */
  readonly description: string;
  readonly operands: Operands | null;
  readonly options: O;
  readonly examples: readonly Example[];
  /** Runs the command and returns the exit code. Throws `NudgeLabError` for errors that the caller can correct. */
  readonly run: (args: ArgumentsOf<O>, context: CommandContext) => Promise<ExitCode>;
}

/** Command without the types of its options, as the program uses it. */
export type Command = Omit<CommandSpec<OptionSpecs>, 'run'> & {
  readonly run: (args: Readonly<Record<string, unknown>>, context: CommandContext) => Promise<ExitCode>;
};

/**
 * Creates a command from its specification. The program parses arguments with `options`, so the values passed to
 * `run` are typed.
 */
export function defineCommand<const O extends OptionSpecs>(spec: CommandSpec<O>): Command {
  return { ...spec, run: (args, context) => spec.run(args as ArgumentsOf<O>, context) };
}
