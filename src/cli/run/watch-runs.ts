import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterDelay } from '../../core/clock.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print } from '../print.ts';
import { showError } from '../show-error.ts';

/** Changes within this time, in ms, lead to one run: an editor writes a file in several steps. */
const settleMs = 120;

/** Keys that end the watching: q, and what a terminal sends for ctrl-c and ctrl-d. */
const endKeys: readonly string[] = ['q', 'Q', '\u0003', '\u0004'];

/**
 * Runs at once and again after each change of the sources, until the user ends it. Takes what runs and the files and folders
 * to watch. Returns the exit code of the last run.
 */
export async function watchRuns(
  run: () => Promise<ExitCode>,
  sources: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  const ended = Promise.withResolvers<'ended'>();
  const changes = new Changes();
  const watchers = sources.map((path) => watchSource(path, () => changes.note()));
  const endListening = [
    context.onStop(() => ended.resolve('ended')),
    context.onKey((key) => {
      if (endKeys.includes(key)) ended.resolve('ended');
    }),
  ];
  let code: ExitCode;
  do {
    code = await run().catch((error: unknown) => showError(error, context, { json: false, verbose: false }));
    print(context.stderr, {}, () => ['Waiting for a change; q ends.']);
  } while ((await Promise.race([ended.promise, changes.next()])) === 'changed');
  for (const watcher of watchers) watcher.close();
  for (const end of endListening) end();
  return code;
}

/** Changes of files, gathered until they settle. */
class Changes {
  #next = Promise.withResolvers<'changed'>();
  #cancel: () => void = () => undefined;

  note(): void {
    this.#cancel();
    this.#cancel = afterDelay(settleMs, () => this.#next.resolve('changed'));
  }

  /** Resolves at the next change that has settled, or at once for one since the last time. */
  async next(): Promise<'changed'> {
    const changed = await this.#next.promise;
    this.#next = Promise.withResolvers<'changed'>();
    return changed;
  }
}

/** Files whose change counts; reports that a run itself writes do not. */
const sourceFile = /\.ya?ml$|(^|[\\/])(tenants|users)[\\/][^\\/]+\.json$/;

/** Watches a folder with all that is below it, or a file by its folder, because editors replace files. */
function watchSource(path: string, changed: () => void): FSWatcher {
  if (!statSync(path).isDirectory()) {
    return watch(dirname(path), (_event, name) => (name === basename(path) ? changed() : undefined));
  }
  return watch(path, { recursive: true }, (_event, name) => (sourceFile.test(name ?? '') ? changed() : undefined));
}
