/** Pattern for the entity tags of a header in their original form. An opaque tag contains no quotation mark. */
const entityTags = /(?:W\/)?"[^"]*"/g;

/**
 * Returns true if `If-Match` allows a change: with any tag (`*`), or with a list that contains the current one. The
 * comparison is strong, so a weak tag never matches.
 *
 * @param header - value of the header
 * @param etag - current strong tag
 */
export function ifMatchHolds(header: string, etag: string): boolean {
  return header.trim() === '*' || parseTags(header).includes(etag);
}

/** Returns true if `If-None-Match` contains the tag of the current content. The comparison is weak. */
export function ifNoneMatchHolds(header: string, etag: string): boolean {
  return header.trim() === '*' || parseTags(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

function parseTags(header: string): readonly string[] {
  return header.match(entityTags) ?? [];
}

const returnPreference = /^return\s*=\s*"?(minimal|representation)"?$/i;

/**
 * Returns whether `Prefer` requests a response without a body or the whole resource. The first of several `return`
 * preferences counts. `null` if there is none.
 */
export function readReturnPreference(header: string | undefined): 'minimal' | 'representation' | null {
  const preferences = (header ?? '')
    .split(/[,;]/)
    .map((part) => returnPreference.exec(part.trim())?.[1]?.toLowerCase());
  const first = preferences.find((preference) => preference !== undefined);
  return first === 'minimal' || first === 'representation' ? first : null;
}
