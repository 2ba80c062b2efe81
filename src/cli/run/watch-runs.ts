import { watch } from 'chokidar';
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
  const ended = Promise.withResolvers<'ended'>();
  const changes = new Changes();
  const watcher = await watchSources(sources, () => changes.note());
  const endListening = [
    context.onStop(() => ended.resolve('ended')),
    context.onKey((key) => {
      if (endKeys.includes(key)) ended.resolve('ended');
    }),
  ];
  let code: ExitCode;
  do {
    code = await run().catch((error: unknown) => showError(error, context, { json: false, verbose: false }));
    print(context.stderr, {}, () => ['Waiting for a change. Press q to quit.']);
  } while ((await Promise.race([ended.promise, changes.next()])) === 'changed');
  await watcher.close();
  for (const end of endListening) end();
  return code;
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

/** Pattern of files that trigger a run. It excludes the reports that a run writes. */
const sourceFile = /\.ya?ml$|(^|[\\/])(tenants|users)[\\/][^\\/]+\.json$/;

/**
 * Watches files and folders with all subfolders, and resolves once every change is noticed. The watcher of Node loses
 * a file that an editor saves by renaming, hence the library.
 */
async function watchSources(paths: readonly string[], changed: () => void) {
  const isIgnored = (path: string, stats?: { isFile(): boolean }): boolean =>
    stats?.isFile() === true && !paths.includes(path) && !sourceFile.test(path);
  const watcher = watch([...paths], { ignoreInitial: true, ignored: isIgnored });
  const ready = Promise.withResolvers<void>();
  watcher.once('ready', () => ready.resolve());
  watcher.on('all', changed);
  await ready.promise;
  return watcher;
}
