/**
 * Words that every shell accepts unquoted, because they contain no expansion and start no comment or assignment.
 */
const plainWord = /^[\w./:@%+,-][\w./:@%+,=#-]*$/;

/** Quotes a word for a POSIX shell if the shell would otherwise split or change it. */
export function shellQuoted(word: string): string {
  return plainWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Formats a command line that can be pasted into a shell. */
export function shellLine(program: string, args: readonly string[]): string {
  return [program, ...args.map(shellQuoted)].join(' ');
}

/** Converts options to command-line arguments. Options without a value are omitted. */
export function optionWords(options: Readonly<Record<string, string | number | null | undefined>>): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`--${name}`, String(value)],
  );
}
