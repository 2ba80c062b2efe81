import { isPlainObject } from '../core/merge-patch.ts';
import type { FixtureLibrary } from './fixture-library.ts';

/**
 * A client as it is given: by the name of a fixture, or as it is described. One without an id is called as its fixture is.
 * Throws `fixture-not-found` and `fixture-invalid`.
 */
export function clientGiven(
  fixtures: Pick<FixtureLibrary, 'resolve'>,
  given: unknown,
): Readonly<Record<string, unknown>> {
  const client = fixtures.resolve('clients', given);
  const name = isPlainObject(given) ? given['extends'] : given;
  return client['id'] === undefined && typeof name === 'string' ? { ...client, id: name } : client;
}

/**
 * Faults as they are given: each by the name of a fixture, or as it is described. Takes what does something about one, so
 * that what goes wrong can be told with its place. What is no list is returned as it is, for the schema to refuse.
 */
export function faultsGiven(
  fixtures: FixtureLibrary,
  given: unknown,
  eachAt: (index: number, work: () => unknown) => unknown = (_index, work) => work(),
): unknown {
  if (!Array.isArray(given)) return given;
  return given.map((fault, index) =>
    // What is neither a name nor a description is for the schema, which says what a fault is.
    typeof fault === 'string' || isPlainObject(fault)
      ? eachAt(index, () => fixtures.resolve('faults', fault))
      : (fault as unknown),
  );
}
