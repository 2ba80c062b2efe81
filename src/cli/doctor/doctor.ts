import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorTable } from '../../core/errors.ts';
import { formatCount } from '../../core/format-count.ts';
import { isSupportedNode } from '../../core/oldest-node.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { type Config, loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { lintFixtures } from '../lint/lint-fixtures.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { problemLine } from '../show-error.ts';
import { withProgram } from '../suggested-commands.ts';
import { type Check, failed } from './check.ts';
import type { DoctorArguments } from './doctor-options.ts';

/** Checks the requirements of the other commands. Returns the exit code: 0 if every check passes, otherwise 1. */
export async function examine(args: DoctorArguments, context: CommandContext): Promise<ExitCode> {
  const checks: Check[] = [node(context.nodeVersion)];
  const config = await loadConfig(args.config, context.cwd).catch((error: unknown) => error);
  if (config instanceof Error || !isConfig(config)) {
    checks.push(failed('configuration', config));
  } else {
    checks.push(
      { name: 'configuration', ok: true, message: config.file ?? 'none found; defaults apply', action: '' },
      fixtures(config, context.cwd),
      reportFolder(config, context.cwd),
    );
  }
  checks.push(await sqlite(context), await port(args.port), await browser(context));
  checks.push(...(await services(args, context)));
  printChecks(checks, args, context);
  return checks.every(({ ok }) => ok) ? 0 : 1;
}

/** Checks the external services named in the arguments. */
async function services({ db, queue }: DoctorArguments, { cwd }: CommandContext): Promise<readonly Check[]> {
  if (db === null && queue === null) return [];
  const { queueCheck, storeCheck } = await import('./services.ts');
  return [...(db === null ? [] : [await storeCheck(db, cwd)]), ...(queue === null ? [] : [await queueCheck(queue)])];
}

function isConfig(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && 'fixtures' in value;
}

function node(version: string): Check {
  const ok = isSupportedNode(version);
  return { name: 'Node', ok, message: version, action: ok ? '' : errorTable['runtime-too-old'].action };
}

function fixtures({ fixtures: folders }: Config, cwd: string): Check {
  const { problems } = lintFixtures(folders, cwd);
  const [first] = problems;
  if (first !== undefined) {
    const message = `${formatCount(problems.length, 'problem')}; first: ${problemLine(first)}`;
    return { name: 'fixtures', ok: false, message, action: 'Run `nudgelab lint` to list all problems.' };
  }
  const library = new FixtureLibrary(folders);
  const [tenants, users] = [library.names('tenants').length, library.names('users').length];
  return {
    name: 'fixtures',
    ok: tenants > 0,
    message: `${formatCount(tenants, 'tenant')}, ${formatCount(users, 'user')}`,
    action: '',
  };
}

/** Checks whether the nearest existing folder on the report path is writable. */
function reportFolder({ reports }: Config, cwd: string): Check {
  const folder = reports.dir ?? cwd;
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
    return { name: 'reports', ok: true, message: `${folder} is writable`, action: '' };
  } catch {
    return {
      name: 'reports',
      ok: false,
      message: `${nearest} is not writable`,
      action: 'Choose another folder with --report or reports.dir, or change its permissions.',
    };
  }
}

/** Checks SQLite by opening a store in a temporary file and deleting the file afterwards. */
async function sqlite({ env }: CommandContext): Promise<Check> {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(env['TMPDIR'] ?? env['TEMP'] ?? '/tmp', 'nudgelab-doctor-'));
    const { SqliteStore } = await import('../../journal/stores/sqlite.store.ts');
    await SqliteStore.open(join(folder, 'store.sqlite')).close();
    return { name: 'SQLite', ok: true, message: 'a store can be opened', action: '' };
  } catch (error) {
    return failed('SQLite', error);
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

async function port(wanted: number): Promise<Check> {
  const name = 'port';
  try {
    const { startEmbeddedServer } = await import('../run/embedded-server.ts');
    const server = await startEmbeddedServer(wanted);
    await server.close();
    return { name, ok: true, message: wanted === 0 ? 'a free port is available' : `${wanted} is free`, action: '' };
  } catch (error) {
    return failed(name, error);
  }
}

/**
 * Checks the browser of the browser driver. The other drivers need no browser, so only a browser set by the user
 * must exist.
 */
async function browser({ env }: CommandContext): Promise<Check> {
  const name = 'browser';
  const { browserVariable, findBrowser } = await import('../../scenario/drivers/browser/find-browser.ts');
  try {
    const { executablePath, origin } = await findBrowser(env);
    return { name, ok: true, message: `${executablePath}, from ${origin}`, action: '' };
  } catch (error) {
    if ((env[browserVariable] ?? '') !== '') return failed(name, error);
    return { name, ok: true, message: 'none found; all drivers except browser can run', action: '' };
  }
}

function printChecks(results: readonly Check[], { json, color }: DoctorArguments, context: CommandContext): void {
  const { stdout } = context;
  const checks = results.map((check) => ({ ...check, action: withProgram(check.action, context) }));
  if (json) {
    printJson(stdout, { ok: checks.every(({ ok }) => ok), checks });
    return;
  }
  const { good, bad } = paletteFor(stdout, context, color);
  const width = Math.max(...checks.map(({ name }) => name.length));
  print(stdout, checks, (visible) =>
    visible.flatMap(({ name, ok, message, action }) => [
      `${ok ? good('ok   ') : bad('WRONG')} ${name.padEnd(width)}  ${message}`,
      ...(ok ? [] : [`      ${action}`]),
    ]),
  );
}
