import { type Command, commonOptions } from '../src/cli/command.ts';
import { allCommands } from '../src/cli/commands.ts';
import type { OptionSpecs } from '../src/cli/option.ts';
import { describeOption } from '../src/cli/program.ts';

const all = await allCommands();

/**
 * Creates the parts of the command-line reference: each command with its options and examples, from the same data
 * as its help.
 */
export function cliReference(): readonly string[] {
  return [
    'With the package installed, run a command as `npx nudgelab NAME`; in a checkout, as `npm run nudgelab -- NAME`. Every command ' +
      'prints its help with `--help`, and `nudgelab completion SHELL` prints a completion script for the shell.',
    'Exit codes: 0, success; 1, a check failed; 2, invalid input or usage; 3, an internal error of the simulator. ' +
      '[Errors](../errors.md) lists the error codes.',
    ...all.flatMap(commandParts),
    '## Global options',
    optionTable('Option', commonOptions),
  ];
}

function commandParts({ name, summary, description, operands, options, examples }: Command): readonly string[] {
  const usage = ['nudgelab', name, '[options]', ...(operands === null ? [] : [operands.syntax])].join(' ');
  return [
    `## nudgelab ${name}`,
    `\`${usage}\`: ${summary}.`,
    description,
    ...(operands === null ? [] : [`\`${operands.syntax}\`: ${operands.description}.`]),
    ...(Object.keys(options).length === 0 ? [] : [optionTable('Option', options)]),
    ['Examples:', '', ...examples.map(({ line, meaning }) => `- \`nudgelab ${line}\`: ${meaning}`)].join('\n'),
  ];
}

function optionTable(head: string, options: OptionSpecs): string {
  const rows = Object.values(options).map(
    (spec) => `| \`${spec.flags.replaceAll('|', '\\|')}\` | ${cell(describeOption(spec))} |`,
  );
  return [`| ${head} | Description |`, '| --- | --- |', ...rows].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
