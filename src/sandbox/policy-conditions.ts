/** Entity tags of a header, each as it stands there; an opaque tag holds no quotation mark. */
const entityTags = /(?:W\/)?"[^"]*"/g;

/**
 * Whether `If-Match` lets a change through: any tag (`*`), or a list with the current one. The comparison is strong, so a weak
 * tag never matches. Takes the header and the current strong tag.
 */
export function ifMatchHolds(header: string, etag: string): boolean {
  return header.trim() === '*' || tagsOf(header).includes(etag);
}

/** Whether `If-None-Match` says that the client holds the current content; the comparison is weak. */
export function ifNoneMatchHolds(header: string, etag: string): boolean {
  return header.trim() === '*' || tagsOf(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

function tagsOf(header: string): readonly string[] {
  return header.match(entityTags) ?? [];
}

const returnPreference = /^return\s*=\s*"?(minimal|representation)"?$/i;

/** Whether `Prefer` asks for an answer without a body; of two wishes about the answer the first one counts. */
export function prefersMinimal(header: string | undefined): boolean {
  const wishes = (header ?? '').split(/[,;]/).map((part) => returnPreference.exec(part.trim())?.[1]?.toLowerCase());
  return wishes.find((wish) => wish !== undefined) === 'minimal';
}
