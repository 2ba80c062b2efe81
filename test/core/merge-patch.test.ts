import { describe, expect, test } from 'vitest';
import { isPlainObject, mergePatch } from '../../src/core/merge-patch.ts';

/** Examples of RFC 7396, appendix A: target, patch and result. */
const examples: readonly (readonly [unknown, unknown, unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('merge patches', () => {
  test.for(examples)('R8: %j patched with %j becomes %j', ([target, patch, result]) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  test('R8: neither the target nor the patch is changed', () => {
    const [target, patch] = [{ a: { b: 1 } }, { a: { c: 2 }, d: null }];
    mergePatch(Object.freeze(target), Object.freeze(patch));
    expect([target, patch]).toEqual([{ a: { b: 1 } }, { a: { c: 2 }, d: null }]);
  });

  test('A36: a `null` that means "none" is kept at every depth', () => {
    expect(
      mergePatch({ browser: 'chrome', mfa: { method: 'sms' } }, { browser: null, mfa: { method: null } }, 'keep'),
    ).toEqual({
      browser: null,
      mfa: { method: null },
    });
  });

  test.for(['constructor', 'prototype', 'toString'])(
    'bad-request: %s is an ordinary key that affects only its own object',
    (key) => {
      const patch: unknown = JSON.parse(`{"${key}":{"polluted":true},"a":{"${key}":{"polluted":true}}}`);
      expect(JSON.stringify(mergePatch({}, patch))).toBe(JSON.stringify(patch));
      expect('polluted' in {}).toBe(false);
      expect('polluted' in Object).toBe(false);
    },
  );

  test('bad-request: a key that would reach the prototype is rejected with its location at any depth', () => {
    const patch: unknown = JSON.parse('{"a":{"__proto__":{"polluted":true}}}');
    expect(() => mergePatch({}, patch)).toThrow(
      expect.objectContaining({ code: 'bad-request', problems: [expect.objectContaining({ location: 'patch.a' })] }),
    );
    expect('polluted' in {}).toBe(false);
  });

  test.for([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    ['a', false],
    [1, false],
    [undefined, false],
  ] as const)('bad-request: %j is a plain object: %s', ([value, isObject]) => {
    expect(isPlainObject(value)).toBe(isObject);
  });
});
