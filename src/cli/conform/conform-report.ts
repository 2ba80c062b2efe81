import type { ConformanceReport, Misfit, MisfitCluster, RulesetFit } from '../../contract/conformance-report.ts';
import { formatCount } from '../../core/format-count.ts';
import { formatNearest, formatPercent, ruleName } from '../../report/conformance-text.ts';
import type { Palette } from '../../report/palette.ts';
import type { CommandContext } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print } from '../print.ts';
import type { ConformArguments } from './conform-options.ts';

/** Maximum number of clusters that the text lists. The JSON contains all of them. */
const clustersShown = 20;

/** Maximum number of unknown values that the text lists. */
const valuesShown = 10;

/** Prints a report as text. */
export function printReport(
  report: ConformanceReport,
  about: { readonly file: string; readonly elapsedMs: number },
  { color }: ConformArguments,
  context: CommandContext,
): void {
  const palette = paletteFor(context.stdout, context, color);
  print(context.stdout, { ...about, ...report, values: Object.keys(report.unmapped) }, (visible) => [
    ...headLines(visible, palette),
    ...(visible.rulesets.length > 1 ? ['', ...rankLines(visible.rulesets, palette)] : []),
    ...unstatedLines(visible.rulesets[0] as RulesetFit, palette),
    ...fitLines(visible.rulesets[0] as RulesetFit, palette),
  ]);
}

interface VisibleHead extends ConformanceReport {
  readonly file: string;
  readonly elapsedMs: number;
  readonly values: readonly string[];
}

function headLines(
  { file, elapsedMs, events, ignored, unmapped, absentColumns, values, rulesets }: VisibleHead,
  { strong, faint, bad }: Palette,
): readonly string[] {
  const users = rulesets[0]?.users ?? 0;
  const notChecked = Object.values(unmapped).reduce((sum, count) => sum + count, 0);
  const more = values.length > valuesShown ? ` and ${values.length - valuesShown} more` : '';
  return [
    `${strong(file)}: ${formatCount(events, 'event')} of ${formatCount(users, 'user')}, ${faint(`${elapsedMs} ms`)}`,
    ...(ignored === 0 ? [] : [faint(`${formatCount(ignored, 'event')} ignored`)]),
    ...(absentColumns.length === 0 ? [] : [bad(`no row has what the mapping names: ${absentColumns.join(', ')}`)]),
    ...(notChecked === 0
      ? []
      : [
          bad(
            `${formatCount(notChecked, 'event')} not checked, because the mapping lacks: ${values.slice(0, valuesShown).join(', ')}${more}`,
          ),
        ]),
  ];
}

function rankLines(rulesets: readonly RulesetFit[], { strong }: Palette): readonly string[] {
  const width = Math.max(...rulesets.map(({ ruleset }) => ruleset.length));
  return [
    strong('Rulesets, the best first:'),
    ...rulesets.map(
      ({ ruleset, share, fittingUsers, users, misfits }) =>
        `  ${ruleset.padEnd(width)}  ${formatPercent(share)} of users fit (${fittingUsers} of ${users}), ${formatCount(misfits, 'impossible event')}`,
    ),
  ];
}

function unstatedLines({ unstated }: RulesetFit, { faint }: Palette): readonly string[] {
  return unstated.length === 0 ? [] : [faint(`Not in the log, so that any value may apply: ${unstated.join(', ')}`)];
}

function fitLines(
  { ruleset, fits, fittingUsers, users, share, misfits, clusters, examples }: RulesetFit,
  palette: Palette,
): readonly string[] {
  const { good, bad, strong, faint } = palette;
  if (fits) return [`${good('fits')} the ruleset ${ruleset}`];
  const shown = clusters.slice(0, clustersShown);
  const hidden = clusters.length - shown.length;
  return [
    `${bad('DOES NOT FIT')} the ruleset ${ruleset}: ${fittingUsers} of ${users} users fit (${formatPercent(share)}), ${formatCount(misfits, 'impossible event')}`,
    '',
    strong('Patterns:'),
    ...shown.flatMap(clusterLines),
    ...(hidden === 0 ? [] : [faint(`  and ${hidden} more; --json prints all of them`)]),
    ...examples.flatMap((misfit) => ['', ...misfitLines(misfit, palette)]),
    ...(examples.length < users - fittingUsers
      ? [
          '',
          faint(
            `${formatCount(users - fittingUsers - examples.length, 'more user')} not shown; --max-misfits shows more`,
          ),
        ]
      : []),
  ];
}

function clusterLines({ rule, code, pattern, events, users, example }: MisfitCluster): readonly string[] {
  return [
    `  ${ruleName(rule, code)}: ${pattern}`,
    `    ${formatCount(events, 'event')}, the first one of ${formatCount(users, 'user')}; for example user ${example.user}, line ${example.line}`,
  ];
}

function misfitLines(
  { user, line, at, until, sentence, rule, possible, allowed, nearest }: Misfit,
  { strong, faint }: Palette,
): readonly string[] {
  const time = at === until ? at : `between ${at} and ${until}`;
  return [
    `${strong(`User ${user}`)}, line ${line}, ${time}`,
    `  ${rule === null ? '' : `${rule}: `}${sentence}`,
    `  ${faint('before:')}  ${possible.join('; or ')}`,
    `  ${faint('allowed:')} ${allowed.length === 0 ? 'nothing at this time' : allowed.join(', ')}`,
    `  ${faint('fits if:')} ${nearest.map(formatNearest).join('; or ')}`,
  ];
}
