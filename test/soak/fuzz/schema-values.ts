import fc from 'fast-check';
import { randomSource } from '../../../src/core/random.ts';
import type { Schema } from './described-apis.ts';

/** Values that commonly cause server errors. */
export const oddities: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  'x'.repeat(600),
  'a\u0000b',
  '\ud800',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '<script>',
  '%00',
  '\r\nX: y',
  '2026-13-45T99:99:99Z',
  '2026-01-05T09:00:00Z',
  [],
  [[]],
  {},
  { __proto__: null, toString: 1 },
  JSON.parse('{"__proto__":{"admin":true}}'),
  JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`),
];

/** Creates an arbitrary of values that match a schema, of which 40% are corrupted in one location. */
export function createArbitrary(schema: Schema): fc.Arbitrary<unknown> {
  return fc
    .tuple(createValidArbitrary(schema, 0), fc.integer({ min: 0, max: 9 }), fc.nat())
    .map(([value, bends, seed]) => (bends < 6 ? value : bent(value, seed)));
}

const depthMax = 6;

/** Creates an arbitrary of values that match a schema; `true` and `false` are schemas too. */
export function createValidArbitrary(schema: Schema | boolean, depth: number): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return fc.jsonValue({ maxDepth: 1 });
  if ('const' in schema) return fc.constant(schema['const']);
  const options = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (options !== undefined) return fc.oneof(...options.map((option) => createValidArbitrary(option, depth)));
  const values = schema['enum'] as readonly unknown[] | undefined;
  if (values !== undefined) return fc.constantFrom(...values);
  const { type } = schema;
  if (Array.isArray(type))
    return fc.oneof(...type.map((one) => createValidArbitrary({ ...schema, type: one as unknown }, depth)));
  switch (type) {
    case 'string':
      return createText(schema);
    case 'integer':
    case 'number':
      return createNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return createList(schema, depth);
    case 'object':
      return createObject(schema, depth);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

/**
 * Names that exist in the sandbox of a run. They are generated often, because most requests would otherwise find no
 * user.
 */
const knownWords = ['ada', 'ben', 'email', 'all', 'all_users', 'sms', 's2', '00000000-0000-4000-8000-00000000000a'];

function createText({ pattern, format, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.constantFrom('2026-01-05T09:00:00.000Z', '2026-02-28T23:59:59Z', '1970-01-01');
  if (typeof pattern === 'string') {
    try {
      return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'xsmall' });
    } catch {
      return fc.constantFrom('a', '000000', '2026-01-05', 'a.yaml');
    }
  }
  const most = Math.min(Number(maxLength), Number(minLength) + 20);
  return fc.oneof(
    fc.constantFrom(...knownWords),
    fc.string({ minLength: Number(minLength), maxLength: most }),
    fc.string({ unit: 'binary', minLength: Number(minLength), maxLength: most }),
  );
}

function createNumber(schema: Schema): fc.Arbitrary<number> {
  const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? -10);
  const most = Number(schema['maximum'] ?? schema['exclusiveMaximum'] ?? 1_000_000);
  const [min, max] = [Math.max(least, -(2 ** 31)), Math.min(most, 2 ** 31)];
  const whole = fc.integer({ min: Math.ceil(min), max: Math.max(Math.ceil(min), Math.floor(max)) });
  const near = fc.constantFrom(least, most, Math.min(most, least + 1));
  return schema['type'] === 'integer'
    ? fc.oneof(whole, near)
    : fc.oneof(whole, near, fc.double({ min, max, noNaN: true }));
}

function createList({ items, minItems = 0, maxItems = 3 }: Schema, depth: number): fc.Arbitrary<unknown[]> {
  if (depth > depthMax) return fc.constant([]);
  const least = Number(minItems);
  const most = Math.max(least, Math.min(Number(maxItems), least + 3));
  return fc.array(createValidArbitrary((items ?? {}) as Schema, depth + 1), { minLength: least, maxLength: most });
}

function createObject(schema: Schema, depth: number): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (depth > depthMax) return fc.constant({});
  const record: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [key, value] of Object.entries(properties as Readonly<Record<string, Schema>>)) {
    record[key] = createValidArbitrary(value, depth + 1);
  }
  const known = fc.record(record, { requiredKeys: required as string[] });
  if (typeof additionalProperties !== 'object' || additionalProperties === null) return known;
  const others = fc.dictionary(
    fc.constantFrom('ada', 'a', 'b-1'),
    createValidArbitrary(additionalProperties as Schema, depth + 1),
    {
      maxKeys: 2,
    },
  );
  return fc.tuple(others, known).map(([some, rest]) => ({ ...some, ...rest }));
}

/**
 * Corrupts one part of a value. The seed selects the part and the change, and the same seed produces the same
 * result.
 */
export function bent(value: unknown, seed: number): unknown {
  const random = randomSource(seed);
  const odd = oddities[Math.floor(random() * oddities.length)];
  const bend = (node: unknown, depth: number): unknown => {
    if (typeof node !== 'object' || node === null || depth > depthMax || random() < 0.2) return odd;
    const entries = Object.entries(node);
    if (entries.length === 0 || random() < 0.15)
      return Array.isArray(node) ? [...node, odd] : { ...node, unexpected: odd };
    const [key, child] = entries[Math.floor(random() * entries.length)] ?? ['', null];
    if (random() < 0.15)
      return Array.isArray(node) ? node.slice(1) : Object.fromEntries(entries.filter(([one]) => one !== key));
    const changed = bend(child, depth + 1);
    if (Array.isArray(node)) return node.map((one, index) => (String(index) === key ? changed : one));
    return { ...node, [key]: changed };
  };
  return bend(value, 0);
}
