import type { ErrorCode, NudgeLabError } from '../core/errors.ts';

/** An error of the document records API on the wire: one sentence, or each field with what is wrong with it. */
export type DocumentErrorBody = { readonly detail: string } | Readonly<Record<string, readonly string[]>>;

/** The sentences that clients of the API know; for other failures the message of the error stands. */
const details: Partial<Record<ErrorCode, string>> = {
  'document-not-found': 'No Document matches the given query.',
  'not-found': 'Not found.',
  'sandbox-not-found': 'Not found.',
  'not-acceptable': 'Could not satisfy the request Accept header.',
  'internal-error': 'The simulator failed.',
};

/** The body of a failure. Takes the error with what is wrong where. */
export function documentErrorBody({ code, publicMessage: message, problems }: NudgeLabError): DocumentErrorBody {
  if (problems.length === 0) return { detail: details[code] ?? message };
  const messages = Map.groupBy(problems, ({ location: place }) => place);
  return Object.fromEntries([...messages].map(([place, found]) => [place, found.map((problem) => problem.message)]));
}
