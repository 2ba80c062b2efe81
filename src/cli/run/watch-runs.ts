import { basename, dirname, extname } from 'node:path';
import { watch } from 'chokidar';
import { fixtureKinds } from '../../contract/fixture-kinds.ts';
import { afterDelay } from '../../core/clock.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print } from '../print.ts';
import { showError } from '../show-error.ts';

/**
 * Time window in milliseconds in which changes cause a single run, because an editor saves a file in several steps.
 */
const settleMs = 120;

/** Key codes that end watch mode: q, Ctrl+C and Ctrl+D. */
const endKeys: readonly string[] = ['q', 'Q', '\u0003', '\u0004'];

/**
 * Runs a function immediately and after each change of the sources, until the user ends it. Returns the exit code
 * of the last run.
 */
export async function watchRuns(
  run: () => Promise<ExitCode>,
  sources: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  let code: ExitCode = 0;
  await repeatOnChange(
    async () => {
      code = await run().catch((error: unknown) => showError(error, context, { json: false, verbose: false }));
      print(context.stderr, {}, () => ['Waiting for a change. Press q or Ctrl+C to stop.']);
    },
    (changed) => watchSources(sources, changed),
    context,
  );
  return code;
}

/**
 * Repeats an action at each change until the user ends it by a key or a signal.
 *
 * @param action - called at once and after each group of changes
 * @param open - starts watching; it calls its argument at each change
 * @param context - source of keys and signals
 * @param ready - called when changes are noticed and the action has been called once
 */
export async function repeatOnChange(
  action: () => Promise<void>,
  open: (changed: () => void) => Promise<{ close(): Promise<void> }>,
  context: Pick<CommandContext, 'onStop' | 'onKey'>,
  ready: () => void = () => undefined,
): Promise<void> {
  const ended = Promise.withResolvers<'ended'>();
  const changes = new Changes();
  const watcher = await open(() => changes.note());
  const endListening = [
    context.onStop(() => ended.resolve('ended')),
    context.onKey((key) => {
      if (endKeys.includes(key)) ended.resolve('ended');
    }),
  ];
  try {
    await action();
    ready();
    while ((await Promise.race([ended.promise, changes.next()])) === 'changed') await action();
  } finally {
    await watcher.close();
    for (const end of endListening) end();
  }
}

/** Returns a context whose keys that end watch mode are stop signals too, because a terminal sends no signal then. */
export function withEndKeys(context: CommandContext): CommandContext {
  return {
    ...context,
    onStop: (listener) => {
      const ends = [context.onStop(listener), context.onKey((key) => (endKeys.includes(key) ? listener() : undefined))];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** Collects file changes until no further change occurs. */
class Changes {
  #next = Promise.withResolvers<'changed'>();
  #cancel: () => void = () => undefined;

  note(): void {
    this.#cancel();
    this.#cancel = afterDelay(settleMs, () => this.#next.resolve('changed'));
  }

  /** Resolves at the next completed group of changes, or immediately if one occurred since the last call. */
  async next(): Promise<'changed'> {
    const changed = await this.#next.promise;
    this.#next = Promise.withResolvers<'changed'>();
    return changed;
  }
}

/** Returns `true` for files that trigger a run: not for the reports that a run writes. */
function isSource(path: string): boolean {
  const kinds: readonly string[] = fixtureKinds;
  return (
    ['.yaml', '.yml'].includes(extname(path)) || (extname(path) === '.json' && kinds.includes(basename(dirname(path))))
  );
}

/**
 * Watches files and folders with all subfolders, and resolves once every change is noticed. The watcher of Node loses
 * a file that an editor saves by renaming, hence the library.
 */
export async function watchSources(paths: readonly string[], changed: () => void) {
  const isIgnored = (path: string, stats?: { isFile(): boolean }): boolean =>
    stats?.isFile() === true && !paths.includes(path) && !isSource(path);
  const watcher = watch([...paths], { ignoreInitial: true, ignored: isIgnored });
  const ready = Promise.withResolvers<void>();
  watcher.once('ready', () => ready.resolve());
  watcher.on('all', changed);
  await ready.promise;
  return watcher;
}
