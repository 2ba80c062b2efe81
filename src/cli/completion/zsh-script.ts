import type { CompletedCommand, CompletedOption, CompletedValue } from './completed-command.ts';

/** Creates the zsh completion script, which can be sourced or saved as `_nudgelab` in the function path. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  return `#compdef nudgelab
# Completion of nudgelab for zsh: written by \`nudgelab completion zsh\`.
_nudgelab() {
  local -a commands
  commands=(
${described.join('\n')}
    'help:show the help of a command'
  )
  if (( CURRENT == 2 )) || { (( CURRENT == 3 )) && [[ "\${words[2]}" == help ]]; }; then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case "\${words[1]}" in
${commands.map(commandCase).join('\n')}
  esac
}
if [[ "\${funcstack[1]}" == _nudgelab ]]; then
  _nudgelab "$@"
else
  compdef _nudgelab nudgelab
fi
`;
}

function commandCase({ name, options, operand }: CompletedCommand): string {
  const specs = options.flatMap(optionSpecs);
  const last = operand.kind === 'none' ? [] : [quoted(`*:operand:${actionOf(operand)}`)];
  return `    ${name}) _arguments \\\n      ${[...specs, ...last].join(' \\\n      ')} ;;`;
}

function optionSpecs({ long, short, description, value }: CompletedOption): readonly string[] {
  const said = description.replaceAll(/[\\[\]:]/g, '\\$&');
  const taken = value.kind === 'none' ? '' : `:value:${actionOf(value)}`;
  return [long, ...(short === null ? [] : [short])].map((name) => quoted(`*${name}[${said}]${taken}`));
}

function actionOf(value: CompletedValue): string {
  if (value.kind === 'words') return `(${value.words.join(' ')})`;
  return value.kind === 'path' ? '_files' : ' ';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
