import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import type { ConformanceReport } from '../../conformance/check/conformance-report.ts';
import { type CheckedLog, checkLog, getOptions, journeyOptions } from '../../conformance/check-log.ts';
import { readJourneyLog } from '../../conformance/log/journey-log.ts';
import { readRows } from '../../conformance/log/log-rows.ts';
import { isJourneyStart, type PeekedBytes, peekBytes } from '../../conformance/log/peek-bytes.ts';
import { readMappingFile } from '../../conformance/log/read-mapping.ts';
import { shippedMappings } from '../../conformance/log/shipped-mappings.ts';
import { createTimeline } from '../../conformance/model/policy-timeline.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { formatCount } from '../../core/format-count.ts';
import { openJourney } from '../../replay/read-journey.ts';
import { type Config, loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { countingProgress } from '../counting-progress.ts';
import { requireCampaign } from '../named-ruleset.ts';
import { loadNamed, openRulesets } from '../open-rulesets.ts';
import { printJson } from '../print.ts';
import { readBytes } from '../replay/journey-files.ts';
import type { ConformArguments } from './conform-options.ts';
import { printReport } from './conform-report.ts';

/** Log to check, with the ruleset that it names. */
interface OpenedLog extends CheckedLog {
  readonly ruleset: string | null;
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
  const bytes = await peekBytes(readLog(file, context));
  const log = await openLog(file, bytes, args, context);
  const rulesets = await listRulesets(log.ruleset, args, config, context);
  const progress = countingProgress(context, args.color);
  const report = await checkLog(log, rulesets, (events) => progress.show(`${formatCount(events, 'event')} checked`));
  progress.clear();
  if (report.events === 0) throw withoutEvents(file, report);
  const fits = report.rulesets.some((fit) => fit.fits);
  if (args.json) printJson(context.stdout, { fits, ...report });
  else printReport(report, { file, elapsedMs: Math.round(elapsedMs()) }, args, context);
  return fits ? 0 : 1;
}

function readLog(file: string, context: CommandContext): AsyncIterable<Uint8Array> {
  const path = file === '-' ? '' : resolve(context.cwd, file);
  const stat = path === '' ? null : statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) {
    const message = `${file} is a folder. Name a log; of an import, name the exported sign-in log and --mapping sign-in-log.`;
    throw new NudgeLabError('file-unreadable', { message });
  }
  if (path !== '' && stat?.isFile() !== true) {
    throw new NudgeLabError('file-unreadable', { message: `The file ${file} does not exist.` });
  }
  return readBytes({ file, path, bytes: null }, context);
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
    return { ...readJourneyLog(await openJourney(all)), options: journeyOptions(maxMisfits) };
  }
  if (named === null) {
    const message = `${file} is not a journey, so name a file that describes its columns with --mapping.`;
    throw new NudgeLabError('usage-invalid', { message });
  }
  const shipped = shippedMappings.get(named);
  const mapping = readMappingFile(shipped ?? resolve(cwd, named), named);
  const { batches, rest } = readRows({ first, all }, file, mapping);
  return { ruleset: null, timeline: createTimeline(mapping), options: getOptions(mapping, maxMisfits), batches, rest };
}

/** Returns the rulesets of the command line; else that of the configuration, of the journey, or `seed`. */
async function listRulesets(
  ofLog: string | null,
  { ruleset }: ConformArguments,
  config: Config,
  { cwd }: CommandContext,
): Promise<readonly Ruleset[]> {
  const { registry, chosen } = await openRulesets({ ruleset: null }, config, cwd);
  if (ruleset.length === 0 && chosen !== null) return [requireCampaign(chosen, 'conform')];
  const names = ruleset.length > 0 ? [...new Set(ruleset)] : [ofLog ?? 'seed'];
  const loaded: Ruleset[] = [];
  for (const name of names) loaded.push(requireCampaign(await loadNamed(name, '--ruleset', registry, cwd), 'conform'));
  return loaded;
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
