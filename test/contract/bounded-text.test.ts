import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { boundedText } from '../../src/contract/bounded-text.ts';
import { lookupOperations } from '../../src/contract/lookup-operations.ts';
import { repositoryFiles } from '../conventions/repository.ts';

interface Check {
  readonly check: string;
  readonly abort?: boolean;
}

/** Finds every schema below a value, with its path. */
function schemasIn(value: unknown, place: string, seen = new Set<unknown>()): readonly [string, z.core.$ZodType][] {
  if (typeof value !== 'object' || value === null || seen.has(value) || value instanceof RegExp) return [];
  seen.add(value);
  const found: [string, z.core.$ZodType][] = value instanceof z.core.$ZodType ? [[place, value]] : [];
  const inside = value instanceof z.core.$ZodType ? value._zod.def : value;
  const parts =
    inside instanceof Map
      ? [...inside.entries()]
      : Object.entries(inside).filter(([key]) => key !== 'checks' && key !== '_zod');
  // The record of a lazy schema is a function; its schemas are also reachable from other values.
  return found.concat(parts.flatMap(([key, part]) => [...schemasIn(part, `${place}.${String(key)}`, seen)]));
}

/** Lists the checks of a schema in execution order. The format of a string format schema is the first check. */
function listChecks(schema: z.core.$ZodType): readonly Check[] {
  const { checks = [] } = schema._zod.def as { readonly checks?: readonly z.core.$ZodCheck[] };
  const own = schema instanceof z.core.$ZodStringFormat ? [schema._zod.def as unknown as Check] : [];
  return [...own, ...checks.map(({ _zod: { def } }) => def as Check)];
}

/** Checks whether a schema inspects the content of a text that exceeds its maximum length. */
function looksAtLongText(schema: z.core.$ZodType): boolean {
  const checks = listChecks(schema);
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
  test('the check detects a schema that inspects a text beyond its maximum length', () => {
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

  test('bad-request: no contract inspects a text beyond its maximum length', () => {
    expect(strings.length).toBeGreaterThan(300);
    expect(strings.filter(([, schema]) => looksAtLongText(schema)).map(([place]) => place)).toEqual([]);
  });

  test('bad-request: an email address that is too long is rejected only for its length', () => {
    const { body } = lookupOperations.putLookupAccount;
    const issues = body?.safeParse({ email: `${'@a'.repeat(30_000)} ` }).error?.issues;
    expect(issues?.map(({ code }) => code)).toEqual(['too_big']);
  });
});
