import type { CommandContext, ExitCode } from './context.ts';
import { flag, negatedFlag, type OptionSpecs, text, type ValuesOf } from './option.ts';

/** Options that every command has. */
export const commonOptions = {
  json: flag('--json', 'print JSON instead of text'),
  config: text('--config <file>', 'configuration file', { whenOmitted: 'nudgelab.config.* in the current folder' }),
  color: negatedFlag('--no-color', 'print without colors, as NO_COLOR does'),
  verbose: flag('--verbose', 'show the stack trace of unexpected errors'),
} as const;

/** What stands after the options: file or folder names, for most commands. */
export interface Operands {
  /** As the help shows it, such as `[paths...]`. */
  readonly syntax: string;
  readonly description: string;
  /** The words that may stand there, where those are known; shells complete them. */
  readonly words?: readonly string[];
}

export interface Example {
  /** What follows the program's name. */
  readonly line: string;
  readonly meaning: string;
}

/** The values that a command is given: its options by name, and the operands in order. */
export type ArgumentsOf<O extends OptionSpecs> = ValuesOf<O> &
  ValuesOf<typeof commonOptions> & { readonly operands: readonly string[] };

/** Headings under which the help lists commands. */
type CommandGroup = 'Test' | 'Serve' | 'Generate' | 'Analyze' | 'Tools';

interface CommandSpec<O extends OptionSpecs> {
  readonly name: string;
  readonly group: CommandGroup;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What it does and how it ends, for its own help. */
  readonly description: string;
  readonly operands: Operands | null;
  readonly options: O;
  readonly examples: readonly Example[];
  /** Does the work. Returns the exit code. Throws `NudgeLabError` for what the caller can mend. */
  readonly run: (args: ArgumentsOf<O>, context: CommandContext) => Promise<ExitCode>;
}

/** A command with its options' types forgotten, as the program handles it. */
export type Command = Omit<CommandSpec<OptionSpecs>, 'run'> & {
  readonly run: (args: Readonly<Record<string, unknown>>, context: CommandContext) => Promise<ExitCode>;
};

/** Makes a command from its data. The program parses by `options`, so the values that `run` gets have their types. */
export function defineCommand<const O extends OptionSpecs>(spec: CommandSpec<O>): Command {
  return { ...spec, run: (args, context) => spec.run(args as ArgumentsOf<O>, context) };
}
