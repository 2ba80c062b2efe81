/**
 * Returns the reason of a failed connection. If a host has several addresses, the failure is a list of errors, one for each
 * address, and has no message of its own.
 */
export function describeFailure(cause: unknown): string {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error ? first.message : String(first);
}
