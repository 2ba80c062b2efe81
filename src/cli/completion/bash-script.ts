import type { CompletedCommand, CompletedValue } from './completed-command.ts';

/** Creates the bash completion script. File names are left to bash's own completion. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const names = ['help', ...commands.map(({ name }) => name)].join(' ');
  return `# Completion of nudgelab for bash: written by \`nudgelab completion bash\`.
_nudgelab() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local options='' operands=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$command" = help ]; }; then
    compopt +o default
    COMPREPLY=($(compgen -W '${names} --help --version' -- "$current"))
    return
  fi
  case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$command" in
${commands.map(commandCase).join('\n')}
  esac
  if [ "\${current#-}" != "$current" ]; then
    compopt +o default
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [ "$operands" != path ]; then
    compopt +o default
    COMPREPLY=($(compgen -W "$operands" -- "$current"))
  fi
}
complete -o default -F _nudgelab nudgelab
`;
}

function valueCases({ name, options }: CompletedCommand): readonly string[] {
  return options
    .filter(({ value }) => value.kind !== 'none')
    .map(({ long, short, value }) => {
      const patterns = [long, ...(short === null ? [] : [short])].map((one) => `'${name} ${one}'`);
      return `    ${patterns.join(' | ')}) ${valueAction(value)}return ;;`;
    });
}

function valueAction(value: CompletedValue): string {
  if (value.kind === 'path') return '';
  const words = value.kind === 'words' ? ` COMPREPLY=($(compgen -W '${value.words.join(' ')}' -- "$current"));` : '';
  return `compopt +o default;${words} `;
}

function commandCase({ name, options, operand }: CompletedCommand): string {
  const written = options.flatMap(({ long, short }) => (short === null ? [long] : [short, long])).join(' ');
  const operands = operand.kind === 'words' ? operand.words.join(' ') : operand.kind === 'path' ? 'path' : '';
  return `    ${name}) options='${written}' operands='${operands}' ;;`;
}
