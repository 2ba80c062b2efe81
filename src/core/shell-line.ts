/** Words that every shell takes as they are: nothing in them is expanded, and none begins a comment or an assignment. */
const plainWord = /^[\w./:@%+,-][\w./:@%+,=#-]*$/;

/** A word as a POSIX shell reads it back: quoted only where the shell would take it apart or change it. */
export function shellQuoted(word: string): string {
  return plainWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command line that can be pasted into a shell. Takes the command as the user called it, and its arguments. */
export function shellLine(program: string, args: readonly string[]): string {
  return [program, ...args.map(shellQuoted)].join(' ');
}

/** Options as arguments of a command line: those with a value, each with its name before it. */
export function optionWords(options: Readonly<Record<string, string | number | null | undefined>>): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`--${name}`, String(value)],
  );
}
