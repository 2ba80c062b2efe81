import { createHash } from 'node:crypto';

/** A short, stable digest of JSON data: SHA-256 of its canonical text (keys sorted), the first 16 hex digits. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
}

/** JSON with the keys of every object sorted, so that equal values have equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) =>
    typeof held === 'object' && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
}
