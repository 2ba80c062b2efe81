import { NudgeLabError } from '../../core/errors.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { exportLogs } from './export-logs.ts';
import { type ExportArguments, exportedParts } from './export-options.ts';
import { writeJourneyFile } from './write-journey.ts';

/**
 * Exports a journey or the logs. Returns the exit code. Throws `usage-invalid` for anything else, and the errors of the
 * export.
 */
export async function exportPart(args: ExportArguments, context: CommandContext): Promise<ExitCode> {
  const [part = 'journey', ...others] = args.operands;
  if (others.length > 0 || !exportedParts.some((known) => known === part)) {
    throw new NudgeLabError('usage-invalid', {
      message: `"${args.operands.join(' ')}" is not one of ${exportedParts.join(', ')}.`,
    });
  }
  if (part === 'logs') return exportLogs(args, context);
  if (args.withFacts) throw new NudgeLabError('usage-invalid', { message: '--with-facts is only for logs.' });
  return writeJourneyFile(args, context);
}
