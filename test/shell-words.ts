import { execFileSync } from 'node:child_process';

/** The arguments of a printed command, as a shell reads the line. Nothing of it is run. */
export function splitShellWords(line: string): readonly string[] {
  const text = execFileSync('sh', ['-c', `set -- ${line}\nshift\nprintf '%s\\0' "$@"`], { encoding: 'utf8' });
  return text.split('\0').slice(0, -1);
}
