/** Exit codes: all passed, a check failed, the caller's mistake, the simulator is broken. */
export type ExitCode = 0 | 1 | 2 | 3;

/** Where a command writes text. */
export interface TextSink {
  /** Writes a text. Returns false when the receiver is behind; `drained` then tells when to go on. */
  write(text: string): boolean;
  /** Resolves when the receiver has taken what was written. */
  drained(): Promise<void>;
  readonly isTty: boolean;
  /** Width in characters; `null` where it is no terminal. */
  readonly columns: number | null;
}

/** The time as a command may know it. */
export interface CommandClock {
  /** Ms since the epoch. */
  nowMs(): number;
  /** Begins to measure; the returned function tells the ms since then. */
  stopwatch(): () => number;
}

/** All that a command knows of the world outside; a test passes its own. */
export interface CommandContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** What is piped in, in chunks. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly clock: CommandClock;
  /** How the caller starts this program again, such as `npx nudgelab`. */
  readonly program: string;
  readonly pid: number;
  /** Version of Node, such as `24.21.0`. */
  readonly nodeVersion: string;
  /** Calls back once the user or the system asks the program to end. Returns the function that ends the listening. */
  readonly onStop: (listener: () => void) => () => void;
  /** Calls back for each key on a terminal. Returns the function that ends the listening. */
  readonly onKey: (listener: (key: string) => void) => () => void;
}
