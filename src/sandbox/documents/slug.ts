import { documentSlugCharactersMax } from '../../contract/document-limits.ts';
import { withoutEnd } from '../../core/text-end.ts';

const marks = /\p{M}+/gu;
const notInSlugs = /[^a-z0-9_\s-]/g;
const gaps = /[\s-]+/g;
const beginning = /^[-_]+/;
const ends = '-_';

/** Converts a title to a URL slug of unaccented Latin letters, digits and hyphens. The result can be empty. */
export function createSlug(title: string): string {
  const plain = title.normalize('NFKD').replace(marks, '').toLowerCase().replace(notInSlugs, '');
  const slug = withoutEnd(plain.trim().replace(gaps, '-').replace(beginning, ''), ends);
  return withoutEnd(slug.slice(0, documentSlugCharactersMax), ends);
}
