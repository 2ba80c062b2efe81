import type {
  ForecastAnalyses,
  ForecastFigures,
  ForecastReport,
  PolicyVariant,
  SensitivityReport,
  SettingsVariant,
} from '../contract/forecast-report.ts';
import type { Palette } from './palette.ts';
import { shareText, textTable } from './text-table.ts';

/** Formats the analyses of a forecast for a terminal. Returns an empty text if there are none. */
export function analysesText(
  report: ForecastReport,
  { sweep, sensitivity, settings }: ForecastAnalyses,
  palette: Palette,
): string {
  const parts = [
    ...(sweep === null ? [] : ['', palette.strong('Policies'), ...sweepTable(sweep), sweepNote]),
    ...(settings === undefined ? [] : ['', palette.strong('Settings'), ...settingsTable(settings), settingsNote]),
    ...(sensitivity === null ? [] : ['', ...sensitivityTable(report, sensitivity, palette)]),
  ];
  return parts.map((line) => `${line}\n`).join('');
}

const sweepNote = '* Pareto-optimal: no other policy registers as many users with fewer prompts';

const settingsNote = '* Pareto-optimal: no other settings register as many users with fewer prompts';

function settingsTable(variants: readonly SettingsVariant[]): readonly string[] {
  const names = Object.keys(variants[0]?.settings ?? {});
  const rows = variants.map(({ settings, figures, paretoOptimal }) => [
    ...names.map((name) => settings[name] ?? ''),
    ...figureCells(figures),
    paretoOptimal ? '*' : '',
  ]);
  return textTable([...names, ...figureHead, ''], rows);
}

const figureHead = ['registered', 'prompted', 'required', 'prompts per user', 'half by day'];

function figureCells(figures: ForecastFigures): readonly string[] {
  return [
    shareText(figures.registeredShare),
    shareText(figures.promptedShare),
    shareText(figures.requiredShare),
    figures.promptsPerUser.toFixed(2),
    figures.registeredP50Day === null ? '-' : String(figures.registeredP50Day),
  ];
}

function sweepTable(variants: readonly PolicyVariant[]): readonly string[] {
  const head = ['Method', 'limit', 'snooze days', ...figureHead, ''];
  const rows = variants.map(({ method, limited, snoozeDays, figures, paretoOptimal }) => [
    methodText(method),
    limited ? 'three' : 'none',
    String(snoozeDays),
    ...figureCells(figures),
    paretoOptimal ? '*' : '',
  ]);
  return textTable(head, rows);
}

/** Returns the display name of a targeted method. */
export function methodText(method: PolicyVariant['method']): string {
  return method === 'fido2' ? 'passkey' : 'authenticator app';
}

function sensitivityTable(
  { figures }: ForecastReport,
  { factors, inputs }: SensitivityReport,
  { strong }: Palette,
): readonly string[] {
  const [low, high] = [factors.low, factors.high].map((factor) => `× ${factor}`);
  const rows = inputs.map((input) => [
    input.name,
    shareText(input.low.registeredShare),
    shareText(input.high.registeredShare),
    input.low.promptsPerUser.toFixed(2),
    input.high.promptsPerUser.toFixed(2),
  ]);
  return [
    `${strong('Sensitivity')}: as described ${shareText(figures.registeredShare)} register, ${figures.promptsPerUser.toFixed(2)} prompts per user`,
    ...textTable(['Input', `registered ${low}`, `registered ${high}`, `prompts ${low}`, `prompts ${high}`], rows),
  ];
}
