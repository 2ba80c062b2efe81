import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { findLoadedData, findLoadedDigest } from '../../journal/ruleset-registry.ts';

/** Ruleset of a file as a server can receive it. */
export interface OfferedRuleset {
  readonly digest: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the loaded ruleset with an id for a server; `null` for a built-in one, which every server has. */
export function findOffered(id: string): OfferedRuleset | null {
  const digest = rulesetIds.includes(id) ? null : findLoadedDigest(id);
  const data = digest === null ? null : findLoadedData(digest);
  return digest === null || data === null ? null : { digest, data };
}
