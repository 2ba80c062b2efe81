import type { Comment } from 'oxc-parser';

/** Text and tags of a doc comment. */
export interface DocComment {
  /** Text before the first tag, as Markdown. */
  readonly text: string;
  /** Names and descriptions of the `@param` tags in order. */
  readonly params: readonly { readonly name: string; readonly text: string }[];
  /** Text of the `@returns` tag; `null` if there is none. */
  readonly returns: string | null;
  /** Texts of the `@throws` tags in order. */
  readonly throws: readonly string[];
  /** Texts of the `@example` tags in order. */
  readonly examples: readonly string[];
}

/**
 * Finds the doc comment of a declaration.
 *
 * @param offset - start of the declaration in the text
 * @param comments - comments of the file, in order
 * @param text - text of the file
 * @returns the comment that ends directly before the declaration, ignoring line comments; `null` if there is none
 */
export function docCommentBefore(offset: number, comments: readonly Comment[], text: string): Comment | null {
  const before = comments.findLast((comment) => comment.end <= offset);
  if (before === undefined || text.slice(before.end, offset).trim() !== '') return null;
  if (before.type === 'Block') return isDocComment(before) ? before : null;
  return docCommentBefore(before.start, comments, text);
}

/**
 * Checks whether a comment is a doc comment.
 *
 * @param comment - comment in a source file
 * @returns true if it starts with two asterisks and contains words
 */
export function isDocComment({ type, value }: Comment): boolean {
  return type === 'Block' && value.startsWith('*') && /\w/.test(value);
}

/**
 * Parses a doc comment.
 *
 * @param value - text between the comment delimiters, as the parser returns it
 * @returns its text and its tags; unknown tags remain in the text
 */
export function parseDocComment(value: string): DocComment {
  const blocks: { tag: string; lines: string[] }[] = [{ tag: '', lines: [] }];
  let isFenced = false;
  for (const line of value.replace(/^\*/, '').split('\n')) {
    const content = line.replace(/^\s*\* ?/, '').trimEnd();
    if (/^\s*```/.test(content)) isFenced = !isFenced;
    const [, tag, rest = ''] = (isFenced ? null : /^\s*@(param|returns?|throws|example)\b ?(.*)$/.exec(content)) ?? [];
    if (tag === undefined) blocks.at(-1)?.lines.push(content);
    else blocks.push({ tag: tag.replace(/^return$/, 'returns'), lines: [rest] });
  }
  const listValues = (tag: string): readonly string[] =>
    blocks.filter((block) => block.tag === tag).map(({ lines }) => lines.join('\n').trim());
  return {
    text: withoutLinkTags(listValues('')[0] ?? ''),
    params: listValues('param').map((param) => {
      const [, name = '', text = ''] = /^\[?([\w.$]+)[^\s]*(?:\s+-)?\s*([\s\S]*)$/.exec(param) ?? [];
      return { name, text: withoutLinkTags(text) };
    }),
    returns: listValues('returns').map(withoutLinkTags)[0] ?? null,
    throws: listValues('throws').map(withoutLinkTags),
    examples: listValues('example'),
  };
}

function withoutLinkTags(text: string): string {
  return text.replaceAll(/\{@link\s([^{}]*)\}/g, (_whole, link: string) => {
    const [target = '', ...label] = link.split(/[|\s]/).filter((word) => word !== '');
    return label.length === 0 ? `\`${target}\`` : label.join(' ');
  });
}
