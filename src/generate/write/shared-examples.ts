import { isPlainObject } from '../../core/merge-patch.ts';
import { withoutEnd } from '../../core/text-end.ts';
import type { ScenarioData } from '../journey.ts';

/** A place in a scenario, and what each scenario of a group has there. */
interface Varying {
  readonly path: readonly (string | number)[];
  readonly values: readonly unknown[];
}

/** Above so many columns a table is harder to read than scenarios of their own. */
const columnsMax = 24;

/** A text with this in it would be taken for a place that a row fills. */
const filledFrom = '${';

/** What rows may fill: the rest of a scenario is the same for all of them. */
type Body = Pick<ScenarioData, 'given' | 'steps'>;

/**
 * Scenarios that differ in values alone become one with a row of examples for each. Takes scenarios without examples. Returns
 * them in the order of their first rows; what shares its steps with no other stays as it is.
 */
export function withSharedExamples(scenarios: readonly ScenarioData[]): readonly ScenarioData[] {
  const groups = Map.groupBy(scenarios, shapeOf);
  return [...groups.values()].flatMap((group) => (group.length === 1 ? group : (joined(group) ?? group)));
}

/** Up to so many steps a scenario is a row of a table: the claim is what it is about, not the way there. */
const stepsOfRowMax = 5;

/**
 * The same, with a table for each claim: short scenarios that do the same and cover the same are rows of one, whatever facts they
 * have. Where those have other keys, a column holds all of them.
 */
export function withTables(scenarios: readonly ScenarioData[]): readonly ScenarioData[] {
  const groups = Map.groupBy(scenarios, (scenario) =>
    scenario.steps.length > stepsOfRowMax ? shapeOf(scenario) : claimOf(scenario),
  );
  return [...groups.values()].flatMap((group) => (group.length === 1 ? group : (joinedCoarsely(group) ?? group)));
}

/** Equal for scenarios that do the same to show the same. */
function claimOf(scenario: ScenarioData): string {
  const { name: _name, covers, examples, given, steps, ...head } = scenario;
  const text = JSON.stringify([given, steps]);
  if (examples !== undefined || text.includes(filledFrom)) return shapeOf(scenario);
  const { users = {}, tenant, ...rest } = given;
  const done = steps.map((step) => Object.keys(step));
  return JSON.stringify([head, covers, Object.keys(users), typeof tenant, rest, done, endingOf(scenario)]);
}

/** How a scenario is called at its end, behind its number: what it leads to. */
function endingOf({ name }: ScenarioData): string | null {
  const colon = name.indexOf(':');
  if (colon < 0 || !name.startsWith(': ', colon) || !/\d/.test(name.slice(0, colon))) return null;
  return name.slice(colon + 2);
}

/** Equal for scenarios that can share their steps: everything but the single values. */
function shapeOf(scenario: ScenarioData): string {
  const { name: _name, covers: _covers, examples, ...rest } = scenario;
  const text = JSON.stringify(rest);
  // One that has rows or their marks already is like no other.
  if (examples !== undefined || text.includes(filledFrom)) return `own ${scenario.name} ${text}`;
  const { given, steps, ...head } = rest;
  return JSON.stringify([head, outline({ given, steps })]);
}

function outline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outline);
  if (isPlainObject(value)) return Object.entries(value).map(([key, held]) => [key, outline(held)]);
  return 0;
}

/** How deep columns may stand, the finest first: where single values are too many, objects stand in their place. */
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
  const columns = columnsOf(varying);
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
  if (path.length < depth && isPlainObject(first) && values.every((value) => hasKeysOf(first, value))) {
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

function hasKeysOf(first: Readonly<Record<string, unknown>>, value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).toSorted().join() === Object.keys(first).toSorted().join();
}

/** Columns by name: places with the same values in every row share one. */
function columnsOf(varying: readonly Varying[]): ReadonlyMap<string, readonly unknown[]> {
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
  // The last key says most; as many before it as are needed tell two of one name apart.
  for (let count = 1; count <= keys.length; count += 1) {
    const [head = 'value', ...rest] = keys.slice(-count);
    const name = head + rest.map((key) => key.charAt(0).toUpperCase() + key.slice(1)).join('');
    if (!taken.has(name) && /^[A-Za-z_]/.test(name)) return name;
  }
  return `value${taken.size + 1}`;
}

function nameFor(values: readonly unknown[], columns: ReadonlyMap<string, readonly unknown[]>): string {
  const key = JSON.stringify(values);
  return [...columns].find(([, held]) => JSON.stringify(held) === key)?.[0] ?? '';
}

function fill(value: unknown, path: readonly (string | number)[], names: ReadonlyMap<string, string>): unknown {
  const name = names.get(path.join('\n'));
  if (name !== undefined) return `${filledFrom}${name}}`;
  if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index], names));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, fill(held, [...path, key], names)]));
}

/** What the names of a group begin with in common, without the end of a word or a number that is not whole. */
function commonName(group: readonly ScenarioData[]): string {
  const endings = new Set(group.map(endingOf));
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

/** What stands between words, and not at the end of a name. */
const betweenWords = ' ,:;(–-';

const nameCharactersMin = 8;
