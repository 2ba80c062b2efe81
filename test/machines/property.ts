import fc from 'fast-check';
import { expect } from 'vitest';

/** Seed of every property of the model: a failure names it with the path, and repeats. */
export const propertySeed = 20_260_105;

/** What a claim says of a value: whether it is true of it, or else which field differs; `null` where none does. */
type Claim<T> = (value: T) => boolean | string | null;

/**
 * Asserts that a claim is true of everything an arbitrary makes. A failure prints seed, path and the smallest value of which
 * it is false, and first the field that differs where the claim names it. Takes how many values to try.
 */
export function expectAlways<T>(arbitrary: fc.Arbitrary<T>, claim: Claim<T>, numRuns: number): void {
  const details = checked(arbitrary, claim, numRuns);
  expect(details.failed ? reportOf(details, claim) : null).toBeNull();
}

/** Asserts that a claim is found out: of some value it is false. For canaries. */
export function expectFoundOut<T>(arbitrary: fc.Arbitrary<T>, claim: Claim<T>, numRuns: number): void {
  expect(checked(arbitrary, claim, numRuns).failed).toBe(true);
}

function checked<T>(arbitrary: fc.Arbitrary<T>, claim: Claim<T>, numRuns: number): fc.RunDetails<[T]> {
  return fc.check(
    fc.property(arbitrary, (value) => holds(claim(value))),
    { seed: propertySeed, numRuns },
  );
}

function holds(said: boolean | string | null): boolean {
  return said === true || said === null;
}

/** The report of the package, with what the claim says of the smallest value before it. */
function reportOf<T>(details: fc.RunDetails<[T]>, claim: Claim<T>): string {
  const report = fc.defaultReportMessage(details) ?? '';
  if (details.counterexample === null) return report;
  try {
    const said = claim(details.counterexample[0]);
    return typeof said === 'string' ? `${said}\n${report}` : report;
  } catch {
    // A claim that throws says nothing; the report has its error.
    return report;
  }
}
