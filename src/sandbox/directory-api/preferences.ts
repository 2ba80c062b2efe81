import { factsAnnotation } from '../../contract/directory-api/facts-annotation.ts';

/** Preferences of a request (RFC 7240) that the API applies. */
export interface Preferences {
  /** Maximum number of rows per page, or `null` for none. */
  readonly maxPageSize: number | null;
  /** `true` if the rows carry their facts (DIR76). */
  readonly annotates: boolean;
  readonly includesUnknown: boolean;
}

const maxPageSize = /(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*(\d{1,9})/i;
const annotations = /(?:^|[,;\s])(?:odata\.)?include-annotations\s*=\s*"?([^";\s]+)/i;
const unknownMembers = /(?:^|[,;\s])include-unknown-enum-members/i;

/** Patterns that include the annotation. */
const annotationPatterns: ReadonlySet<string> = new Set(['*', 'nudgelab.*', factsAnnotation]);

/** Reads the header `Prefer`. Unknown preferences are ignored. */
export function readPreferences(prefer = ''): Preferences {
  const rows = Number(maxPageSize.exec(prefer)?.[1] ?? 0);
  const names = annotations.exec(prefer)?.[1]?.split(',') ?? [];
  return {
    maxPageSize: rows === 0 ? null : rows,
    annotates: names.some((name) => annotationPatterns.has(name.trim().toLowerCase())),
    includesUnknown: unknownMembers.test(prefer),
  };
}
