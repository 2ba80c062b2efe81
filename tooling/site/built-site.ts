import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'node-html-parser';

/**
 * Finds links within a site that lead nowhere, to a missing file or a missing element of a page.
 *
 * @param folder the built site
 * @param pages its HTML files, from that folder
 * @returns a line for each dead link
 */
export function deadLinks(folder: string, pages: readonly string[]): readonly string[] {
  const documents = new Map(
    pages.map((page) => {
      const document = parse(readFileSync(join(folder, page), 'utf8'));
      const ids = new Set(document.querySelectorAll('[id]').map(({ id }) => id));
      const targets = document.querySelectorAll('a[href]').map((link) => link.getAttribute('href') ?? '');
      return [page, { ids, targets: new Set(targets) }];
    }),
  );
  const isDead = (page: string, target: string): boolean => {
    const { pathname, hash } = new URL(target, `site:///${page}`);
    const path = decodeURIComponent(pathname).replace(/^\//, '');
    const file = path === '' || path.endsWith('/') ? posix.join(path, 'index.html') : path;
    const found = documents.get(file);
    if (found === undefined) return !existsSync(join(folder, file));
    return hash !== '' && !found.ids.has(decodeURIComponent(hash.slice(1)));
  };
  return [...documents].flatMap(([page, { targets }]) =>
    [...targets]
      .filter((target) => !/^[a-z]+:/.test(target) && isDead(page, target))
      .map((target) => `${page}: dead link ${target}`),
  );
}

/** Size of scripts, in bytes. */
interface ScriptSize {
  readonly bytes: number;
  /** As `nudgelab docs` and most hosts send them. */
  readonly compressedBytes: number;
}

/**
 * Measures the script that the first page loads before its reader does anything: its script elements, the modules that it
 * preloads, and everything that these import.
 *
 * @param folder the built site
 */
export function firstPageScript(folder: string): ScriptSize {
  const document = parse(readFileSync(join(folder, 'index.html'), 'utf8'));
  const named = [
    ...document.querySelectorAll('script[src]').map((one) => one.getAttribute('src')),
    ...document.querySelectorAll('link[rel=modulepreload]').map((one) => one.getAttribute('href')),
  ];
  const found = new Set<string>();
  const add = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, target = ''] of text.matchAll(/\b(?:from|import)\s*["']([^"']+\.js)["']/g)) {
      add(posix.join(posix.dirname(path), target));
    }
  };
  for (const path of named) if (path !== undefined) add(path);
  const files = [...found].map((path) => readFileSync(join(folder, path)));
  return {
    bytes: sum(files.map(({ length }) => length)),
    compressedBytes: sum(files.map((file) => gzipSync(file).length)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
