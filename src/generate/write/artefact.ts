import { withoutEnd } from '../../core/text-end.ts';

/** File to write. */
export interface Artefact {
  /** Path relative to the output folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Title and origin of generated files. */
export interface Heading {
  /** Name of the suite, also used for files that exist once per suite. */
  readonly title: string;
  /** Comment on the origin of the files, included in each format that supports comments. */
  readonly comment: string;
}

/** Converts text to a file name of lowercase letters, digits and hyphens. */
export function createSlug(text: string): string {
  const slug = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');
  const whole = withoutEnd(slug.slice(0, slugCharactersMax), '-');
  return whole === '' ? 'untitled' : whole;
}

const slugCharactersMax = 80;

/** Converts texts to unique file names, in order; the second file with the same name ends in `-2`. */
export function uniqueSlugs(texts: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return texts.map((text) => {
    const slug = createSlug(text);
    let name = slug;
    for (let number = 2; taken.has(name); number += 1) name = `${slug}-${number}`;
    taken.add(name);
    return name;
  });
}
