import { Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { sentencePatterns } from '../../src/scenario/gherkin-phrases.ts';
import type { Diagnostics } from '../../tooling/checkers/pattern-times.ts';
import { installOnDemand } from '../../tooling/packages-on-demand.ts';
import { readTextFiles, repositoryFiles, type TextFile } from './repository.ts';
import { parse } from './syntax.ts';

installOnDemand('tooling/checkers');
const { check } = await import('../../tooling/checkers/pattern-times.ts');

/**
 * Options of recheck, which proves that every pattern of the program takes time in proportion to the text. Its
 * automaton finds a text that makes a pattern slow, or proves that there is none. The other mode of recheck tries
 * texts, proves nothing and is not used. The automaton does not support look-around and back references, which the
 * program does not contain.
 */
const parameters = { checker: 'automaton', timeout: 120_000 } as const;

interface Pattern {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Files that build patterns from text, and the reasons why these patterns cannot slow down other users. */
const makers: Readonly<Record<string, string>> = {
  'src/cli/print.ts': 'escapes of a terminal, as they stand',
  'src/conformance/log/time-format.ts': 'digits of a fixed number, and the text of a mapping file as it stands',
  'src/contract/import-mapping.schema.ts': 'patterns of a mapping file, which users write for their own imports',
  'src/replay/import/row-facts.ts': 'the same patterns',
  'src/replay/import/user-methods.ts': 'the same patterns',
  'src/generate/write/spec-body.ts': 'a name that was made here, as it stands',
  'src/report/redact.ts': 'a text as it stands, between the borders of words',
  'src/server/deferred-routes.ts': 'the paths of routes, as they are written, at the beginning of an address',
  'src/scenario/gherkin-phrases.ts': 'sentences of its own: those that it exports are proved below',
  'src/server/document-api/marked-text.ts': 'words as they stand, and blanks between them',
  'tooling/language/plain-words.ts': 'phrases of the glossary, as they stand',
};

function patternsIn(file: TextFile): { readonly patterns: readonly Pattern[]; readonly isMaker: boolean } {
  const patterns: Pattern[] = [];
  let isMaker = false;
  const noteCall = (callee: { readonly type: string }) => {
    if (callee.type === 'Identifier' && 'name' in callee && callee.name === 'RegExp') isMaker = true;
  };
  const visitor = new Visitor({
    Literal(node) {
      if (!('regex' in node) || node.regex === null || node.regex === undefined) return;
      const { pattern: source, flags } = node.regex as { readonly pattern: string; readonly flags: string };
      patterns.push({ place: `${file.path}: /${source}/${flags}`, source, flags });
    },
    NewExpression: ({ callee }) => noteCall(callee),
    CallExpression: ({ callee }) => noteCall(callee),
  });
  visitor.visit(parse(file).program);
  return { patterns, isMaker };
}

/** Lists the patterns of published schemas, including those of zod, because other programs search with them. */
function patternsOfSchemas(file: TextFile): readonly Pattern[] {
  const patterns: Pattern[] = [];
  JSON.parse(file.text, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string')
      patterns.push({ place: `${file.path}: ${value}`, source: value, flags: 'u' });
    return value;
  });
  return patterns;
}

/** Returns the fault of a pattern, or `null` if it is proven to be linear. */
function findFault(pattern: Pattern, diagnostics: Diagnostics): string | null {
  if (diagnostics.status === 'safe') return diagnostics.complexity.isFuzz ? `${pattern.place} is not proved` : null;
  if (diagnostics.status === 'unknown')
    return `${pattern.place} cannot be evaluated: ${JSON.stringify(diagnostics.error)}`;
  return `${pattern.place} is ${diagnostics.complexity.summary}, as for ${diagnostics.attack.pattern}`;
}

async function findFaults(patterns: readonly Pattern[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const pattern of new Map(patterns.map((one) => [`/${one.source}/${one.flags}`, one])).values()) {
    const fault = findFault(pattern, await check(pattern.source, pattern.flags, parameters));
    if (fault !== null) faults.push(fault);
  }
  return faults;
}

const paths = repositoryFiles();
const program = readTextFiles(
  paths.filter(
    (path) => /^(src|machines|console|tooling|bench)\/.*\.tsx?$/.test(path) && !/\.peers|node_modules/.test(path),
  ),
).map((file) => ({ path: file.path, ...patternsIn(file) }));
const literals = program.flatMap(({ patterns }) => patterns);
const schemas = readTextFiles(paths.filter((path) => /^docs\/schemas\/.*\.json$/.test(path)));

const minutes = 60_000;

describe('regular expressions', () => {
  it('the check reports slow patterns and patterns that it cannot prove to be linear', {
    timeout: 5 * minutes,
  }, async () => {
    const ofSource = (source: string) => ({ place: source, source, flags: '' });
    for (const slow of ['\\s+$', 'a*b', '^[^\\s:]+@[^\\s:]+$', '^(a+)+$', '(?<!a)a+$', '(a+)\\1$'])
      expect(await findFaults([ofSource(slow)])).toHaveLength(1);
    expect(await findFaults([ofSource('^[a-z]{1,64}$')])).toEqual([]);
    const file = { path: 'a.ts', text: 'const a = /x/u; const b = new RegExp(a.source);' };
    expect(patternsIn(file)).toMatchObject({ patterns: [{ source: 'x', flags: 'u' }], isMaker: true });
  });

  it('all patterns of the program are linear', { timeout: 20 * minutes }, async () => {
    expect(literals.length).toBeGreaterThan(250);
    expect(await findFaults(literals)).toEqual([]);
  });

  it('all patterns of the published schemas are linear', { timeout: 10 * minutes }, async () => {
    const patterns = schemas.flatMap(patternsOfSchemas);
    expect(patterns.length).toBeGreaterThan(100);
    expect(await findFaults(patterns)).toEqual([]);
  });

  it('files that build patterns from text are listed here, and patterns from constant text are linear', {
    timeout: 10 * minutes,
  }, async () => {
    expect(program.filter(({ isMaker }) => isMaker).map(({ path }) => path)).toEqual(Object.keys(makers).toSorted());
    const sentences = Object.values(sentencePatterns).flat();
    expect(
      await findFaults(sentences.map(({ source, flags }) => ({ place: `sentence /${source}/`, source, flags }))),
    ).toEqual([]);
  });
});
