import type { Fault, TextFile } from '../repository.ts';

/** Convention that is checked for each file separately, with planted files that prove the check. */
export interface ConventionRule {
  readonly id: string;
  /** Claim of the rule as a sentence: the title of its test. */
  readonly claim: string;
  /** Selects the files to check by their path. */
  readonly covers: (path: string) => boolean;
  /** Returns every violation in one file. */
  readonly inspect: (file: TextFile) => readonly Fault[];
  /** Planted files with a violation. Each must be reported at least once. */
  readonly canaries: readonly TextFile[];
  /** Planted files that are close to a violation and must not be reported. */
  readonly innocents: readonly TextFile[];
}

/** Checks whether a file is a published source. Rules on permitted code apply to these files. */
export function isSource(path: string): boolean {
  return /^(src|machines)\/.*\.ts$/.test(path);
}

/** Checks whether a file is a TypeScript file, including tests, tooling and console. */
export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

/** Checks whether a text file is written by people, unlike the lock file from npm and the legal text of the license. */
export function isWritten(path: string): boolean {
  return path !== 'package-lock.json' && path !== 'LICENSE';
}

/** Reports every line of a file that matches a pattern, with the message of the pattern. */
export function matches(file: TextFile, patterns: readonly Pattern[]): readonly Fault[] {
  return file.text.split('\n').flatMap((line, index) =>
    patterns.flatMap(({ pattern, message }) => {
      const found = pattern.exec(line);
      return found === null ? [] : [{ path: file.path, line: index + 1, message: `${message}: "${found[0].trim()}"` }];
    }),
  );
}

/** Forbidden pattern of a line. It has no `g` flag, because it is applied once per line. */
export interface Pattern {
  readonly pattern: RegExp;
  readonly message: string;
}
