import type { Facts } from '../../../machines/vocabulary.ts';
import type { TestRow } from '../covering-arrays/array-options.ts';
import { axesBase } from './eligibility-axes.ts';
import { givenFacts } from './given-facts.ts';
import { signInAxes } from './sign-in-factors.ts';

/** Facts that a row sets, by path. */
export type RowSets = ReadonlyMap<string, unknown>;

/** Initial data of a row's sign-in and the sign-in attempt, in the format of a scenario file. */
export interface RowGiven {
  readonly tenant: Readonly<Record<string, unknown>>;
  readonly user: Readonly<Record<string, unknown>>;
  /** Attempt without its time, which comes from the clock of the scenario. */
  readonly attempt: Readonly<Record<string, unknown>>;
}

/** Returns the facts that the values of a full or partial row set. Parameters that set no facts are ignored. */
export function getRowSets(row: TestRow): RowSets {
  return new Map(
    Object.entries(row).flatMap(([factor, value]) => {
      const found = signInAxes.find(({ name }) => name === factor)?.values.find(({ name }) => name === value);
      return Object.entries(found?.sets ?? {});
    }),
  );
}

/**
 * Creates the nested setup data of a row; unset values keep their defaults. The user id is omitted because it is the
 * key in `users`.
 */
export function createRowSetup(row: TestRow): RowGiven {
  const given: Record<string, unknown> = structuredClone({ tenant: axesBase.tenant, user: {}, attempt: {} });
  for (const [path, value] of getRowSets(row)) write(given, path.split('.'), structuredClone(value));
  return given as unknown as RowGiven;
}

/** Creates the facts of a row's sign-in. */
export function createRowFacts(row: TestRow): Facts {
  const { tenant, user, attempt } = createRowSetup(row);
  return givenFacts({
    tenant,
    user: { ...axesBase.user, ...user },
    attempt: { ...axesBase.attempt, ...attempt },
  });
}

function write(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = (target[key] ?? {}) as Record<string, unknown>;
  target[key] = inner;
  write(inner, rest, value);
}
