import { documentSlugCharactersMax } from '../../contract/document-limits.ts';

const marks = /\p{M}+/gu;
const notInSlugs = /[^a-z0-9_\s-]/g;
const gaps = /[\s-]+/g;
const ends = /^[-_]+|[-_]+$/g;

/** A name of a title that can stand in an address: Latin letters without marks, digits and hyphens; may be empty. */
export function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replace(marks, '').toLowerCase().replace(notInSlugs, '');
  return plain.trim().replace(gaps, '-').replace(ends, '').slice(0, documentSlugCharactersMax).replace(ends, '');
}
