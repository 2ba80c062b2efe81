import type { Counted, ImportReport } from '../../contract/import-report.ts';
import { formatCount } from '../../core/format-count.ts';
import type { Palette } from '../../report/palette.ts';

/** Maximum number of lines per list. Further ones are only counted. */
const shownMax = 12;
const countWidth = 11;

/** Formats the report of an import as lines. `folder` is the output folder. */
export function reportLines(folder: string, report: ImportReport, palette: Palette): readonly string[] {
  const { rows, attempts, users, registrations, policies, from, to } = report;
  return [
    `${palette.strong(folder)}: ${formatCount(rows, 'row')}, ${formatCount(attempts, 'attempt')}, ${formatCount(users, 'user')}, ${formatCount(registrations, 'registration')}, ${formatCount(policies, 'policy', 'policies')}`,
    ...(from === null ? ['No attempts found.'] : [`From ${from} to ${to}.`]),
    ...section('Skipped', report.skipped.map(countedLine), palette),
    ...section('Anomalies (imported anyway)', report.anomalies.map(countedLine), palette),
    ...section(
      'Values that the mapping does not contain',
      report.unknownValues.map((row) => `${count(row.count)} ${row.field} ${JSON.stringify(row.what)}${at(row)}`),
      palette,
    ),
    ...section(
      'Inferred',
      report.inferred.map(
        (row) => `${count(row.count)} ${row.of}: ${row.fact}, confidence ${row.confidence}${meaning(row.fact)}`,
      ),
      palette,
    ),
    ...section(
      'Not in the export',
      Object.entries(report.columns).flatMap(([field, name]) =>
        name === null ? [`${''.padStart(countWidth)} ${field}`] : [],
      ),
      palette,
    ),
    ...(report.unusedColumns.length === 0
      ? []
      : [palette.strong('Unused columns'), `${''.padStart(countWidth)} ${listed(report.unusedColumns)}`]),
  ];
}

function listed(names: readonly string[]): string {
  const rest = names.length - shownMax;
  return `${names.slice(0, shownMax).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Default of each fact that an export can lack, with the option that provides it. */
const meanings: Readonly<Record<string, string>> = {
  'tenant.campaign': 'no policy was given, so the policy of a new tenant is assumed; specify --policy',
  'user.snooze': 'no earlier snoozes are assumed; specify --snoozes',
  'user.groups': 'no group memberships are assumed; specify --groups',
  'user.methods': 'only methods used in sign-ins; specify --registrations',
  'user.mfaCapable': 'assumed to be capable; specify --registrations',
  deviceId: 'device without an id; matters only if the tenant sets strictDevice',
  'passkey.deviceId':
    'assumed to be created on the first device of its kind; matters only if the tenant sets strictDevice',
};

function meaning(fact: string): string {
  const words = meanings[fact];
  return words === undefined ? '' : ` (${words})`;
}

function section(title: string, lines: readonly string[], palette: Palette): readonly string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - shownMax;
  return [
    palette.strong(title),
    ...lines.slice(0, shownMax),
    ...(rest > 0 ? [`${''.padStart(countWidth)} and ${rest} more`] : []),
  ];
}

function countedLine(row: Counted): string {
  const what = row.count === 1 ? row.what.replace(/\b(row|line|column)s\b/, '$1') : row.what;
  return `${count(row.count)} ${what}${at(row)}`;
}

/** Formats the listed locations and the number of other locations. */
function at({ places, count: all }: Pick<Counted, 'places' | 'count'>): string {
  if (places.length === 0) return '';
  const rest = all - places.length;
  return ` (${places.join('; ')}${rest > 0 ? ` and ${number(rest)} more` : ''})`;
}

function count(value: number): string {
  return number(value).padStart(countWidth);
}

/** Formats a number with thousands separators. */
function number(value: number): string {
  return value.toLocaleString('en-GB');
}
