import type {
  ConformanceReport,
  Misfit,
  MisfitCluster,
  NearestFit,
  RulesetFit,
} from '../../conformance/check/conformance-report.ts';
import { formatCount } from '../../core/format-count.ts';
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
    ...fitLines(visible.rulesets[0] as RulesetFit, palette),
  ]);
}

interface VisibleHead extends ConformanceReport {
  readonly file: string;
  readonly elapsedMs: number;
  readonly values: readonly string[];
}

function headLines(
  { file, elapsedMs, events, ignored, unmapped, values, rulesets }: VisibleHead,
  { strong, faint, bad }: Palette,
): readonly string[] {
  const users = rulesets[0]?.users ?? 0;
  const notChecked = Object.values(unmapped).reduce((sum, count) => sum + count, 0);
  const more = values.length > valuesShown ? ` and ${values.length - valuesShown} more` : '';
  return [
    `${strong(file)}: ${formatCount(events, 'event')} of ${formatCount(users, 'user')}, ${faint(`${elapsedMs} ms`)}`,
    ...(ignored === 0 ? [] : [faint(`${formatCount(ignored, 'event')} ignored`)]),
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
        `  ${ruleset.padEnd(width)}  ${percent(share)} of users fit (${fittingUsers} of ${users}), ${formatCount(misfits, 'impossible event')}`,
    ),
  ];
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
    `${bad('DOES NOT FIT')} the ruleset ${ruleset}: ${fittingUsers} of ${users} users fit (${percent(share)}), ${formatCount(misfits, 'impossible event')}`,
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

function clusterLines({ rule, pattern, events, users, example }: MisfitCluster): readonly string[] {
  return [
    `  ${rule ?? 'time'}: ${pattern}`,
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
    `  ${faint('fits if:')} ${nearest.map(nearestText).join('; or ')}`,
  ];
}

function nearestText(fit: NearestFit): string {
  switch (fit.edit) {
    case 'another-event':
      return `it is ${fit.kind}`;
    case 'another-value':
      return `the ${fit.fact} is ${fit.value}`;
    case 'another-time':
      return `it is at ${fit.at}, ${duration(Math.abs(fit.byMs))} ${fit.byMs < 0 ? 'earlier' : 'later'}`;
    case 'missing-event':
      return `${fit.kind} is missing before it`;
    case 'dropped':
      return 'it is dropped';
  }
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

/** Formats a duration in its largest unit and the next smaller one. */
function duration(ms: number): string {
  const at = Math.max(
    0,
    units.findIndex(([, length]) => ms >= length),
  );
  const [name, unit] = units[at] ?? units[0];
  const smaller = units[at + 1];
  const rest = smaller === undefined ? 0 : Math.floor((ms % unit) / smaller[1]);
  const first = formatCount(Math.floor(ms / unit), name);
  return smaller === undefined || rest === 0 ? first : `${first} ${formatCount(rest, smaller[0])}`;
}

function percent(share: number): string {
  // A share below 1 must not look like 100 %.
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}
