import { join } from 'node:path';
import { computeSha256 } from '../../../core/digest.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { describeUnknownName } from '../../../core/nearest-name.ts';
import type { SuiteService } from '../../../server/suite-service.ts';
import type { Config } from '../../config.ts';
import { builtInDrivers } from '../../config-values.ts';
import type { CommandContext } from '../../context.ts';
import { openRulesets } from '../../open-rulesets.ts';
import { RunQueue } from './run-queue.ts';
import type { RunState } from './run-state.ts';
import { listedFile, SuiteFolder } from './suite-folder.ts';

/** Options of the suite service. */
export interface SuiteServiceOptions {
  /** Folder of the scenarios; `null` if there is none. */
  readonly root: string | null;
  readonly editable: boolean;
  readonly config: Config;
  readonly context: Pick<CommandContext, 'cwd' | 'env' | 'program' | 'pid' | 'clock'>;
}

/** Displayed folder of a text that does not belong to a folder. */
const looseFolder = 'scenarios';

/**
 * Creates the service that manages the scenario files of a server and runs them. Throws `file-unreadable` if the
 * folder does not exist.
 */
export function createSuiteService({ root, editable: writable, config, context }: SuiteServiceOptions): SuiteService {
  const folder = root === null ? null : new SuiteFolder(root, config, context.cwd);
  const runs = new RunQueue(
    async (run: RunState) => {
      const { executeRun: carryOut } = await import('./execute-run.ts');
      await carryOut(run, { folder: here(), config, context });
    },
    () => context.clock.nowMs(),
  );
  const drivers = [...builtInDrivers, ...Object.keys(config.drivers)];

  function here(): SuiteFolder {
    if (folder === null) throw new NudgeLabError('suite-missing');
    return folder;
  }

  return {
    hasFolder: folder !== null,
    suite: async () => {
      const read = await here().read();
      return { folder: here().shown, editable: writable, drivers, files: read.map(listedFile) };
    },
    schema: async () => {
      const { publishedSchemas } = await import('../../schema/schemas.ts');
      const document = publishedSchemas.get('scenario')?.document() ?? {};
      return document as Awaited<ReturnType<SuiteService['schema']>>;
    },
    read: async (path) => {
      const text = here().text(path);
      return { path, text, digest: computeSha256(text) };
    },
    write: async (writing) => {
      const { root: below } = here();
      if (!writable) throw new NudgeLabError('suite-read-only');
      const { writeSuiteFile } = await import('./write-file.ts');
      return writeSuiteFile(below, writing, context.pid);
    },
    dryRun: async (path, text, run) => {
      const { dryRun } = await import('./dry-run.ts');
      const shown = folder === null ? join(looseFolder, path) : folder.formatPath(path);
      return dryRun(shown, text, await openParts(folder, config, context.cwd), run);
    },
    createScenario: async (sandbox, signInId) => (await import('./journey-text.ts')).journeyText(sandbox, signInId),
    start: (request) => {
      here();
      if (!drivers.includes(request.driver)) {
        const message = describeUnknownName(request.driver, drivers);
        throw new NudgeLabError('bad-request', { problems: [{ location: 'body.driver', message }] });
      }
      return runs.start(request);
    },
    runs: () => runs.list(),
    run: (id) => runs.get(id).view(),
    cancel: (id) => runs.cancel(id),
    results: (id, after, limit, status) => runs.get(id).rows(after, limit, status),
    result: (id, place) => runs.get(id).result(place),
    coverage: (id) => {
      const { coverage } = runs.get(id);
      if (coverage === null) throw notYet(id);
      return JSON.parse(JSON.stringify(coverage)) as ReturnType<SuiteService['coverage']>;
    },
    charts: (id) => {
      const { charts } = runs.get(id);
      if (charts === null) throw notYet(id);
      return { run: id, machines: charts };
    },
    evidence: (id, file) => {
      const run = runs.get(id);
      // Evidence files are looked up by name only, so a path cannot point outside of the folder.
      if (run.evidenceFolder === null || !run.hasEvidence(file)) {
        throw new NudgeLabError('not-found', { message: `Run ${id} has no file ${file}.` });
      }
      return join(run.evidenceFolder, file);
    },
    listen: (id, listener) => runs.get(id).listen(listener),
    close: () => runs.close(),
  };
}

/** Opens the fixtures of a folder, or of the configuration without one, and the rulesets of the configuration. */
async function openParts(folder: SuiteFolder | null, config: Config, cwd: string) {
  const { FixtureLibrary } = await import('../../../scenario/fixture-library.ts');
  return {
    fixtures: folder === null ? new FixtureLibrary(config.fixtures) : await folder.fixtures(),
    rulesets: await openRulesets({ ruleset: null }, config, cwd),
  };
}

function notYet(id: string): NudgeLabError {
  return new NudgeLabError('not-found', {
    message: `Run ${id} has no coverage because it has not finished.`,
  });
}
