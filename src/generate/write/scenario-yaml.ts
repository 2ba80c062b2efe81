import { isPlainObject } from '../../core/merge-patch.ts';
import { yamlLine, yamlScalar, yamlText } from '../../scenario/yaml-line.ts';
import type { ScenarioData } from '../journey.ts';

/** A map or a list stands on one line where the line is no longer than this. */
const lineCharactersMax = 120;

/** The keys of a scenario in the order in which they are written; steps come last. */
const headKeys = ['name', 'ruleset', 'covers', 'tags', 'clock', 'seed', 'given', 'examples', 'steps'] as const;

/**
 * A scenario as the text of a scenario file: keys in their order, what is short on one line. Takes the data, and a comment
 * that says where the file comes from. The same data gives the same bytes, and loading the text gives the same scenario.
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

/** The lines of one key with its value. Takes how far they stand in. */
function entry(key: string, value: unknown, indent: number): readonly string[] {
  const name = `${' '.repeat(indent)}${yamlScalar(key)}:`;
  const line = `${name} ${indent === 0 && typeof value === 'string' ? yamlText(value) : yamlLine(value)}`;
  if (fits(key, value, line, indent)) return [line];
  return Array.isArray(value)
    ? [name, ...value.flatMap((item: unknown) => listItem(item, indent + 2))]
    : [name, ...Object.entries(value as object).flatMap(([inner, held]) => entry(inner, held, indent + 2))];
}

/** What a person would write on one line: all that is short, but for the parts that a scenario is made of. */
function fits(key: string, value: unknown, line: string, indent: number): boolean {
  if (!isFilled(value)) return true;
  const part = indent === 0 && ['given', 'examples', 'steps'].includes(key);
  return !part && line.length <= lineCharactersMax;
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isPlainObject(value) && Object.keys(value).length > 0;
}

/** An item of a list: a step has its verb behind the dash, everything else stands on one line where it can. */
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
