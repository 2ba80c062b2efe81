import { resolve } from 'node:path';
import { builtSite, startDocs } from '../../server/docs-site.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import type { DocsArguments } from './docs-options.ts';

/** Time that open connections have to end, in ms of real time. */
const closeGraceMs = 500;

/** Serves the site until the program is stopped. Returns the exit code. Throws `docs-missing` and `address-in-use`. */
export async function serveDocs({ port, folder, json }: DocsArguments, context: CommandContext): Promise<ExitCode> {
  const site = builtSite(folder === null ? null : resolve(context.cwd, folder));
  // A signal that arrives right after the address is printed must be noticed.
  const stopped = Promise.withResolvers<void>();
  const unlisten = context.onStop(stopped.resolve);
  const server = await startDocs(site, port);
  try {
    if (json) printJson(context.stdout, { baseUrl: server.baseUrl, folder: site, pid: context.pid });
    else print(context.stdout, server.baseUrl, (baseUrl) => [`Documentation: ${baseUrl}/ (Ctrl+C stops it)`]);
    await stopped.promise;
  } finally {
    unlisten();
    await server.close(closeGraceMs);
  }
  return 0;
}
