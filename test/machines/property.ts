import fc from 'fast-check';
import { expect } from 'vitest';

/** Random seed of every model property. A failure reports it with the path, so it can be reproduced. */
export const propertySeed = 20_260_105;

/** Property of a value: a Boolean result, or the field that differs. `null` if no field differs. */
type Claim<T> = (value: T) => boolean | string | null;

/**
 * Asserts that a property is true for the given number of generated values. A failure prints the random seed, the
 * path and the shrunk counterexample, preceded by the differing field if the property reports it.
 */
export function expectAlways<T>(arbitrary: fc.Arbitrary<T>, claim: Claim<T>, numRuns: number): void {
  const details = checked(arbitrary, claim, numRuns);
  expect(details.failed ? formatReport(details, claim) : null).toBeNull();
}

/** Asserts that a property is false for some generated value. Used for canaries. */
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

/** Returns the report of the package, preceded by the field that differs for the shrunk counterexample. */
function formatReport<T>(details: fc.RunDetails<[T]>, claim: Claim<T>): string {
  const report = fc.defaultReportMessage(details) ?? '';
  if (details.counterexample === null) return report;
  try {
    const said = claim(details.counterexample[0]);
    return typeof said === 'string' ? `${said}\n${report}` : report;
  } catch {
    // A property that throws returns no field, and the report contains its error.
    return report;
  }
}
