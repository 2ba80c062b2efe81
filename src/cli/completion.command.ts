import { type Command, defineCommand } from './command.ts';
import { shells } from './completion/shells.ts';

/** `nudgelab completion`: prints a shell completion script. The parameter loads all commands. */
export const completionCommand = (allCommands: () => Promise<readonly Command[]>): Command =>
  defineCommand({
    name: 'completion',
    description:
      'Prints a script for bash, zsh or fish that completes commands, options and their values. It is generated from ' +
      'the same data as the help and completes without starting the program.',
    operands: { description: `the shell: ${shells.join(', ')}`, words: shells },
    options: {},
    examples: [
      {
        line: 'completion bash > ~/.local/share/bash-completion/completions/nudgelab',
        meaning: 'install for bash, active in the next shell',
      },
      { line: 'completion zsh > ~/.zfunc/_nudgelab', meaning: 'install for zsh; ~/.zfunc must be in fpath' },
      {
        line: 'completion fish > ~/.config/fish/completions/nudgelab.fish',
        meaning: 'install for fish, active immediately',
      },
    ],
    run: async (args, context) =>
      (await import('./completion/print-completion.ts')).printCompletion(args, await allCommands(), context),
  });
