import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { acceptsJson } from '../documents/accepts-json.ts';

const withoutMetadata = /odata\.metadata\s*=\s*none/i;

/**
 * Returns `true` if a client accepts JSON only without annotations.
 *
 * @param accept - the header `Accept`
 * @throws NudgeLabError `not-acceptable` if it admits no JSON
 * @see DIR6
 */
export function acceptsPlainJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*') return false;
  if (!acceptsJson(accept)) {
    throw new NudgeLabError('not-acceptable', { message: `The header Accept, ${accept}, admits no JSON.` });
  }
  return withoutMetadata.test(accept);
}

/** Returns a value without the annotations that `odata.metadata=none` leaves out, at any depth. */
export function withoutAnnotations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAnnotations);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (key.includes('@odata.') ? [] : [[key, withoutAnnotations(part)]])),
  );
}
