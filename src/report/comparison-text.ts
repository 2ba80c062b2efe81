import type { ComparedAttempt } from '../contract/compared-attempt.ts';
import type {
  Changes,
  ComparedVariant,
  Comparison,
  OwnComparison,
  VerdictSummary,
} from '../contract/comparison.schema.ts';
import { formatCount } from '../core/format-count.ts';
import type { Palette } from './palette.ts';
import { textTable, wholeText } from './text-table.ts';

/** Maximum number of rows in one table. Further rows are only counted. */
const rowsMax = 15;

/** Formats a comparison as lines for a terminal. */
export function comparisonLines(comparison: Comparison, palette: Palette): readonly string[] {
  const { source, attempts, users, from, to, assumedAction, baseRuleset, baseWarnings, variants } = comparison;
  return [
    `${palette.strong(source)}: ${formatCount(attempts, 'attempt')}, ${formatCount(users, 'user')}, ${from ?? 'never'} to ${to ?? 'never'}, ruleset ${baseRuleset}`,
    `If no action was recorded, "${assumedAction}" is assumed; results based on it are counted separately.`,
    ...warningLines(baseWarnings, palette),
    ...variants.flatMap((variant) => ['', ...variantLines(variant, palette)]),
  ];
}

function variantLines(variant: ComparedVariant, palette: Palette): readonly string[] {
  const { totals, users, actions: answers, requiredAtNextSignIn } = variant;
  const row = (name: string, key: keyof Changes): readonly string[] => [
    name,
    wholeText(totals.certain[key]),
    wholeText(totals.assumed[key]),
  ];
  const { ifAppliedNow, ifAppliedThroughout } = requiredAtNextSignIn;
  return [
    `${palette.strong(variant.name)}, ruleset ${variant.ruleset}`,
    ...warningLines(variant.warnings, palette),
    ...textTable(
      ['attempts', 'certain', 'assumed'],
      [
        row('all', 'attempts'),
        row('prompted, baseline', 'promptedInBaseline'),
        row('prompted, variant', 'promptedInVariant'),
        row('newly prompted', 'newlyPrompted'),
        row('no longer prompted', 'noLongerPrompted'),
        row('required, baseline', 'requiredBefore'),
        row('required, variant', 'requiredAfter'),
        row('newly required', 'newlyRequired'),
      ],
    ),
    `Users: ${wholeText(users.changed)} of ${wholeText(users.all)} affected, ${wholeText(users.newlyPrompted)} newly prompted, ${wholeText(users.noLongerPrompted)} no longer prompted, ${wholeText(users.newlyRequired)} newly required.`,
    `Users required at their next sign-in: ${wholeText(ifAppliedNow.users)} if applied now, and ${wholeText(ifAppliedNow.stillSnoozing)} more after their snooze; ${wholeText(ifAppliedThroughout.users)} and ${wholeText(ifAppliedThroughout.stillSnoozing)} if applied throughout.`,
    `Actions: ${wholeText(answers.applied)} recorded and still applicable, ${wholeText(answers.inapplicable)} no longer applicable, ${wholeText(answers.assumed)} assumed.`,
    ...(variant.own === undefined ? [] : ownLines(variant.own, palette)),
    ...section('Changes by rule', rulesTable(variant), palette),
    ...section('By platform', partsTable('platform', variant.byPlatform), palette),
    ...section('By group', partsTable('group', variant.byGroup), palette),
    ...section('By day', partsTable('day', variant.byDay), palette),
  ];
}

/** Formats the results that only own campaigns have. */
function ownLines(own: OwnComparison, palette: Palette): readonly string[] {
  const { newlyBlocked, noLongerBlocked, usersNewlyBlocked, blockedAtNextSignIn, defaults, changedUsers } = own;
  const rows = changedUsers
    .slice(0, rowsMax)
    .map(({ user, changed, newlyPrompted, noLongerPrompted, newlyRequired, newlyBlocked: blocked, certain }) => [
      user,
      ...[changed, newlyPrompted, noLongerPrompted, newlyRequired, blocked].map(wholeText),
      certain ? 'yes' : 'no',
    ]);
  const rest = changedUsers.length - rows.length + own.changedUsersOmitted;
  const head = ['user', 'changed', 'newly prompted', 'no longer', 'newly required', 'newly blocked', 'certain'];
  const facts = defaults.facts.slice(0, rowsMax).map(({ fact, verdicts }) => `${fact} (${wholeText(verdicts)})`);
  return [
    `Blocked: ${wholeText(newlyBlocked.certain)} attempts certain and ${wholeText(newlyBlocked.assumed)} assumed newly, ${wholeText(noLongerBlocked.certain)} and ${wholeText(noLongerBlocked.assumed)} no longer; ${wholeText(usersNewlyBlocked)} users newly. At the next sign-in: ${wholeText(blockedAtNextSignIn.ifAppliedNow)} users if applied now, ${wholeText(blockedAtNextSignIn.ifAppliedThroughout)} if applied throughout.`,
    ...(defaults.verdicts === 0
      ? []
      : [
          `${formatCount(defaults.verdicts, 'verdict')} ${defaults.verdicts === 1 ? 'depends' : 'depend'} on the default of a fact that the history lacks: ${facts.join(', ')}.`,
        ]),
    ...section(
      'Changes by user',
      rows.length === 0 ? [] : [...textTable(head, rows), ...(rest > 0 ? [`and ${wholeText(rest)} more`] : [])],
      palette,
    ),
  ];
}

function warningLines(warnings: Comparison['baseWarnings'], palette: Palette): readonly string[] {
  return warnings.map(({ code, rule, message }) => `${palette.doubtful('warning')} ${code} (${rule}): ${message}`);
}

function section(title: string, lines: readonly string[], palette: Palette): readonly string[] {
  return lines.length <= 1 ? [] : [palette.strong(title), ...lines.map((line) => `  ${line}`)];
}

function rulesTable({ byRule }: ComparedVariant): readonly string[] {
  const changed = byRule.filter(({ before, after }) => sideText(before) !== sideText(after));
  const rest = changed.length - rowsMax;
  const rows = changed
    .slice(0, rowsMax)
    .map(({ before, after, certain, assumed }) => [
      `${sideText(before)} → ${sideText(after)}`,
      wholeText(certain),
      wholeText(assumed),
    ]);
  if (rows.length === 0) return [];
  return [...textTable(['baseline → variant', 'certain', 'assumed'], rows), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

function partsTable(title: string, parts: ComparedVariant['byDay']): readonly string[] {
  const all = Object.entries(parts);
  const rest = all.length - rowsMax;
  const rows = all.slice(0, rowsMax).map(([name, { certain, assumed }]) => {
    const sum = (key: keyof Changes): string => wholeText(certain[key] + assumed[key]);
    return [
      name,
      sum('attempts'),
      sum('promptedInBaseline'),
      sum('promptedInVariant'),
      sum('requiredBefore'),
      sum('requiredAfter'),
    ];
  });
  if (rows.length === 0) return [];
  const head = [title, 'attempts', 'prompted, baseline', 'variant', 'required, baseline', 'variant'];
  return [...textTable(head, rows), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

/** Describes the verdict of one policy: the prompt that is shown, or the rule and reason that stopped it. */
export function sideText({ outcome, reason, rule }: VerdictSummary): string {
  if (outcome === 'blocked') return 'blocked';
  if (reason === null) return outcome === 'required' ? 'required' : 'prompted';
  return `${rule ?? ''} ${reason}`.trim();
}

/** Formats an attempt of a timeline in one line. */
export function attemptLine(attempt: ComparedAttempt, palette: Palette): string {
  const { at, platform, before, after, changed, certain, answer } = attempt;
  const mark = changed ? palette.doubtful('changed') : palette.faint('same   ');
  const sure = certain ? '' : ', assumed';
  const action = answer === 'none' ? '' : `, action ${answer}`;
  return `${at}  ${mark}  ${platform.padEnd(14)} ${sideText(before)} → ${sideText(after)}${sure}${action}`;
}
