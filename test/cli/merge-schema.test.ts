import { describe, expect, it } from 'vitest';
import { completeMergeable } from '../../src/cli/schema/merge-schema.ts';
import { mergeKeyword } from '../../src/contract/fixture.schema.ts';

type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

/** Merge patch of a schema. */
function patch(schema: Schema): Schema {
  return completeMergeable({ ...schema, [mergeKeyword]: 'patch' });
}

describe('schema of a merge patch', () => {
  it('no key is required, null removes each one, and rules between keys do not apply', () => {
    const whole = {
      type: 'object',
      description: 'a user',
      properties: { id: text, name: { ...text, description: 'full name', default: 'Ada' } },
      required: ['id'],
      minProperties: 1,
      default: {},
      allOf: [{ required: ['name'] }],
      if: { properties: { id: { const: 'ada' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      then: { required: ['name'] },
      else: { required: ['id'] },
      oneOf: [{ required: ['id'] }, { required: ['name'] }],
      additionalProperties: false,
    };
    expect(patch(whole)).toEqual({
      type: 'object',
      description: 'a user',
      properties: { id: text, name: { description: 'full name', ...orNull(text) } },
      additionalProperties: false,
    });
  });

  it('a key that may be null or has only a description is unchanged', () => {
    const properties = { a: orNull(text), b: { type: 'null' }, c: { description: 'any value' }, d: true };
    expect(patch({ type: 'object', properties })).toEqual({ type: 'object', properties });
  });

  it('a step names its user, who is required', () => {
    const properties = { user: text, methods: { type: 'array' } };
    expect(patch({ type: 'object', properties, required: ['user'] })).toEqual({
      type: 'object',
      properties: { user: text, methods: orNull({ type: 'array' }) },
      required: ['user'],
    });
  });

  it('alternatives of objects become one object with the keys of each', () => {
    const anyOf = [
      { type: 'object', properties: { kind: { const: 'a' }, size: text }, required: ['kind'] },
      { type: 'object', properties: { kind: { const: 'b' }, size: text }, required: ['kind'] },
    ];
    expect(patch({ description: 'one of two', anyOf })).toEqual({
      description: 'one of two',
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, size: orNull(text) },
      additionalProperties: false,
    });
  });

  it('values of a map can be removed, and alternatives within a list of types are merge patches too', () => {
    const inner = { type: 'object', properties: { a: text }, required: ['a'] };
    expect(patch({ type: 'object', additionalProperties: inner })).toEqual({
      type: 'object',
      additionalProperties: orNull({ type: 'object', properties: { a: text } }),
    });
    expect(patch({ anyOf: [text, inner] })).toEqual({
      anyOf: [text, { type: 'object', properties: { a: text } }],
    });
  });

  it('a definition that contains keys gets a merge patch, and another one is shared', () => {
    const $defs = { inner: { type: 'object', properties: { a: text }, required: ['a'] }, word: text };
    const properties = { inner: { $ref: '#/$defs/inner' }, word: { $ref: '#/$defs/word' } };
    const completed = patch({ type: 'object', properties, $defs });
    expect(completed['properties']).toEqual({
      inner: orNull({ $ref: '#/$defs/innerPatch' }),
      word: orNull({ $ref: '#/$defs/word' }),
    });
    expect(completed['$defs']).toEqual({ ...$defs, innerPatch: { type: 'object', properties: { a: text } } });
  });
});

describe('schema of a fixture', () => {
  it('a fixture with `extends` is a merge patch, and another one is complete', () => {
    const form = { type: 'object', properties: { extends: text, name: text }, required: ['name'] };
    expect(completeMergeable({ description: 'a user', ...form, [mergeKeyword]: 'fixture' })).toEqual({
      description: 'a user',
      type: 'object',
      if: { type: 'object', properties: { extends: true }, required: ['extends'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      then: { type: 'object', properties: { extends: text, name: text } },
      else: form,
    });
  });

  it('a schema without a mark is unchanged', () => {
    const schema = { type: 'object', properties: { a: text }, required: ['a'] };
    expect(completeMergeable(schema)).toEqual(schema);
  });
});
