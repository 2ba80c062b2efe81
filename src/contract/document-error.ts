import type { ErrorCode, NudgeLabError } from '../core/errors.ts';

/** Error body of the document records API: one sentence, or the messages for each invalid field. */
export type DocumentErrorBody = { readonly detail: string } | Readonly<Record<string, readonly string[]>>;

/** Error details that clients of the API expect. All other errors use their own message. */
const details: Partial<Record<ErrorCode, string>> = {
  'document-not-found': 'No Document matches the given query.',
  'not-found': 'Not found.',
  'sandbox-not-found': 'Not found.',
  'not-acceptable': 'Could not satisfy the request Accept header.',
  'internal-error': 'The simulator failed.',
};

/** Returns the response body of an error, with the messages grouped by location if the error lists problems. */
export function documentErrorBody({ code, publicMessage: message, problems }: NudgeLabError): DocumentErrorBody {
  if (problems.length === 0) return { detail: details[code] ?? message };
  const messages = Map.groupBy(problems, ({ location: place }) => place);
  return Object.fromEntries([...messages].map(([place, found]) => [place, found.map((problem) => problem.message)]));
}
