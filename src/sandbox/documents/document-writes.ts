import { documentTitleCharactersMax } from '../../contract/document-limits.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';

/** Fields set by a PUT or PATCH. Omitted fields keep their values. */
export interface DocumentWrite {
  readonly title?: string;
  readonly description?: string;
}

/** Media types that a write request may have. */
export const writtenTypes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] as const;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the body of a write request. Throws `unsupported-media-type` for another media type, and `bad-request` for
 * an unparsable body or with the problems of each field.
 */
export async function readWrite(contentType: string | undefined, bytes: Uint8Array): Promise<DocumentWrite> {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (bytes.length === 0 && mediaType === '') return {};
  switch (mediaType) {
    case 'application/json':
      return checked(parseJson(bytes));
    case 'application/x-www-form-urlencoded':
      return checked(Object.fromEntries(new URLSearchParams(decodeText(bytes))));
    case 'multipart/form-data':
      return checked(await parseForm(contentType ?? '', bytes));
    default:
      throw new NudgeLabError('unsupported-media-type', {
        message: `Unsupported media type "${contentType ?? ''}" in request.`,
      });
  }
}

/** Returns the fields of a form. A file never counts as text, regardless of its field name. */
async function parseForm(contentType: string, bytes: Uint8Array): Promise<Record<string, unknown>> {
  try {
    const body = new Uint8Array(bytes);
    return Object.fromEntries(await new Response(body, { headers: { 'content-type': contentType } }).formData());
  } catch (cause) {
    throw new NudgeLabError('bad-request', { message: 'Multipart form parse error - the body is incomplete.', cause });
  }
}

function parseJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('bad-request', { message: `JSON parse error - ${reason}`, cause });
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new NudgeLabError('bad-request', { message: 'JSON parse error - the body is not valid UTF-8.', cause });
  }
}

function checked(body: unknown): DocumentWrite {
  if (!isPlainObject(body)) {
    const given = body === null ? 'null' : Array.isArray(body) ? 'list' : typeof body;
    throw new NudgeLabError('bad-request', {
      problems: [{ location: 'non_field_errors', message: `Invalid data. Expected a dictionary, but got ${given}.` }],
    });
  }
  const problems: ValidationProblem[] = [];
  const title = parseField(body, 'title', documentTitleCharactersMax, problems);
  const description = parseField(body, 'description', Number.POSITIVE_INFINITY, problems);
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

function parseField(
  body: Readonly<Record<string, unknown>>,
  place: string,
  charactersMax: number,
  problems: ValidationProblem[],
): string | undefined {
  const value = Object.hasOwn(body, place) ? body[place] : undefined;
  if (value === undefined) return undefined;
  const note = (message: string): undefined => {
    problems.push({ location: place, message });
    return undefined;
  };
  if (value === null) return note('This field may not be null.');
  if (typeof value !== 'string') return note('Not a valid string.');
  if (value.includes('\0')) return note('Null characters are not allowed.');
  const text = value.trim();
  if ([...text].length > charactersMax) return note(`Ensure this field has no more than ${charactersMax} characters.`);
  return text;
}
