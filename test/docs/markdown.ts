import { readTextFiles, repositoryFiles, type TextFile } from '../conventions/repository.ts';

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** 1-based line of its first line. */
  readonly line: number;
}

/** A link of a page: where it leads, as it is written, and the line it stands on. */
export interface Link {
  readonly target: string;
  readonly line: number;
}

let read: readonly TextFile[] | null = null;

/** The pages that people read, all of them; read once, since no test changes them. */
export function pages(): readonly TextFile[] {
  read ??= readTextFiles(repositoryFiles().filter((path) => /^(docs\/.*|[A-Z]+)\.md$/.test(path)));
  return read;
}

/** One page by its path. Throws a `RangeError` when there is none. */
export function pageAt(path: string): TextFile {
  const page = pages().find((one) => one.path === path);
  if (page === undefined) throw new RangeError(`There is no page ${path}.`);
  return page;
}

/** The fenced blocks of a text, without the indentation that a list gives them. */
export function listBlocks(text: string): readonly Block[] {
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map((found) => {
    const [, indent = '', language = '', body = ''] = found;
    const line = text.slice(0, found.index).split('\n').length + 1;
    return { language, text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), line };
  });
}

/** The links of a text to other places of the repository; those to the world outside are left out. */
export function listLinks(text: string): readonly Link[] {
  return withoutBlocks(text)
    .split('\n')
    .flatMap((row, index) =>
      [...row.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ target, line: index + 1 })),
    )
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** Files and folders that a text names as code, from the repository's top. */
export function listPaths(text: string): readonly Link[] {
  return withoutBlocks(text)
    .split('\n')
    .flatMap((row, index) =>
      [...row.matchAll(/`((?:src|machines|test|tooling|bench|docs|scenarios|fixtures)\/[\w./-]*)`/g)].map(
        ([, target = '']) => ({ target, line: index + 1 }),
      ),
    );
}

/** The anchors that headings make, as a forge makes them. */
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

/** The text with its blocks emptied; lines keep their numbers. */
function withoutBlocks(text: string): string {
  return text.replaceAll(/^( *)```\w+\n[\s\S]*?^\1```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
}
