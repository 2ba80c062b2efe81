import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName, endSentence } from '../../core/nearest-name.ts';
import type { Command } from '../command.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { printFile } from '../print.ts';
import { bashScript } from './bash-script.ts';
import { type CompletedCommand, completedCommand } from './completed-command.ts';
import { fishScript } from './fish-script.ts';
import { type Shell, shells } from './shells.ts';
import { zshScript } from './zsh-script.ts';

const scripts: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * Prints the completion script of a shell. Returns the exit code. Throws `usage-invalid` if the shell is not
 * supported.
 */
export function printCompletion(
  { operands: [wanted] }: { readonly operands: readonly string[] },
  commands: readonly Command[],
  { stdout }: CommandContext,
): ExitCode {
  const shell = shells.find((one) => one === wanted);
  if (shell === undefined) {
    throw new NudgeLabError('usage-invalid', { message: endSentence(describeUnknownName(wanted ?? '', shells)) });
  }
  printFile(stdout, scripts[shell](commands.map(completedCommand)));
  return 0;
}
