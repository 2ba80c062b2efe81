import type { SettingsVariant } from '../contract/forecast-report.ts';
import { numberText, percentText } from './charts/chart-frame.ts';
import type { DrawnChart } from './charts/drawn-chart.ts';
import { pointChart } from './charts/point-chart.ts';

/** Maximum number of series, which the colors of a chart distinguish. */
const seriesMax = 5;

/** Maximum number of characters of a label at a point and of the name of a series. Longer ones would overlap or be cut. */
const labelCharactersMax = 8;
const seriesCharactersMax = 18;

/** Labels of the points of a chart and the series that they belong to. */
interface Labels {
  /** Meaning of the labels, as the end of a sentence. */
  readonly meaning: string;
  readonly of: readonly string[];
  readonly series: readonly string[];
  /** Number of the series of each point. */
  readonly seriesOf: readonly number[];
}

/**
 * Creates the chart of a sweep through the settings of a ruleset file: prompts and registrations of each combination.
 *
 * @param variants - combinations with their figures, at least one
 */
export function settingsChart(variants: readonly SettingsVariant[]): DrawnChart {
  const names = Object.keys(variants[0]?.settings ?? {});
  const labels = createLabels(names, variants);
  const chart = {
    id: 'settings',
    title: 'Settings: prompts and registrations',
    description: `Each combination of settings by its prompts per user and its share of users who register, labeled with ${labels.meaning}.`,
  };
  return {
    ...chart,
    svg: pointChart({
      ...chart,
      points: variants.map(({ figures, paretoOptimal }, index) => ({
        name: labels.of[index] ?? '',
        x: figures.promptsPerUser,
        y: figures.registeredShare,
        series: labels.seriesOf[index] ?? 0,
        marked: paretoOptimal,
      })),
      xName: 'prompts per user',
      yName: 'registered',
      series: labels.series,
      xText: numberText,
      yText: percentText,
    }),
    head: ['row', ...names, 'registered', 'prompts per user', 'required', 'half by day', 'paretoOptimal'],
    rows: variants.map(({ settings, figures, paretoOptimal }, index) => [
      index + 1,
      ...names.map((name) => settings[name] ?? ''),
      figures.registeredShare,
      figures.promptsPerUser,
      figures.requiredShare,
      figures.registeredP50Day ?? '',
      paretoOptimal ? 'yes' : 'no',
    ]),
  };
}

/**
 * Labels each point with the setting that has the most values, and makes a series of each combination of the others. If
 * there are too many of them, or if a text does not fit, the label is the row of the table.
 */
function createLabels(names: readonly string[], variants: readonly SettingsVariant[]): Labels {
  const count = (name: string): number => new Set(variants.map(({ settings }) => settings[name])).size;
  const [labeled = ''] = names.toSorted((a, b) => count(b) - count(a));
  const others = names.filter((name) => name !== labeled && count(name) > 1);
  const of = variants.map(({ settings }) => settings[labeled] ?? '');
  const texts = variants.map(({ settings }) => others.map((name) => `${name} ${settings[name] ?? ''}`).join(', '));
  const series = [...new Set(texts)];
  const fits =
    series.length <= seriesMax &&
    series.every((text) => text.length <= seriesCharactersMax) &&
    of.every((text) => text.length <= labelCharactersMax);
  if (!fits) {
    return {
      meaning: 'its row in the table',
      of: variants.map((_, index) => String(index + 1)),
      series: ['row of the table'],
      seriesOf: variants.map(() => 0),
    };
  }
  return {
    meaning: `its ${labeled}`,
    of,
    series: others.length === 0 ? [shorten(labeled)] : series,
    seriesOf: texts.map((text) => series.indexOf(text)),
  };
}

function shorten(text: string): string {
  return text.length <= seriesCharactersMax ? text : `${text.slice(0, seriesCharactersMax - 1)}…`;
}
