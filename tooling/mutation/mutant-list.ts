import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { type ListedMutant, mutantKey } from './mutants.ts';

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
