import { Lexer, Parser } from 'yaml';

/** Levels of nesting in a file of YAML or JSON. No schema needs a quarter of them; what reads the values would exhaust the stack. */
export const nestingMax = 100;

/** What is wrong with a text or a value that has more. */
export const nestedTooDeeply = `is nested deeper than ${nestingMax} levels`;

/**
 * Where a text is first nested too deeply, as an offset; `null` where it nowhere is. It is asked before the text is parsed: a parser that
 * goes down with the text ends with the stack, and at its very end even Node may.
 */
export function tooDeepAt(text: string): number | null {
  return levelsAtMost(text) <= nestingMax ? null : tokenTooDeep(text);
}

/** No fewer levels than a text has, found at a glance: those of its brackets and those of its indentation. */
function levelsAtMost(text: string): number {
  let open = 0;
  let fewest = 0;
  let opened = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open += bracket === '[' || bracket === '{' ? 1 : -1;
    // What closes more than was opened is no bracket of YAML but part of a text: it takes back none that follow.
    fewest = Math.min(fewest, open);
    opened = Math.max(opened, open - fewest);
  }
  let indented = 0;
  for (const [indent] of text.matchAll(/^[ \t?:-]*/gm)) indented = Math.max(indented, indent.length);
  return opened + indented;
}

/** Reads the tokens as the parser does, which keeps the levels in a list of its own. */
function tokenTooDeep(text: string): number | null {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    for (const _ of parser.next(lexeme)) {
      // A document that has ended is let go; only how deep the parser stands counts.
    }
    // The list begins with the document itself.
    if (parser.stack.length > nestingMax + 1) return at;
  }
  return null;
}
