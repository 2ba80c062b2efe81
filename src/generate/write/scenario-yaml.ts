import { isPlainObject } from '../../core/merge-patch.ts';
import { yamlLine, yamlScalar, yamlText } from '../../scenario/yaml-line.ts';
import type { ScenarioData } from '../journey.ts';

/** Maximum line length in characters of a map or list on one line. */
const lineCharactersMax = 120;

/** Keys of a scenario in output order; steps come last. */
const headKeys = ['name', 'ruleset', 'covers', 'tags', 'clock', 'seed', 'given', 'examples', 'steps'] as const;

/**
 * Formats a scenario as a scenario file, with keys in a fixed order and short values on one line. The same data gives
 * the same bytes, and loading the text gives the same scenario.
 * @param comment - origin of the file
 */
export function scenarioYaml(scenario: ScenarioData, comment?: string): string {
  const head = comment === undefined ? [] : comment.split('\n').map((line) => `# ${line}`.trimEnd());
  const lines = headKeys.flatMap((key) => {
    const value = scenario[key];
    return value === undefined || isEmptyList(key, value) ? [] : entry(key, value, 0);
  });
  return `${[...head, ...lines].join('\n')}\n`;
}

function isEmptyList(key: string, value: unknown): boolean {
  return key !== 'covers' && Array.isArray(value) && value.length === 0;
}

/** Formats a key and its value as lines at an indentation level. */
function entry(key: string, value: unknown, indent: number): readonly string[] {
  const name = `${' '.repeat(indent)}${yamlScalar(key)}:`;
  const line = `${name} ${indent === 0 && typeof value === 'string' ? yamlText(value) : yamlLine(value)}`;
  if (fits(key, value, line, indent)) return [line];
  return Array.isArray(value)
    ? [name, ...value.flatMap((item: unknown) => listItem(item, indent + 2))]
    : [name, ...Object.entries(value as object).flatMap(([inner, innerValue]) => entry(inner, innerValue, indent + 2))];
}

/** Checks whether a value fits on one line: short values do, except for the main parts of a scenario. */
function fits(key: string, value: unknown, line: string, indent: number): boolean {
  if (!isFilled(value)) return true;
  const part = indent === 0 && ['given', 'examples', 'steps'].includes(key);
  return !part && line.length <= lineCharactersMax;
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isPlainObject(value) && Object.keys(value).length > 0;
}

/** Formats a list item: a step has its name after the dash, and other items are on one line if possible. */
function listItem(item: unknown, indent: number): readonly string[] {
  const dash = `${' '.repeat(indent)}- `;
  const isStep = isPlainObject(item) && isFilled(item) && indent === 2 && Object.values(item).every(isPlainObject);
  const line = `${dash}${yamlLine(item)}`;
  if (!isFilled(item) || (!isStep && line.length <= lineCharactersMax)) return [line];
  const entries: readonly [string, unknown][] = isPlainObject(item) ? Object.entries(item) : [];
  if (entries.length === 0) return [line];
  const lines = entries.flatMap(([key, value]) => entry(key, value, indent + 2));
  return [`${dash}${lines[0]?.slice(indent + 2)}`, ...lines.slice(1)];
}
