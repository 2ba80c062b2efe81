import { type ParseResult, parseSync } from 'oxc-parser';
import type { TextFile } from './repository.ts';

/** Parses a TypeScript file. Throws if it is invalid, because a rule must not skip a file that it cannot read. */
export function parse(file: TextFile): ParseResult {
  const result = parseSync(file.path, file.text, {
    sourceType: 'module',
    lang: file.path.endsWith('.tsx') ? 'tsx' : 'ts',
  });
  const [error] = result.errors;
  if (error !== undefined) {
    throw new Error(`${file.path} cannot be parsed: ${error.message}`);
  }
  return result;
}
