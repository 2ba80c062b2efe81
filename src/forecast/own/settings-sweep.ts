import type { FactDefinition, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { readDeclaredValues } from '../../contract/declared-values.ts';
import type { OwnForecastDescription } from '../../contract/own-forecast.schema.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { forecastVariantsMax } from '../../core/limits.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';

/** Description with one combination of the settings of a sweep. */
export interface SweptSettings {
  /** Values as they were written, by setting. */
  readonly settings: Readonly<Record<string, string>>;
  readonly description: OwnForecastDescription;
}

const prefix = 'settings.';

/**
 * Creates the descriptions of a sweep through settings of a ruleset file: every combination of the given values (OC34).
 *
 * @param description - description whose tenant gets the settings
 * @param ruleset - ruleset that declares the settings
 * @param written - texts such as `settings.window=1d` and `7d`, where a value without a key belongs to the key before
 * @throws NudgeLabError `usage-invalid` with every unknown setting and every value of the wrong type
 */
export function sweptSettings(
  description: OwnForecastDescription,
  { first }: OwnRuleset,
  written: readonly string[],
): readonly SweptSettings[] {
  const axes = readAxes(written, Object.keys(first.settings));
  const count = axes.reduce((product, [, values]) => product * values.length, 1);
  if (count > forecastVariantsMax) {
    throw badSweep([`${count} combinations exceed the maximum of ${forecastVariantsMax}`]);
  }
  refuseValues(axes, first.settings);
  const combinations = axes.reduce<readonly Readonly<Record<string, string>>[]>(
    (combinations, [name, values]) => combinations.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
  return combinations.map((settings) => {
    const values = Object.entries(settings).map(([name, value]) => [name, parseValue(value, first.settings[name])]);
    const { tenant } = description;
    const changed = { ...tenant.settings, ...Object.fromEntries(values) };
    return { settings, description: { ...description, tenant: { ...tenant, settings: changed } } };
  });
}

/** Values to vary, by setting in the order of the command line. */
type Axes = readonly (readonly [name: string, values: readonly string[]])[];

function readAxes(written: readonly string[], known: readonly string[]): Axes {
  const found = new Map<string, string[]>();
  let values: string[] | null = null;
  for (const item of written) {
    const at = item.indexOf('=');
    if (at !== -1) {
      const key = item.slice(0, at);
      const name = key.startsWith(prefix) ? key.slice(prefix.length) : '';
      if (!known.includes(name)) {
        throw badSweep([
          describeUnknownName(
            key,
            known.map((one) => `${prefix}${one}`),
          ),
        ]);
      }
      values = found.get(name) ?? [];
      found.set(name, values);
    }
    if (values === null) throw badSweep([`${JSON.stringify(item)} has no key; put settings.NAME= before it`]);
    values.push(item.slice(at + 1));
  }
  return [...found].map(([name, list]) => [name, [...new Set(list)]] as const);
}

function refuseValues(axes: Axes, definitions: OwnRuleset['first']['settings']): void {
  const problems = axes.flatMap(([name, values]) =>
    values.flatMap((value) => {
      const written = { [name]: parseValue(value, definitions[name]) };
      return readDeclaredValues(written, definitions, 'settings').problems;
    }),
  );
  if (problems.length > 0) throw badSweep(problems.map(({ location, message }) => `${location}: ${message}`));
}

/** Returns a value of the command line in the form of a file. */
function parseValue(value: string, definition: FactDefinition | undefined): unknown {
  if (definition?.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return definition?.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value;
}

function badSweep(messages: readonly string[]): NudgeLabError {
  const problems = messages.map((message): ValidationProblem => ({ location: '--sweep', message }));
  return new NudgeLabError('usage-invalid', { problems });
}
