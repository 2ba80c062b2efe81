import type { FixtureKind } from '../contract/fixture-kinds.ts';

/** Fixtures that requests to the control API can name. */
export interface FixtureSource {
  /**
   * Returns the complete value of a fixture name, or of facts in which `extends` names a fixture to merge over. Throws
   * `fixture-not-found` or `fixture-invalid`.
   */
  resolve(kind: FixtureKind, given: unknown): Readonly<Record<string, unknown>>;
}

/** Opens the fixtures for one request, so changed files apply without a restart. */
export type OpenFixtures = () => Promise<FixtureSource>;
