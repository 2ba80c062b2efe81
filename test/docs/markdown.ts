import { readTextFiles, repositoryFiles, type TextFile } from '../conventions/repository.ts';

/** Fenced code block of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** 1-based line number of its first line. */
  readonly line: number;
}

/** Link of a page with its target as written and its line number. */
export interface Link {
  readonly target: string;
  readonly line: number;
}

let read: readonly TextFile[] | null = null;

/** Returns all documentation pages. They are read only once, because no test changes them. */
export function pages(): readonly TextFile[] {
  read ??= readTextFiles(repositoryFiles().filter((path) => /^((docs|skills)\/.*|[A-Z]+)\.md$/.test(path)));
  return read;
}

/** Returns one page by its path. Throws a `RangeError` if the page does not exist. */
export function pageAt(path: string): TextFile {
  const page = pages().find((one) => one.path === path);
  if (page === undefined) throw new RangeError(`There is no page ${path}.`);
  return page;
}

/** Lists the fenced blocks of a text without the indentation of a surrounding list. */
export function listBlocks(text: string): readonly Block[] {
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const [, indent = '', language = '', body = ''] = match;
    const line = text.slice(0, match.index).split('\n').length + 1;
    return { language, text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), line };
  });
}

/** Lists the links of a text to other places of the repository. External links are omitted. */
export function listLinks(text: string): readonly Link[] {
  return withoutBlocks(text)
    .split('\n')
    .flatMap((row, index) =>
      [...row.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ target, line: index + 1 })),
    )
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** Lists the files and folders that a text names as code, with paths from the repository root. */
export function listPaths(text: string): readonly Link[] {
  return withoutBlocks(text)
    .split('\n')
    .flatMap((row, index) =>
      [...row.matchAll(/`((?:src|machines|test|tooling|bench|docs|scenarios|fixtures)\/[\w./-]*)`/g)].map(
        ([, target = '']) => ({ target, line: index + 1 }),
      ),
    );
}

/** Returns the anchors of the headings in the format of code hosting platforms. */
export function listAnchors(text: string): ReadonlySet<string> {
  const headings = [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Empties the code blocks of a text and keeps the line numbers. */
function withoutBlocks(text: string): string {
  return text.replaceAll(/^( *)```\w+\n[\s\S]*?^\1```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
}
