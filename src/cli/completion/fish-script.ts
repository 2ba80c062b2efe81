import type { CompletedCommand, CompletedOption } from './completed-command.ts';

/** Creates the fish completion script. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const first = commands.map(
    ({ name, summary }) => `complete -c nudgelab -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
  );
  const names = commands.map(({ name }) => name).join(' ');
  return `# Completion of nudgelab for fish: written by \`nudgelab completion fish\`.
complete -c nudgelab -f
${first.join('\n')}
complete -c nudgelab -n __fish_use_subcommand -a help -d 'show the help of a command'
complete -c nudgelab -n '__fish_seen_subcommand_from help' -a ${quoted(names)}
${commands.flatMap(commandLines).join('\n')}
`;
}

function commandLines({ name, options, operand }: CompletedCommand): readonly string[] {
  const when = `complete -c nudgelab -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  const operands =
    operand.kind === 'path'
      ? [`${when} -F`]
      : operand.kind === 'words'
        ? [`${when} -a ${quoted(operand.words.join(' '))}`]
        : [];
  return [...options.map((option) => `${when} ${optionWords(option)}`), ...operands];
}

function optionWords({ long, short, description, value }: CompletedOption): string {
  const taken = { none: [], words: ['-x'], path: ['-r', '-F'], other: ['-x'] }[value.kind];
  return [
    `-l ${long.slice(2)}`,
    ...(short === null ? [] : [`-s ${short.slice(1)}`]),
    ...taken,
    ...(value.kind === 'words' ? [`-a ${quoted(value.words.join(' '))}`] : []),
    `-d ${quoted(description)}`,
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
