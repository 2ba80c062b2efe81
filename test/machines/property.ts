import fc from 'fast-check';
import { expect } from 'vitest';

/** Seed of every property of the model: a failure names it with the path, and repeats. */
export const propertySeed = 20_260_105;

/**
 * Asserts that a claim is true of everything an arbitrary makes. A failure prints seed, path and the smallest value of which
 * it is false. Takes how many values to try.
 */
export function expectAlways<T>(arbitrary: fc.Arbitrary<T>, claim: (value: T) => boolean, numRuns: number): void {
  const details = fc.check(fc.property(arbitrary, claim), { seed: propertySeed, numRuns });
  expect(details.failed ? fc.defaultReportMessage(details) : null).toBeNull();
}

/** Asserts that a claim is found out: of some value it is false. For canaries. */
export function expectFoundOut<T>(arbitrary: fc.Arbitrary<T>, claim: (value: T) => boolean, numRuns: number): void {
  expect(fc.check(fc.property(arbitrary, claim), { seed: propertySeed, numRuns }).failed).toBe(true);
}

/** Whether two values are the same JSON, keys in the same order. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
