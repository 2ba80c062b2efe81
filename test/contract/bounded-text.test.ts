import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { boundedText } from '../../src/contract/bounded-text.ts';
import { lookupOperations } from '../../src/contract/lookup-operations.ts';
import { repositoryFiles } from '../conventions/repository.ts';

interface Check {
  readonly check: string;
  readonly abort?: boolean;
}

/** Every schema below a value, whatever it stands in, with where it stands. */
function schemasIn(value: unknown, place: string, seen = new Set<unknown>()): readonly [string, z.core.$ZodType][] {
  if (typeof value !== 'object' || value === null || seen.has(value) || value instanceof RegExp) return [];
  seen.add(value);
  const found: [string, z.core.$ZodType][] = value instanceof z.core.$ZodType ? [[place, value]] : [];
  const inside = value instanceof z.core.$ZodType ? value._zod.def : value;
  const parts =
    inside instanceof Map
      ? [...inside.entries()]
      : Object.entries(inside).filter(([key]) => key !== 'checks' && key !== '_zod');
  // A record of a lazy schema is a function; what it leads to stands elsewhere too.
  return found.concat(parts.flatMap(([key, part]) => [...schemasIn(part, `${place}.${String(key)}`, seen)]));
}

/** The checks of a schema in the order in which they are made; a format that is the schema itself is the first one. */
function checksOf(schema: z.core.$ZodType): readonly Check[] {
  const { checks = [] } = schema._zod.def as { readonly checks?: readonly z.core.$ZodCheck[] };
  const own = schema instanceof z.core.$ZodStringFormat ? [schema._zod.def as unknown as Check] : [];
  return [...own, ...checks.map(({ _zod: { def } }) => def as Check)];
}

/** Whether a text may be longer than allowed and be looked at all the same. */
function looksAtLongText(schema: z.core.$ZodType): boolean {
  const checks = checksOf(schema);
  const max = checks.findIndex(({ check }) => check === 'max_length');
  const looks = checks.findIndex(({ check }) => check === 'string_format' || check === 'custom');
  return max !== -1 && looks !== -1 && (looks < max || checks[max]?.abort !== true);
}

const contracts = repositoryFiles().filter((path) => /^src\/(contract\/.*|.*\.schema)\.ts$/.test(path));
const modules: readonly object[] = await Promise.all(
  contracts.map((path) => import(/* @vite-ignore */ `../../${path}`)),
);
const strings = modules
  .flatMap((module, index) => schemasIn({ ...module }, contracts[index] ?? ''))
  .filter(([, schema]) => schema._zod.def.type === 'string');

describe('text of bounded length', () => {
  test('the check knows a schema that looks at a text which is too long', () => {
    expect(looksAtLongText(z.string().max(3).regex(/^a*$/))).toBe(true);
    expect(looksAtLongText(z.url().max(3))).toBe(true);
    expect(looksAtLongText(z.string().regex(/^a*$/).max(3, { abort: true }))).toBe(true);
    expect(
      looksAtLongText(
        z
          .string()
          .max(3)
          .refine(() => true),
      ),
    ).toBe(true);
    expect(looksAtLongText(boundedText({ max: 3, pattern: /^a*$/, allowed: 'a' }))).toBe(false);
    expect(schemasIn({ a: z.array(z.object({ b: z.string().optional() })).max(2) }, '').length).toBe(4);
  });

  test('bad-request: no contract looks at a text that is longer than it may be', () => {
    expect(strings.length).toBeGreaterThan(300);
    expect(strings.filter(([, schema]) => looksAtLongText(schema)).map(([place]) => place)).toEqual([]);
  });

  test('bad-request: an email address that is too long is refused by its length alone', () => {
    const { body } = lookupOperations.putLookupAccount;
    const issues = body?.safeParse({ email: `${'@a'.repeat(30_000)} ` }).error?.issues;
    expect(issues?.map(({ code }) => code)).toEqual(['too_big']);
  });
});
