import { execFileSync } from 'node:child_process';

/** Splits a printed command line into its arguments as a shell does, without running anything. */
export function splitShellWords(line: string): readonly string[] {
  const text = execFileSync('sh', ['-c', `set -- ${line}\nshift\nprintf '%s\\0' "$@"`], { encoding: 'utf8' });
  return text.split('\0').slice(0, -1);
}
