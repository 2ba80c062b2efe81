import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { fnv1a32, randomSource } from '../../src/core/random.ts';

/** Mutant of a file before its tests are run. */
export interface ListedMutant {
  readonly file: string;
  /** Line number, starting at 1. */
  readonly line: number;
  readonly operator: string;
  /** Replaced code on one line. */
  readonly code: string;
  readonly replacement: string;
  /** Stable key, which is the same in every list created from the same sources. */
  readonly key: string;
  /** Range of the mutant in the format that StrykerJS accepts. */
  readonly range: string;
}

const silent = (): void => undefined;
const no = (): boolean => false;
const logger: Logger = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** Lists the mutants of files in a folder, without mutants of text for people. */
export async function listMutants(root: string, files: readonly string[]): Promise<readonly ListedMutant[]> {
  const instrumenter = new Instrumenter(logger);
  const listed: ListedMutant[] = [];
  for (const file of files) {
    const content = readFileSync(join(root, file), 'utf8');
    const { mutants } = await instrumenter.instrument([{ name: file, content, mutate: true }], {
      ignorers: [],
      excludedMutations: [],
      plugins: null,
    });
    const lines = content.split('\n');
    for (const mutant of mutants) {
      const code = codeAt(lines, mutant.location);
      if (mutant.mutatorName === 'StringLiteral' && isProse(code)) continue;
      listed.push(describe(file, mutant, code));
    }
  }
  return listed;
}

/** Draws a sample of mutants. The same sources and random seed give the same sample. */
export function sampleMutants(mutants: readonly ListedMutant[], size: number, seed: number): readonly ListedMutant[] {
  const drawn = mutants.map((mutant) => ({ mutant, draw: randomSource(fnv1a32(mutant.key) ^ seed)() }));
  drawn.sort((a, b) => a.draw - b.draw || (a.mutant.key < b.mutant.key ? -1 : 1));
  return drawn.slice(0, size).map(({ mutant }) => mutant);
}

/** Creates a key from the contents of a mutant, because its number depends on the other instrumented mutants. */
export function mutantKey(file: string, mutant: Pick<Mutant, 'location' | 'mutatorName' | 'replacement'>): string {
  const { start, end } = mutant.location;
  const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
  return `${file}:${place} ${mutant.mutatorName} ${mutant.replacement}`;
}

function describe(file: string, mutant: Mutant, code: string): ListedMutant {
  const { start, end } = mutant.location;
  return {
    file,
    line: start.line + 1,
    operator: mutant.mutatorName,
    code: code.replace(/\s+/g, ' '),
    replacement: mutant.replacement.replace(/\s+/g, ' '),
    key: mutantKey(file, mutant),
    range: `${file}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`,
  };
}

function codeAt(lines: readonly string[], { start, end }: Mutant['location']): string {
  const within = lines.slice(start.line, end.line + 1);
  within.push((within.pop() ?? '').slice(0, end.column));
  within[0] = (within[0] ?? '').slice(start.column);
  return within.join('\n');
}

/**
 * Checks whether code is text for people, which is words separated by spaces. Tests assert codes and structures
 * instead of wording, so mutants of sentences have no value. SQL statements do not count as text.
 */
function isProse(code: string): boolean {
  if (/^.\s*(?:ALTER|BEGIN|CREATE|DELETE|DROP|INSERT|PRAGMA|SELECT|UPDATE|WITH)\b/.test(code)) return false;
  return /[A-Za-z’,;:.)}]\s+[A-Za-z$“(]/.test(code);
}
