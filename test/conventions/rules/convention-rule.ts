import type { Fault, TextFile } from '../repository.ts';

/** A rule that each file keeps or breaks by itself, with the proof that it can tell the two apart. */
export interface ConventionRule {
  readonly id: string;
  /** What holds, as a sentence: the title of its test. */
  readonly claim: string;
  /** Which files it is about, by their path. */
  readonly covers: (path: string) => boolean;
  /** Every breach in one file. */
  readonly inspect: (file: TextFile) => readonly Fault[];
  /** Planted files that it must report, each once at least. */
  readonly canaries: readonly TextFile[];
  /** Planted files close to a breach that it must let pass. */
  readonly innocents: readonly TextFile[];
}

/** The sources that are published: the rules on what code may do are about these. */
export function isSource(path: string): boolean {
  return /^(src|machines)\/.*\.ts$/.test(path);
}

/** Every TypeScript file, tests, tooling and console among them. */
export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

/** Any text file that people write; the lock file is npm's and the licence is the law's. */
export function isWritten(path: string): boolean {
  return path !== 'package-lock.json' && path !== 'LICENSE';
}

/** Reports every place in a file that one of the patterns matches, each with what is wrong about it. */
export function matches(file: TextFile, patterns: readonly Pattern[]): readonly Fault[] {
  return file.text.split('\n').flatMap((line, index) =>
    patterns.flatMap(({ pattern, message }) => {
      const found = pattern.exec(line);
      return found === null ? [] : [{ path: file.path, line: index + 1, message: `${message}: "${found[0].trim()}"` }];
    }),
  );
}

/** A pattern of a line that is refused; without the `g` flag, as it is asked once a line. */
export interface Pattern {
  readonly pattern: RegExp;
  readonly message: string;
}
