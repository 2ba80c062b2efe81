/** Exit codes: 0 passed, 1 a check failed, 2 invalid input, 3 internal error. */
export type ExitCode = 0 | 1 | 2 | 3;

/** Destination for the text output of a command. */
export interface TextSink {
  /** Writes text. Returns `false` if the receiver is behind. The caller then waits for `drained`. */
  write(text: string): boolean;
  /** Resolves when the receiver has accepted all written text. */
  drained(): Promise<void>;
  readonly isTty: boolean;
  /** Terminal width in characters; `null` if the output is not a terminal. */
  readonly columns: number | null;
}

/** Time functions available to a command. */
export interface CommandClock {
  /** Returns the current time in milliseconds since the epoch. */
  nowMs(): number;
  /** Starts a measurement. The returned function gives the elapsed milliseconds. */
  stopwatch(): () => number;
}

/** Environment of a command. Tests pass their own. */
export interface CommandContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Returns the standard input in chunks. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly clock: CommandClock;
  /** Command that starts this program again, such as `npx nudgelab`. */
  readonly program: string;
  readonly pid: number;
  /** Version of Node.js, such as `24.21.0`. */
  readonly nodeVersion: string;
  /**
   * Registers a listener for requests to end the program, from the user or the system. Returns a function that
   * removes it.
   */
  readonly onStop: (listener: () => void) => () => void;
  /** Registers a listener for each key pressed on a terminal. Returns a function that removes it. */
  readonly onKey: (listener: (key: string) => void) => () => void;
}
