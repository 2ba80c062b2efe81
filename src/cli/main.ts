#!/usr/bin/env node
/**
 * Entry point of the program, and the only file that accesses the process. All other modules are imported only
 * after the Node.js version was checked. This file and its first import therefore use only syntax that Node.js 18
 * can parse.
 */
import { isSupportedNode, oldestNode } from '../core/oldest-node.ts';
import type { CommandContext, TextSink } from './context.ts';

if (!isSupportedNode(process.versions.node)) {
  process.stderr.write(
    `error runtime-too-old: Node ${process.versions.node} is too old; this program needs Node ${oldestNode}.\n` +
      `Run it through npm scripts (npm start, npm run serve), or install Node ${oldestNode} or later.\n`,
  );
  process.exitCode = 2;
} else {
  await start();
}

async function start(): Promise<void> {
  if (process.argv[2] === 'serve' && !process.argv.some((argument) => argument === '--help' || argument === '-h')) {
    loadServerModules();
    limitMemory();
  }
  const { enableCompileCache } = await import('node:module');
  const { directory } = enableCompileCache();
  const context = await processContext();
  if (directory !== undefined) shareCompileCache(directory);
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
    // Output that failed is not retried. The error goes only to the other stream.
    process.exit(showError(error, context, { json: false, verbose: false }));
  });
  const { afterPendingInput, keepRunning } = await import('../core/clock.ts');
  // If a driver never responds, nothing else keeps the process running until the timeout of its scenario.
  const release = keepRunning();
  process.exitCode = await runProgram(argv, context);
  release();
  // Lost output is reported in an event that follows the callback.
  endProcess(() => afterPendingInput(() => process.exit()));
}

/**
 * Ends the process once all output is written. Handles that are still open do not keep it running, such as a server that a
 * module of the user has left.
 */
function endProcess(end: () => void): void {
  process.stdout.write('', () => process.stderr.write('', end));
}

/**
 * Lets threads use the compile cache, which Node.js enables in a thread only by this variable. The context has a copy of the
 * environment without it, so that commands that `exec` runs do not write to this cache.
 */
function shareCompileCache(directory: string): void {
  // Node.js appends its version to the folder that the variable names.
  process.env['NODE_COMPILE_CACHE'] = process.getBuiltinModule('node:path').dirname(directory);
}

/**
 * Loads the modules of Node.js that a server uses. Node.js contains their compiled code, but V8 rejects it once a flag has been
 * changed, and compiling it again takes a tenth of the start.
 */
function loadServerModules(): void {
  const names = ['child_process', 'cluster', 'crypto', 'dgram', 'dns', 'fs/promises', 'http', 'os', 'perf_hooks'];
  for (const name of [...names, 'stream/promises', 'worker_threads', 'zlib']) process.getBuiltinModule(`node:${name}`);
}

/**
 * Limits the memory that V8 takes for speed, because a mock server answers few requests at a time: the sizes of both
 * generations. After 100,000 tokens, this saves 30 % of the memory.
 * Flags of the user for the young generation take precedence over all of it.
 *
 * @see decision 095
 */
function limitMemory(): void {
  const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  if (flags.some((flag) => /semi[-_]space/.test(flag))) return;
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
  const [youngBytes, survivorsMax] = [2 * 4 * 1024 * 1024, 100];
  const countBytes = (): number =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? youngBytes;
  setFlagsFromString('--heap-growing-percent=40');
  // V8 has no flag for a size that is set while it runs. It enlarges the young generation by a factor once enough
  // objects have survived, and this factor can be set. At the start, there are two halves of 1 or 2 MiB.
  setFlagsFromString(`--semi-space-growth-factor=${Math.ceil(youngBytes / countBytes())}`);
  const survivors: object[][] = [];
  while (survivors.length < survivorsMax && countBytes() < youngBytes) {
    survivors.push(Array.from({ length: 4_096 }, () => ({})));
  }
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Replaces the process title if an argument contains a control key, because process lists show the command line.
 */
function hideArguments(argv: readonly string[]): void {
  if (argv.some((argument) => argument.startsWith('--control-key'))) process.title = 'nudgelab';
}

async function processContext(): Promise<CommandContext> {
  const { machineNowMs, stopwatch } = await import('../core/clock.ts');
  return {
    cwd: process.cwd(),
    env: { ...process.env },
    stdout: createSink(process.stdout),
    stderr: createSink(process.stderr),
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

function createSink(stream: NodeJS.WriteStream): TextSink {
  return {
    write: (text) => stream.write(text),
    drained: () => new Promise((resolve) => (stream.writableNeedDrain ? stream.once('drain', resolve) : resolve())),
    isTty: stream.isTTY === true,
    // The width is read on each access because windows can be resized. Some terminals report 0 if they do not know it.
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

/**
 * Returns the command that starts the program: an npm script in the source folder, otherwise npx or its own name.
 */
function programName(): string {
  if (import.meta.url.endsWith('.ts') || /[\\/]tooling[\\/]nudgelab\.js$/.test(process.argv[1] ?? ''))
    return 'npm run nudgelab --';
  return process.env['npm_command'] === 'exec' ? 'npx nudgelab' : 'nudgelab';
}

/**
 * Ends the program if its output is lost. A reader that closes early, such as `head`, causes no message. A full
 * disk causes an error.
 */
function endOnLostOutput(tell: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    tell(error);
  });
  // No output is left for a message, so the exit code reports the result.
  process.stderr.on('error', () => undefined);
}

/**
 * Suppresses the Node.js warning about the speed of packages without a module type. A user's configuration may be
 * in such a package, and the warning does not help there.
 */
function quietTypelessModules(): void {
  // Parts of Node.js 22 that the program uses and that are stable in Node.js 24.
  const experimentalInNode22 = ['SQLite is an experimental feature', 'Type Stripping is an experimental feature'];
  const printers = process.listeners('warning');
  process.removeAllListeners('warning').on('warning', (warning: Error & { code?: string }) => {
    if (warning.code === 'MODULE_TYPELESS_PACKAGE_JSON') return;
    // Such a file is then loaded as a module, and its problems are reported as errors.
    if (warning.message.startsWith('Failed to load the ES module')) return;
    // Node 22 marks SQLite and the loading of TypeScript as experimental; later versions of it do not.
    if (
      warning.name === 'ExperimentalWarning' &&
      experimentalInNode22.some((start) => warning.message.startsWith(start))
    ) {
      return;
    }
    for (const print of printers) print(warning);
  });
}
