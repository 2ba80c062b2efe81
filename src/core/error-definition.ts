/** One row of the table of errors. */
export interface ErrorDefinition {
  readonly title: string;
  /** What the caller can do about it. */
  readonly action: string;
  readonly status: number;
  readonly exitCode: 1 | 2 | 3;
}

/** Writes a row down: title, what to do, HTTP status, exit code of a command. */
export function row(title: string, action: string, status: number, exitCode: 1 | 2 | 3): ErrorDefinition {
  return { title, action, status, exitCode };
}
