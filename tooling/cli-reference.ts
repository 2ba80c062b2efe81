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
    'Where the package is installed a command is `npx nudgelab NAME`, in a checkout `npm run nudgelab -- NAME`. Every command prints ' +
      'its own help with `--help`, and `nudgelab completion SHELL` prints what makes a shell complete all of it.',
    'A command ends with 0 when all is well, 1 when a check failed, 2 when the mistake is the caller’s, and 3 when the simulator is ' +
      'broken; [errors](../errors.md) lists the codes.',
    ...all.flatMap(commandParts),
    '## Options of every command',
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
  return [`| ${head} | What it does |`, '| --- | --- |', ...rows].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
