import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { RunRequest, SuiteService } from '../../server/suite-service.ts';
import type { Config } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import type { OptionSpec } from '../option.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { withServer } from '../serve/serve.ts';
import { type ServeArguments, serveOptions } from '../serve/serve-options.ts';
import { refuseUnknownDrivers } from './choose-drivers.ts';
import { type RunArguments, runOptions } from './run-options.ts';
import { repeatOnChange, watchSources } from './watch-runs.ts';

/** Options that a run in the console takes. All others belong to a run that ends. */
const usedOptions: readonly string[] = ['driver', 'filter', 'tag', 'covers', 'controlKey', 'ui', 'port', 'coverage'];

/** Folder of scenarios that the console shows, and the file that runs, if only one does. */
interface ConsoleSuite {
  readonly root: string;
  readonly files: readonly string[] | null;
}

/**
 * Serves the console with the suite, runs it at once and after each change of a scenario or fixture, until the user
 * ends it. Returns 0. Throws `usage-invalid` for options that do not apply, and any error of `serve`.
 */
export async function runInConsole(args: RunArguments, config: Config, context: CommandContext): Promise<ExitCode> {
  refuseOtherOptions(args);
  const driver = findDriver(args, config);
  const { root, files } = findSuite(args.operands, config, context.cwd);
  const request: RunRequest = {
    driver,
    ...(files === null ? {} : { files }),
    ...(args.filter === null ? {} : { filter: args.filter }),
    ...(args.tag.length === 0 ? {} : { tags: args.tag }),
    ...(args.covers.length === 0 ? {} : { covers: args.covers }),
  };
  const fixtures = config.fixtures.filter((folder) => existsSync(folder));
  return withServer(serveArguments(args, root), context, async ({ baseUrl }, { suite }) => {
    const url = `${baseUrl}/_console/s/${defaultSandboxId}/scenarios/runs/latest`;
    await repeatOnChange(
      async () => startAgain(suite, request),
      (changed) => watchSources([root, ...fixtures], changed),
      context,
      () => announce(url, args, context),
    );
    return 0;
  });
}

/** Starts a run. One that is queued or running is canceled, because its files have changed. */
function startAgain(suite: SuiteService, request: RunRequest): void {
  for (const { id, state } of suite.runs().runs) {
    if (state === 'queued' || state === 'running') suite.cancel(id);
  }
  suite.start(request);
}

function announce(url: string, args: RunArguments, context: CommandContext): void {
  const { stdout, pid } = context;
  if (args.json) {
    printJson(stdout, { url, pid });
    return;
  }
  const palette = paletteFor(stdout, context, args.color);
  print(stdout, url, (visible) => [
    `Scenarios  ${palette.strong(visible)}`,
    palette.faint('They run again at every change. Press q or Ctrl+C to stop.'),
  ]);
}

function refuseOtherOptions(args: RunArguments): void {
  const given: Readonly<Record<string, unknown>> = args;
  const specs: Readonly<Record<string, OptionSpec<unknown>>> = runOptions;
  const problems = Object.entries(specs)
    .filter(([name, { initial }]) => !usedOptions.includes(name) && given[name] !== initial)
    .map(([, { flags }]) => ({
      location: flags.split(' ')[0] ?? flags,
      message: 'does not apply to --ui; use it without --ui',
    }));
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
}

function findDriver({ driver }: RunArguments, config: Config): string {
  refuseUnknownDrivers(driver, config);
  const [name = 'model', ...others] = driver;
  if (others.length === 0) return name;
  throw new NudgeLabError('usage-invalid', {
    problems: [{ location: '--driver', message: '--ui runs on one driver; the console can start runs on the others' }],
  });
}

/** Finds the folder of the suite: the operand, the folder of a file, or the first folder of the configuration. */
function findSuite(operands: readonly string[], { scenarios }: Config, cwd: string): ConsoleSuite {
  const [operand, ...others] = operands;
  if (others.length > 0) {
    throw new NudgeLabError('usage-invalid', { message: '--ui takes one folder or one file. Use --filter to select.' });
  }
  const path = operand === undefined ? (scenarios.find((folder) => existsSync(folder)) ?? 'scenarios') : operand;
  const full = resolve(cwd, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) {
    throw new NudgeLabError('file-unreadable', {
      message: `${path} does not exist. Name a folder or a file, or create a suite with \`nudgelab init\`.`,
    });
  }
  return stat.isDirectory() ? { root: full, files: null } : { root: dirname(full), files: [basename(full)] };
}

function serveArguments(
  { config, color, verbose, port, controlKey, json }: RunArguments,
  root: string,
): ServeArguments {
  const initial = Object.fromEntries(Object.entries(serveOptions).map(([name, option]) => [name, option.initial]));
  const common = { config, color, verbose, json, operands: [] };
  return { ...initial, ...common, port, controlKey, scenarios: root } as unknown as ServeArguments;
}
