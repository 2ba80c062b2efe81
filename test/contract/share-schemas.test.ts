import { expect, test } from 'vitest';
import { controlDocument } from '../../src/contract/control-openapi.ts';
import { shareRepeated } from '../../src/contract/share-schemas.ts';
import { nonEmpty } from '../non-empty.ts';
import { withoutReferences } from '../openapi-references.ts';

/** Schema whose text is long enough to be shared. */
function longSchema(title: string): object {
  return { type: 'object', description: title.repeat(200), properties: { id: { type: 'string' } } };
}

test('a repeated schema becomes one definition, and a part that only it contains stays in it', () => {
  const list = { type: 'array', items: longSchema('a') };
  expect(shareRepeated({ type: 'object', properties: { one: list, two: list, three: longSchema('b') } })).toEqual({
    type: 'object',
    properties: { one: { $ref: '#/$defs/shared1' }, two: { $ref: '#/$defs/shared1' }, three: longSchema('b') },
    $defs: { shared1: list },
  });
});

test('a part of different schemas becomes a definition of its own, and a name that is taken is kept', () => {
  const part = longSchema('a');
  const given = longSchema('b');
  expect(
    shareRepeated({
      properties: { one: part, two: { type: 'array', items: part }, three: { $ref: '#/$defs/shared1' } },
      $defs: { shared1: given, unused: given },
    }),
  ).toEqual({
    properties: {
      one: { $ref: '#/$defs/shared2' },
      two: { type: 'array', items: { $ref: '#/$defs/shared2' } },
      three: { $ref: '#/$defs/shared1' },
    },
    $defs: { shared1: given, shared2: part },
  });
});

test('the control API document has each long schema once, and every component is referenced', () => {
  const counts = new Map<string, number>();
  const references = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref, type, anyOf } = node as { readonly $ref?: string; readonly type?: unknown; readonly anyOf?: unknown };
    if ($ref !== undefined) references.add($ref.slice($ref.lastIndexOf('/') + 1));
    const text = JSON.stringify(node);
    if ((type ?? anyOf) !== undefined && text.length >= 320) counts.set(text, (counts.get(text) ?? 0) + 1);
    Object.values(node).forEach(visit);
  };
  visit(controlDocument);
  expect(counts.size).toBeGreaterThan(50);
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  const { schemas } = controlDocument.components as { readonly schemas: Readonly<Record<string, unknown>> };
  for (const name of nonEmpty(Object.keys(schemas))) expect([name, references.has(name)]).toEqual([name, true]);
  expect(JSON.stringify(withoutReferences(controlDocument))).not.toContain('"$ref"');
});
