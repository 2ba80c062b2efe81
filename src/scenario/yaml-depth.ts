import { Lexer, Parser } from 'yaml';

/**
 * Maximum nesting depth of a YAML or JSON file. No schema needs a quarter of it, and deeper values would exhaust
 * the stack of their reader.
 */
export const nestingMax = 100;

/** Message for a text or value that exceeds the maximum depth. */
export const nestedTooDeeply = `is nested deeper than ${nestingMax} levels`;

/**
 * Returns the offset at which a text first exceeds the maximum depth, or `null` if it never does. The check must
 * precede parsing, because a recursive parser would exhaust the stack, which can even crash Node.
 */
export function tooDeepAt(text: string): number | null {
  return levelsAtMost(text) <= nestingMax ? null : tokenTooDeep(text);
}

/**
 * Returns a quick upper bound for the depth of a text: the depth of its brackets plus the depth of its indentation.
 */
function levelsAtMost(text: string): number {
  let open = 0;
  let fewest = 0;
  let opened = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open += bracket === '[' || bracket === '{' ? 1 : -1;
    // An unmatched closing bracket is part of a text and not YAML syntax, so it does not reduce the depth of later
    // brackets.
    fewest = Math.min(fewest, open);
    opened = Math.max(opened, open - fewest);
  }
  let indented = 0;
  for (const [indent] of text.matchAll(/^[ \t?:-]*/gm)) indented = Math.max(indented, indent.length);
  return opened + indented;
}

/** Finds the offset with the tokens of the parser, which stores its levels in a list instead of recursing. */
function tokenTooDeep(text: string): number | null {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    for (const _ of parser.next(lexeme)) {
      // Completed documents are ignored. Only the depth of the parser matters.
    }
    // The first level is the document itself.
    if (parser.stack.length > nestingMax + 1) return at;
  }
  return null;
}
