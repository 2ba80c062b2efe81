#!/usr/bin/env node
/**
 * The program's entry, and the only file that touches the process. Everything else is imported once the runtime is known to be
 * able to read it; this file and the one that it begins with keep to what Node 18 can parse.
 */
import type { CommandContext, TextSink } from './context.ts';
import { oldestNodeMajor } from './oldest-node.ts';

if (Number(process.versions.node.split('.')[0]) < oldestNodeMajor) {
  process.stderr.write(
    `error runtime-too-old: Node ${process.versions.node} is too old; this program needs Node ${oldestNodeMajor}.\n` +
      `Run it through npm scripts (npm start, npm run serve), or install Node ${oldestNodeMajor} or later.\n`,
  );
  process.exitCode = 2;
} else {
  await start();
}

async function start(): Promise<void> {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const context = await processContext();
  quietTypelessModules();
  const { runProgram } = await import('./program.ts');
  const { showError } = await import('./show-error.ts');
  const argv = process.argv.slice(2);
  hideArguments(argv);
  const broken = (error: unknown): void => {
    process.exit(showError(error, context, { json: argv.includes('--json'), verbose: argv.includes('--verbose') }));
  };
  process.on('uncaughtException', broken).on('unhandledRejection', broken);
  endOnLostOutput((error) => {
    // What cannot be printed is not tried again: the error goes to the other output alone.
    process.exit(showError(error, context, { json: false, verbose: false }));
  });
  const release = stayAlive();
  process.exitCode = await runProgram(argv, context);
  release();
}

/** A list of processes shows what stands on the command line; a title of the process's own takes the place of a key there. */
function hideArguments(argv: readonly string[]): void {
  if (argv.some((argument) => argument.startsWith('--control-key'))) process.title = 'nudgelab';
}

/**
 * Keeps the process until the program has ended by itself: a driver that never answers leaves nothing else that would, and
 * the timeout of its scenario is yet to come.
 */
function stayAlive(): () => void {
  const { port1 } = new MessageChannel();
  port1.ref();
  return () => port1.close();
}

async function processContext(): Promise<CommandContext> {
  const { machineNowMs, stopwatch } = await import('../core/clock.ts');
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdin: () => process.stdin,
    clock: { nowMs: machineNowMs, stopwatch },
    program: programName(),
    pid: process.pid,
    nodeVersion: process.versions.node,
    onStop: (listener) => {
      process.once('SIGINT', listener).once('SIGTERM', listener);
      return () => process.off('SIGINT', listener).off('SIGTERM', listener);
    },
    onKey,
  };
}

function sinkOf(stream: NodeJS.WriteStream): TextSink {
  return {
    write: (text) => stream.write(text),
    drained: () => new Promise((resolve) => (stream.writableNeedDrain ? stream.once('drain', resolve) : resolve())),
    isTty: stream.isTTY === true,
    // Asked again each time, because windows are resized; some terminals do not know, and say 0.
    get columns() {
      return stream.isTTY === true && stream.columns > 0 ? stream.columns : null;
    },
  };
}

function onKey(listener: (key: string) => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => undefined;
  const heard = (chunk: Buffer): void => listener(chunk.toString('utf8'));
  stdin.setRawMode(true).resume().on('data', heard);
  return () => stdin.off('data', heard).setRawMode(false).pause();
}

/** From the sources the program runs by npm scripts; from a package by npx or by its own name. */
function programName(): string {
  if (import.meta.url.endsWith('.ts')) return 'npm run nudgelab --';
  return process.env['npm_command'] === 'exec' ? 'npx nudgelab' : 'nudgelab';
}

/** A reader that has enough, such as `head`, ends the program without a word; an output without room ends it with an error. */
function endOnLostOutput(tell: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    tell(error);
  });
  // There is no one left to tell; the exit code says what the command came to.
  process.stderr.on('error', () => undefined);
}

/** A user's config may stand in a package without a module type; Node's hint about the speed of that helps no one here. */
function quietTypelessModules(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning').on('warning', (warning: Error & { code?: string }) => {
    if (warning.code === 'MODULE_TYPELESS_PACKAGE_JSON') return;
    // Such a file is then taken for a module, and what is wrong with it is told as an error.
    if (warning.message.startsWith('Failed to load the ES module')) return;
    for (const print of printers) print(warning);
  });
}
