import { journeyVersion } from '../../contract/journey.schema.ts';
import type { JourneyDifference, ReplayReport } from '../../contract/replay.ts';
import type { Palette } from '../../report/palette.ts';
import { valueText } from '../../report/trace-text.ts';

/** Formats the result of a replay as lines. `file` is the name of the journey file. */
export function replayLines(file: string, report: ReplayReport, palette: Palette): readonly string[] {
  const { slice, sandbox, ruleset, steps, verdicts, users, at } = report;
  const about = slice.user === null ? `${users} users` : `user ${slice.user}`;
  return [
    `${palette.strong(file)}: sandbox ${sandbox}, sequence numbers ${slice.from} to ${slice.to}, ${about}, ruleset ${ruleset}, from ${at}`,
    ...(report.version === journeyVersion ? [] : [`Migrated from format version ${report.version}.`]),
    ...(report.warnings ?? []).map(({ code, message }) => `${palette.doubtful('warning')} ${code}: ${message}`),
    ...leftOutLines(report),
    report.same
      ? `${palette.good('SAME')} ${steps} steps, ${verdicts} verdicts, all bytes identical`
      : `${palette.bad('DIFFERENT')} ${report.differenceCount} differences in ${steps} steps`,
    ...report.differences.flatMap((difference) => differenceLines(difference, palette)),
    ...unlistedLines(report),
  ];
}

function leftOutLines({ omitted, otherUsersEvents: others }: ReplayReport): readonly string[] {
  const types = Object.entries(omitted).map(([type, count]) => `${count} ${type}`);
  return [
    ...(types.length === 0 ? [] : [`Events that are not part of a journey, omitted: ${types.join(', ')}.`]),
    ...(others === 0 ? [] : [`Events of other users, omitted: ${others}.`]),
  ];
}

function differenceLines(
  { line, step, key, expected, actual }: JourneyDifference,
  palette: Palette,
): readonly string[] {
  return [
    `  line ${line}${step === null ? '' : `, step ${step}`}: ${key}`,
    `    journey ${palette.good(valueText(expected))}`,
    `    now     ${palette.bad(valueText(actual))}`,
  ];
}

function unlistedLines({ differenceCount, differences }: ReplayReport): readonly string[] {
  const rest = differenceCount - differences.length;
  return rest === 0 ? [] : [`  and ${rest} more`];
}
