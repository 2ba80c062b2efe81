import { isPlainObject } from '../core/merge-patch.ts';
import type { FixtureLibrary } from './fixture-library.ts';

/**
 * Resolves a client that is given by the name of a fixture or inline. The id of a fixture is its name, unless it
 * defines one. Throws `fixture-not-found` or `fixture-invalid`.
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
 * Resolves faults that are given by the name of a fixture or inline. `eachAt` runs the work for one fault and can
 * add its location to an error. A value that is not a list is returned unchanged, because the schema rejects it.
 */
export function faultsGiven(
  fixtures: FixtureLibrary,
  given: unknown,
  eachAt: (index: number, work: () => unknown) => unknown = (_index, work) => work(),
): unknown {
  if (!Array.isArray(given)) return given;
  return given.map((fault, index) =>
    // The schema rejects any other value with a description of valid faults.
    typeof fault === 'string' || isPlainObject(fault)
      ? eachAt(index, () => fixtures.resolve('faults', fault))
      : (fault as unknown),
  );
}
