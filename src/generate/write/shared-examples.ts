import { isPlainObject } from '../../core/merge-patch.ts';
import { withoutEnd } from '../../core/text-end.ts';
import type { ScenarioData } from '../journey.ts';

/** Position in a scenario whose value varies, with the value of each scenario in a group. */
interface Varying {
  readonly path: readonly (string | number)[];
  readonly values: readonly unknown[];
}

/** Maximum number of table columns; above it, separate scenarios are easier to read. */
const columnsMax = 24;

/** Start of a variable: text that contains it would be read as one. */
const filledFrom = '${';

/** Part of a scenario that example rows can fill; the rest is the same for all rows. */
type Body = Pick<ScenarioData, 'given' | 'steps'>;

/**
 * Merges scenarios that differ only in values into one scenario with an example row for each. The input scenarios must
 * not have examples. The result is in the order of first rows, and scenarios with unique steps are unchanged.
 */
export function withSharedExamples(scenarios: readonly ScenarioData[]): readonly ScenarioData[] {
  const groups = Map.groupBy(scenarios, toShape);
  return [...groups.values()].flatMap((group) => (group.length === 1 ? group : (joined(group) ?? group)));
}

/**
 * Maximum number of steps in a scenario that becomes a table row: the subject of a short scenario is its claim, not its
 * path.
 */
const stepsOfRowMax = 5;

/**
 * Merges scenarios into one table per claim: short scenarios with the same steps and the same coverage become rows,
 * even with different facts. If the keys of their facts differ, one column contains all of them.
 */
export function withTables(scenarios: readonly ScenarioData[]): readonly ScenarioData[] {
  const groups = Map.groupBy(scenarios, (scenario) =>
    scenario.steps.length > stepsOfRowMax ? toShape(scenario) : formatClaim(scenario),
  );
  return [...groups.values()].flatMap((group) => (group.length === 1 ? group : (joinedCoarsely(group) ?? group)));
}

/** Returns a key that is equal for scenarios with the same steps and the same claim. */
function formatClaim(scenario: ScenarioData): string {
  const { name: _name, covers, examples, given, steps, ...head } = scenario;
  const text = JSON.stringify([given, steps]);
  if (examples !== undefined || text.includes(filledFrom)) return toShape(scenario);
  const { users = {}, tenant, ...rest } = given;
  const done = steps.map((step) => Object.keys(step));
  return JSON.stringify([head, covers, Object.keys(users), typeof tenant, rest, done, findEnding(scenario)]);
}

/** Returns the end of a scenario name after its number, which describes the result; `null` if there is none. */
function findEnding({ name }: ScenarioData): string | null {
  const colon = name.indexOf(':');
  if (colon < 0 || !name.startsWith(': ', colon) || !/\d/.test(name.slice(0, colon))) return null;
  return name.slice(colon + 2);
}

/** Returns a key that is equal for scenarios that can share their steps: everything except single values. */
function toShape(scenario: ScenarioData): string {
  const { name: _name, covers: _covers, examples, ...rest } = scenario;
  const text = JSON.stringify(rest);
  // A scenario that already has examples or variables is never merged.
  if (examples !== undefined || text.includes(filledFrom)) return `own ${scenario.name} ${text}`;
  const { given, steps, ...head } = rest;
  return JSON.stringify([head, outline({ given, steps })]);
}

function outline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outline);
  if (isPlainObject(value)) return Object.entries(value).map(([key, inner]) => [key, outline(inner)]);
  return 0;
}

/** Maximum column depths, finest first: if there are too many single values, columns contain objects. */
const depths = [Number.POSITIVE_INFINITY, 5, 4, 3] as const;

function joinedCoarsely(group: readonly ScenarioData[]): readonly ScenarioData[] | null {
  for (const depth of depths) {
    const table = joined(group, depth);
    if (table !== null) return table;
  }
  return null;
}

function joined(group: readonly ScenarioData[], depth = Number.POSITIVE_INFINITY): readonly ScenarioData[] | null {
  const [first] = group as readonly [ScenarioData];
  const bodies = group.map(({ given, steps }): Body => ({ given, steps }));
  const varying = differences(bodies, [], depth);
  const columns = createColumns(varying);
  if (columns.size === 0 || columns.size > columnsMax) return null;
  const names = new Map(varying.map(({ path, values }) => [path.join('\n'), nameFor(values, columns)]));
  const filled = fill({ given: first.given, steps: first.steps }, [], names) as Body;
  const rows = group.map((_scenario, row) =>
    Object.fromEntries([...columns].map(([name, values]) => [name, values[row]])),
  );
  const covers = [...new Set(group.flatMap((scenario) => scenario.covers))];
  return [{ ...first, name: commonName(group), covers, examples: rows, ...filled }];
}

function differences(
  values: readonly unknown[],
  path: readonly (string | number)[],
  depth: number,
): readonly Varying[] {
  const [first] = values;
  if (
    path.length < depth &&
    Array.isArray(first) &&
    values.every((value) => Array.isArray(value) && value.length === first.length)
  ) {
    return first.flatMap((_item, index) =>
      differences(
        values.map((value) => (value as readonly unknown[])[index]),
        [...path, index],
        depth,
      ),
    );
  }
  if (path.length < depth && isPlainObject(first) && values.every((value) => hasSameKeys(first, value))) {
    return Object.keys(first).flatMap((key) =>
      differences(
        values.map((value) => (value as Record<string, unknown>)[key]),
        [...path, key],
        depth,
      ),
    );
  }
  return values.every((value) => JSON.stringify(value) === JSON.stringify(first)) ? [] : [{ path, values }];
}

function hasSameKeys(first: Readonly<Record<string, unknown>>, value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).toSorted().join() === Object.keys(first).toSorted().join();
}

/** Groups varying positions into named columns; positions with the same values in every row share a column. */
function createColumns(varying: readonly Varying[]): ReadonlyMap<string, readonly unknown[]> {
  const columns = new Map<string, readonly unknown[]>();
  const known = new Set<string>();
  for (const { path, values } of varying) {
    const key = JSON.stringify(values);
    if (known.has(key)) continue;
    known.add(key);
    columns.set(columnName(path, columns), values);
  }
  return columns;
}

function columnName(path: readonly (string | number)[], taken: ReadonlyMap<string, unknown>): string {
  const keys = path.filter((part) => typeof part === 'string').map((key) => key.replaceAll(/\W+/g, '_'));
  // The last key is the most specific; preceding keys are added only to make the name unique.
  for (let count = 1; count <= keys.length; count += 1) {
    const [head = 'value', ...rest] = keys.slice(-count);
    const name = head + rest.map((key) => key.charAt(0).toUpperCase() + key.slice(1)).join('');
    if (!taken.has(name) && /^[A-Za-z_]/.test(name)) return name;
  }
  return `value${taken.size + 1}`;
}

function nameFor(values: readonly unknown[], columns: ReadonlyMap<string, readonly unknown[]>): string {
  const key = JSON.stringify(values);
  return [...columns].find(([, inner]) => JSON.stringify(inner) === key)?.[0] ?? '';
}

function fill(value: unknown, path: readonly (string | number)[], names: ReadonlyMap<string, string>): unknown {
  const name = names.get(path.join('\n'));
  if (name !== undefined) return `${filledFrom}${name}}`;
  if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index], names));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, [...path, key], names)]));
}

/** Returns the common start of the names in a group, without partial words and partial numbers. */
function commonName(group: readonly ScenarioData[]): string {
  const endings = new Set(group.map(findEnding));
  const [ending] = endings;
  if (endings.size === 1 && typeof ending === 'string') {
    const head = /^([A-Z][a-z]+(?: [a-z]+)*), /.exec(group[0]?.name ?? '')?.[1];
    return head === undefined ? ending.charAt(0).toUpperCase() + ending.slice(1) : `${head}: ${ending}`;
  }
  const [first = '', ...others] = group.map(({ name }) => name);
  let length = first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length -= 1;
  const common = first.slice(0, length);
  const whole = withoutEnd(common.slice(0, common.lastIndexOf(' ') + 1), betweenWords);
  const text = length === first.length ? first : whole;
  return text.length >= nameCharactersMin ? text : `${first} and ${others.length} more`;
}

/** Separator characters, which are removed from the end of a name. */
const betweenWords = ' ,:;(–-';

const nameCharactersMin = 8;
