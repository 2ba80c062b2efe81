import type { CommandContext, ExitCode, TextSink } from '../../src/cli/context.ts';
import { runProgram } from '../../src/cli/program.ts';
import { machineNowMs, stopwatch } from '../../src/core/clock.ts';

/** Keeps what is written, and tells when a text has come. */
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

  /** Resolves once the whole text that was written holds. */
  until(holds: (text: string) => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (holds(this.text)) resolve();
    else this.#waiting.push({ holds, resolve });
    return promise;
  }
}

/** A world outside that a test sets up and looks at. */
export interface TestContext extends CommandContext {
  readonly stdout: RecordedSink;
  readonly stderr: RecordedSink;
  /** Ends the command as a signal would. */
  stop(): void;
  /** Presses a key. */
  press(key: string): void;
}

interface TestWorld {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: readonly string[];
  readonly isTty?: boolean;
  readonly nodeVersion?: string;
}

/** Makes a world outside. By default it stands in the repository, has no terminal and an empty environment. */
export function testContext(world: TestWorld = {}): TestContext {
  const stops = new Set<() => void>();
  const keys = new Set<(key: string) => void>();
  return {
    cwd: world.cwd ?? process.cwd(),
    env: world.env ?? {},
    stdout: new RecordedSink(world.isTty),
    stderr: new RecordedSink(world.isTty),
    stdin: () => chunks(world.stdin ?? []),
    clock: { nowMs: machineNowMs, stopwatch },
    program: 'nudgelab',
    pid: 4_711,
    nodeVersion: world.nodeVersion ?? '24.21.0',
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

/** What a command left behind. */
export interface Ended {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program in this process to its end. Takes its arguments and what of the world outside is of interest. */
export async function runHere(argv: readonly string[], world: TestWorld = {}): Promise<Ended> {
  const context = testContext(world);
  const code = await runProgram(argv, context);
  return { code, stdout: context.stdout.text, stderr: context.stderr.text };
}

/** The one JSON value that a command printed. Throws when there is more than one line, or none. */
export function parseOutput({ stdout }: Ended): unknown {
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length !== 1) throw new Error(`${lines.length} lines were printed in place of one.`);
  return JSON.parse(stdout);
}

async function* chunks(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const text of texts) yield encoder.encode(text);
}
