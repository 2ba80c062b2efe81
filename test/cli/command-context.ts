import type { CommandContext, ExitCode, TextSink } from '../../src/cli/context.ts';
import { runProgram } from '../../src/cli/program.ts';
import { machineNowMs, stopwatch } from '../../src/core/clock.ts';

/** Text sink that records its output and notifies waiting tests of new text. */
export class RecordedSink implements TextSink {
  readonly isTty: boolean;
  readonly columns: number | null;
  text = '';
  readonly #waiting: { readonly holds: (text: string) => boolean; readonly resolve: () => void }[] = [];

  constructor(isTty = false) {
    this.isTty = isTty;
    this.columns = isTty ? 100 : null;
  }

  write(text: string): boolean {
    this.text += text;
    for (const { holds, resolve } of this.#waiting) if (holds(this.text)) resolve();
    return true;
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  /** Resolves once all text written so far meets a condition. */
  until(holds: (text: string) => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (holds(this.text)) resolve();
    else this.#waiting.push({ holds, resolve });
    return promise;
  }
}

/** Command context that a test can configure and inspect. */
export interface TestContext extends CommandContext {
  readonly stdout: RecordedSink;
  readonly stderr: RecordedSink;
  /** Ends the command like a termination signal. */
  stop(): void;
  /** Simulates a key press. */
  press(key: string): void;
}

interface ContextOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: readonly string[];
  readonly isTty?: boolean;
  readonly nodeVersion?: string;
}

/**
 * Creates a command context for tests. By default it has the current working directory, no terminal and an empty
 * environment.
 */
export function testContext(options: ContextOptions = {}): TestContext {
  const stops = new Set<() => void>();
  const keys = new Set<(key: string) => void>();
  return {
    cwd: options.cwd ?? process.cwd(),
    env: options.env ?? {},
    stdout: new RecordedSink(options.isTty),
    stderr: new RecordedSink(options.isTty),
    stdin: () => chunks(options.stdin ?? []),
    clock: { nowMs: machineNowMs, stopwatch },
    program: 'nudgelab',
    pid: 4_711,
    nodeVersion: options.nodeVersion ?? '24.21.0',
    onStop: (listener) => {
      stops.add(listener);
      return () => stops.delete(listener);
    },
    onKey: (listener) => {
      keys.add(listener);
      return () => keys.delete(listener);
    },
    stop: () => {
      for (const listener of [...stops]) listener();
    },
    press: (key) => {
      for (const listener of [...keys]) listener(key);
    },
  };
}

/** Exit code and output of a finished command. */
export interface Ended {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the program in this process until it exits.
 *
 * @param argv - Command-line arguments.
 * @param options - Settings that differ from the default test context.
 * @returns the exit code and the output.
 */
export async function runHere(argv: readonly string[], options: ContextOptions = {}): Promise<Ended> {
  const context = testContext(options);
  const code = await runProgram(argv, context);
  return { code, stdout: context.stdout.text, stderr: context.stderr.text };
}

/** Parses the JSON value that a command printed. Throws if the output is not exactly one line. */
export function parseOutput({ stdout }: Ended): unknown {
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length !== 1) throw new Error(`${lines.length} lines were printed in place of one.`);
  return JSON.parse(stdout);
}

async function* chunks(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const text of texts) yield encoder.encode(text);
}
