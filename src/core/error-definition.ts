/** Definition of one error code. */
export interface ErrorDefinition {
  readonly title: string;
  /** Suggested action for the caller. */
  readonly action: string;
  readonly status: number;
  readonly exitCode: 1 | 2 | 3;
}

/** Creates an error definition from its title, suggested action, HTTP status and exit code. */
export function row(title: string, action: string, status: number, exitCode: 1 | 2 | 3): ErrorDefinition {
  return { title, action, status, exitCode };
}
