import type { Facts } from '../../../machines/vocabulary.ts';
import type { TestRow } from '../covering-arrays/array-options.ts';
import { axesBase } from './eligibility-axes.ts';
import { givenFacts } from './given-facts.ts';
import { signInAxes } from './sign-in-factors.ts';

/** What the values of a row set, by paths into the facts. */
export type RowSets = ReadonlyMap<string, unknown>;

/** What is given at the beginning of a row's sign-in, and of the sign-in itself, as a scenario file has it. */
export interface RowGiven {
  readonly tenant: Readonly<Record<string, unknown>>;
  readonly user: Readonly<Record<string, unknown>>;
  /** Without the time, which the clock of the scenario gives. */
  readonly attempt: Readonly<Record<string, unknown>>;
}

/** The facts that the values of a row, or of a part of it, set. Factors that set none are passed over. */
export function getRowSets(row: TestRow): RowSets {
  return new Map(
    Object.entries(row).flatMap(([factor, value]) => {
      const found = signInAxes.find(({ name }) => name === factor)?.values.find(({ name }) => name === value);
      return Object.entries(found?.sets ?? {});
    }),
  );
}

/** What a row gives, nested; what it says nothing of keeps its default. The user's id is the key of users, and left out. */
export function createRowSetup(row: TestRow): RowGiven {
  const given: Record<string, unknown> = structuredClone({ tenant: axesBase.tenant, user: {}, attempt: {} });
  for (const [path, value] of getRowSets(row)) write(given, path.split('.'), structuredClone(value));
  return given as unknown as RowGiven;
}

/** The facts of a row's sign-in. */
export function createRowFacts(row: TestRow): Facts {
  const { tenant, user, attempt } = createRowSetup(row);
  return givenFacts({
    tenant,
    user: { ...axesBase.user, ...user },
    attempt: { ...axesBase.attempt, ...attempt },
  });
}

function write(held: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    held[key] = value;
    return;
  }
  const inner = (held[key] ?? {}) as Record<string, unknown>;
  held[key] = inner;
  write(inner, rest, value);
}
