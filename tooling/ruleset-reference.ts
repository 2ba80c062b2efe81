import { z } from 'zod';
import { fixedFacts } from '../machines/own/own-facts.ts';
import { type Operator, operators } from '../machines/own/own-ruleset.ts';
import { isSchema, type JsonSchema } from '../src/contract/json-schema.ts';
import { ownRulesetSchema } from '../src/contract/ruleset.schema.ts';
import { comparable } from '../src/scenario/rulesets/read-condition.ts';
import { rulesetDefaults } from './ruleset-defaults.ts';

const meanings: Readonly<Record<Operator, string>> = {
  is: 'is equal to the value',
  isNot: 'is another value',
  in: 'is one of a list',
  notIn: 'is none of a list',
  has: 'contains the value',
  hasAny: 'contains at least one of a list',
  hasNone: 'contains none of a list',
  size: 'has so many entries: `{ atLeast: 1 }`, `{ atMost: 3 }` or both',
  atLeast: 'is the number or more',
  atMost: 'is the number or less',
  above: 'is more than the number',
  below: 'is less than the number',
  olderThan: 'is longer ago than the duration',
  atLeastOld: 'is as long ago as the duration, or longer',
  youngerThan: 'is less long ago than the duration, or in the future',
  before: 'is earlier than the instant',
  since: 'is the instant or later',
  inFuture: '`true`: is later than now; `false`: is not',
  inPast: '`true`: is earlier than now; `false`: is not',
  startsWith: 'begins with the text, in upper or lower case',
  endsWith: 'ends with the text, in upper or lower case',
  present: '`true`: is known; `false`: is unknown',
};

/** Creates the parts of the reference of ruleset files with the base `own`: keys, operators, and facts. */
export function rulesetReference(): readonly string[] {
  const keys = listRulesetKeys();
  return [
    'All keys of a ruleset file with the base `own`, the operators of its conditions, and the facts that it can read without ' +
      'declaring them. [State your own campaign](../how-to/own-campaigns.md) is the guide.',
    'Durations are texts with units, such as `5m`, `36h`, `7d`, `2w`, `7d12h`, `1mo` or `1y`; instants are ISO 8601, and a date alone is ' +
      'midnight in UTC. `{ setting: NAME }` and `{ fact: PATH }` can replace a duration, number, instant, boolean or list.',
    '## Keys',
    'The keys `ruleset`, `version`, `format`, `title`, `methods` and `gates` are needed. `NAME` is a name of your choice. A needed key below ' +
      'another one is needed only where that one is written. The third column says what holds if a key is absent.',
    table(
      ['Key', 'Value', 'If absent', 'Meaning'],
      keys.map(({ path, schema, needed }) => [
        code(path),
        valueText(schema),
        rulesetDefaults[path] ?? (needed ? 'needed' : ''),
        withoutDefault(schema['description']),
      ]),
    ),
    '## Operators',
    'A condition is `{ all: [ … ] }`, `{ any: [ … ] }`, `{ not: { … } }`, `{ fact: PATH, OPERATOR: VALUE }`, or the number of sign-ins in a ' +
      'window, this one included: `{ signIns: { within: 30d }, atLeast: 3 }`. `missing: pass` or `missing: fail`, the default, is the result for ' +
      'an unknown fact.',
    table(
      ['Operator', 'Types', 'Holds if the fact'],
      operators.map((one) => [code(one), comparable[one]?.join(', ') ?? 'all', meanings[one]]),
    ),
    '## Facts of every ruleset',
    'Declared facts are `tenant.facts.NAME`, `user.facts.NAME` and `attempt.facts.NAME`, and settings `tenant.settings.NAME`. Facts of `kept` ' +
      'are those of the user and of the first key of the ledger. A user has the method `sms`, unless `methods` states others.',
    table(
      ['Fact', 'Type', 'Values'],
      [...fixedFacts].map(([path, { type, values }]) => [code(path), type, values?.map(code).join(', ') ?? '']),
    ),
  ];
}

/** Key of a ruleset file with its path. */
export interface ReferenceKey {
  readonly path: string;
  readonly schema: JsonSchema;
  /** True if the schema needs the key where the one above it is written. */
  readonly needed: boolean;
}

/** Lists all keys of ruleset files with the base `own`, also those of alternatives, lists and maps. */
export function listRulesetKeys(): readonly ReferenceKey[] {
  const schema = z.toJSONSchema(ownRulesetSchema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return listBelow('', schema);
}

/** Returns the keys below a key, each followed by its own. */
function listBelow(path: string, schema: JsonSchema): readonly ReferenceKey[] {
  const parts = new Map(listParts(path, schema).map((part) => [part.path, part]));
  return [...parts.values()].flatMap((part) => [part, ...listBelow(part.path, part.schema)]);
}

function listParts(path: string, schema: JsonSchema): readonly ReferenceKey[] {
  if (isCondition(schema) || isReference(schema)) return [];
  const { properties, items, additionalProperties, anyOf, required } = schema;
  const named = isSchema(properties) ? Object.entries(properties) : [];
  const own = named.flatMap(([key, part]): readonly ReferenceKey[] => {
    const needed = Array.isArray(required) && required.includes(key);
    return isSchema(part) ? [{ path: path === '' ? key : `${path}.${key}`, schema: part, needed }] : [];
  });
  const inItems = isSchema(items) ? listParts(`${path}[]`, items) : [];
  const inMap = isSchema(additionalProperties) ? listParts(`${path}.NAME`, additionalProperties) : [];
  const inForms = Array.isArray(anyOf)
    ? anyOf.flatMap((form: unknown) => (isSchema(form) ? listParts(path, form) : []))
    : [];
  return [...own, ...inItems, ...inMap, ...inForms];
}

/** Returns a description without the default at its end, which has a column of its own. */
function withoutDefault(description: unknown): string {
  return typeof description === 'string' ? description.replace(/; [^;.]{1,80} by default[^;.]{0,80}\.$/, '.') : '';
}

function isCondition({ properties }: JsonSchema): boolean {
  return isSchema(properties) && 'all' in properties && 'signIns' in properties;
}

/** Describes the values of a key, such as `inclusive` or `exclusive`, or their type. */
function valueText(schema: JsonSchema): string {
  if (isCondition(schema)) return 'condition';
  const { type, anyOf, items } = schema;
  const allowed: unknown = schema['enum'];
  if (Array.isArray(allowed)) return allowed.map((value) => code(String(value))).join(', ');
  if ('const' in schema) return code(String(schema['const']));
  if (Array.isArray(anyOf)) {
    const texts = anyOf.flatMap((form: unknown) => (isSchema(form) && !isReference(form) ? [valueText(form)] : []));
    return [...new Set(texts)].filter((text) => text !== '').join(', or ');
  }
  if (type === 'array') {
    const of = isSchema(items) ? valueText(items) : '';
    return of === '' || of === 'mapping' ? 'list' : `list of ${of}`;
  }
  if (typeof schema['pattern'] === 'string' && schema['pattern'].includes('ms|s|m')) return 'duration';
  if (Array.isArray(schema['examples'])) return 'instant';
  if (Array.isArray(type)) return 'value';
  return (
    { object: 'mapping', string: 'text', integer: 'whole number', number: 'number', boolean: '`true`, `false`' }[
      String(type)
    ] ?? ''
  );
}

function isReference({ properties }: JsonSchema): boolean {
  return (
    isSchema(properties) && Object.keys(properties).length === 1 && ('setting' in properties || 'fact' in properties)
  );
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
