import { withoutEnd } from '../../core/text-end.ts';

/** A file that is to be written. */
export interface Artefact {
  /** Below the folder that is named for it, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** The first line of what is written, and what it is for. */
export interface Heading {
  /** Names the suite, and the files of it that are one for all. */
  readonly title: string;
  /** Says where the files come from; stands in each that can hold it. */
  readonly comment: string;
}

/** A text as the name of a file: small letters, digits and hyphens. */
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

/** Names for texts, each once: the second of one name ends in `-2`. Takes the texts in their order. */
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
