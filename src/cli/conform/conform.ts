import { statSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { rulesets as builtIn } from '../../../machines/rulesets/ruleset-registry.ts';
import {
  type CheckedLog,
  type CheckedRuleset,
  checkLog,
  getOptions,
  journeyOptions,
} from '../../conformance/check-log.ts';
import { importOptions, readImportLog } from '../../conformance/log/import-log.ts';
import { readJourneyLog } from '../../conformance/log/journey-log.ts';
import { readRows } from '../../conformance/log/log-rows.ts';
import { isJourneyStart, type PeekedBytes, peekBytes } from '../../conformance/log/peek-bytes.ts';
import { readMappingFile } from '../../conformance/log/read-mapping.ts';
import { shippedMappings } from '../../conformance/log/shipped-mappings.ts';
import { createTimeline } from '../../conformance/model/policy-timeline.ts';
import { checkOwnJourney } from '../../conformance/own/check-own-journey.ts';
import type { ConformanceReport } from '../../contract/conformance-report.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { formatCount } from '../../core/format-count.ts';
import { type LoadedRuleset, RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { DuckDbSession } from '../../replay/import/duckdb-session.ts';
import { inOwnFolder } from '../../replay/own-folder.ts';
import { type OpenedJourney, openJourney } from '../../replay/read-journey.ts';
import { isRulesetFile } from '../../scenario/rulesets/ruleset-file.ts';
import { type Config, loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { countingProgress } from '../counting-progress.ts';
import { loadNamed, openRulesets } from '../open-rulesets.ts';
import { printJson } from '../print.ts';
import { readBytes } from '../replay/journey-files.ts';
import type { ConformArguments } from './conform-options.ts';
import { printReport } from './conform-report.ts';

/** Log to check, with the ruleset that it names. */
interface OpenedLog {
  /** Ruleset of a journey. */
  readonly ruleset: string | null;
  readonly check: (
    rulesets: readonly LoadedRuleset[],
    onProgress: (events: number) => void,
  ) => Promise<ConformanceReport>;
}

/**
 * Checks whether a log fits the model. Returns 0 if it fits a ruleset, and 1 if it fits none.
 *
 * @throws NudgeLabError `usage-invalid`, `mapping-invalid`, `log-invalid`, `log-too-large`, `file-unreadable`, and those of
 *   a journey or a ruleset
 */
export async function conform(args: ConformArguments, context: CommandContext): Promise<ExitCode> {
  const [file = '-'] = args.operands;
  const elapsedMs = context.clock.stopwatch();
  const config = await loadConfig(args.config, context.cwd);
  const log = isFolder(file, context)
    ? openImport(file, args, context)
    : await openLog(file, await peekBytes(readLog(file, context)), args, context);
  const rulesets = await listRulesets(log.ruleset, args, config, context);
  const progress = countingProgress(context, args.color);
  const report = await log.check(rulesets, (events) => progress.show(`${formatCount(events, 'event')} checked`));
  progress.clear();
  if (report.events === 0 && log.ruleset !== null) {
    throw new NudgeLabError('log-invalid', {
      message: `The journey ${file} has no events of users, so nothing was checked.`,
    });
  }
  if (report.events === 0) throw withoutEvents(file, report);
  const fits = report.rulesets.some((fit) => fit.fits);
  if (args.html !== null) {
    const { conformanceHtml } = await import('../../report/conformance-html.ts');
    writeFileSync(resolve(context.cwd, args.html), conformanceHtml(report, file === '-' ? 'the log' : basename(file)));
  }
  if (args.json) printJson(context.stdout, { fits, ...report });
  else printReport(report, { file, elapsedMs: Math.round(elapsedMs()) }, args, context);
  return fits ? 0 : 1;
}

function readLog(file: string, context: CommandContext): AsyncIterable<Uint8Array> {
  const path = file === '-' ? '' : resolve(context.cwd, file);
  if (path !== '' && statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new NudgeLabError('file-unreadable', { message: `The file ${file} does not exist.` });
  }
  return readBytes({ file, path, bytes: null }, context);
}

function isFolder(file: string, { cwd }: CommandContext): boolean {
  return file !== '-' && statSync(resolve(cwd, file), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Opens the folder of an import. */
function openImport(file: string, { mapping, maxMisfits }: ConformArguments, { cwd }: CommandContext): OpenedLog {
  if (mapping !== null) {
    const message = `${file} is a folder. Name a log, or the folder of an import without --mapping.`;
    throw new NudgeLabError('file-unreadable', { message });
  }
  return {
    ruleset: null,
    check: (rulesets, onProgress) =>
      inOwnFolder(async (work) => {
        const session = await DuckDbSession.open(work, undefined, true);
        try {
          const own = rulesets.flatMap((one) => (one.base === 'own' ? [one.ruleset] : []));
          const read = await readImportLog(session, resolve(cwd, file), own);
          const log = { ...read, options: importOptions(maxMisfits) };
          return await checkLog(log, listRules(rulesets), onProgress);
        } finally {
          session.close();
        }
      }),
  };
}

function listRules(loaded: readonly LoadedRuleset[]): readonly CheckedRuleset[] {
  return loaded.map(({ ruleset }) => ruleset);
}

async function openLog(
  file: string,
  { first, all }: PeekedBytes,
  args: ConformArguments,
  { cwd }: CommandContext,
): Promise<OpenedLog> {
  const { mapping: named, maxMisfits } = args;
  if (isJourneyStart(first)) {
    if (named !== null) {
      throw new NudgeLabError('usage-invalid', { message: `${file} is a journey, which needs no --mapping.` });
    }
    const journey = await openJourney(all);
    return {
      ruleset: journey.head.line.ruleset,
      check: (rulesets, onProgress) => checkJourney(journey, rulesets, maxMisfits, onProgress),
    };
  }
  if (named === null) {
    const message = `${file} is not a journey, so name a file that describes its columns with --mapping.`;
    throw new NudgeLabError('usage-invalid', { message });
  }
  const shipped = shippedMappings.get(named);
  const mapping = readMappingFile(shipped ?? resolve(cwd, named), named);
  const { batches, rest } = readRows({ first, all }, file, mapping);
  const log: CheckedLog = {
    timeline: createTimeline(mapping),
    options: getOptions(mapping, maxMisfits),
    batches,
    rest,
  };
  return {
    ruleset: null,
    check: (rulesets, onProgress) => checkLog(log, listRules(rulesets), onProgress),
  };
}

/** Checks a journey. One of an own campaign is replayed, and only rulesets of its base can explain it. */
async function checkJourney(
  journey: OpenedJourney,
  rulesets: readonly LoadedRuleset[],
  maxMisfits: number,
  onProgress: (events: number) => void,
): Promise<ConformanceReport> {
  const own = rulesets.flatMap((one) => (one.base === 'own' ? [one.ruleset] : []));
  if (own.length === 0) {
    const { timeline, batches } = readJourneyLog(journey);
    return checkLog({ timeline, batches, options: journeyOptions(maxMisfits) }, listRules(rulesets), onProgress);
  }
  const { ruleset: id } = journey.head.line;
  const isOfCampaign = builtIn.has(id);
  if (own.length < rulesets.length || isOfCampaign) {
    const message = `The journey is one of ${id}; rulesets with the base own explain journeys of such rulesets alone.`;
    throw new NudgeLabError('usage-invalid', { message });
  }
  return checkOwnJourney(journey, own, maxMisfits);
}

/** Returns the rulesets of the command line; else that of the configuration, of the journey, or `seed`. */
async function listRulesets(
  ofLog: string | null,
  { ruleset }: ConformArguments,
  config: Config,
  { cwd }: CommandContext,
): Promise<readonly LoadedRuleset[]> {
  const { registry, chosen } = await openRulesets({ ruleset: null }, config, cwd);
  if (ruleset.length === 0 && chosen !== null) return [chosen];
  const names = ruleset.length > 0 ? [...new Set(ruleset)] : [ofLog ?? 'seed'];
  const loaded: LoadedRuleset[] = [];
  for (const name of names) {
    // Each file is loaded by itself, so that two versions of one ruleset can be ranked.
    const into = isRulesetFile(name) ? new RulesetRegistry() : registry;
    loaded.push(await loadNamed(name, '--ruleset', into, cwd));
  }
  return loaded.map((one, at) =>
    loaded.some(({ id }, other) => other !== at && id === one.id) ? named(one, names[at] as string) : one,
  );
}

/** Names a ruleset as the command line does, because another one has its id. */
function named(loaded: LoadedRuleset, id: string): LoadedRuleset {
  return loaded.base === 'own'
    ? { ...loaded, ruleset: { ...loaded.ruleset, id } }
    : { ...loaded, ruleset: { ...loaded.ruleset, id } };
}

/** A log without events would fit everything. */
function withoutEvents(file: string, { unmapped, ignored }: ConformanceReport): NudgeLabError {
  const values = Object.keys(unmapped)
    .slice(0, 10)
    .map((value) => JSON.stringify(value));
  const found =
    values.length === 0 ? `${formatCount(ignored, 'event')} ignored` : `its values are ${values.join(', ')}`;
  return new NudgeLabError('log-invalid', {
    message: `${file} has no events that the mapping gives a meaning: ${found}.`,
  });
}
