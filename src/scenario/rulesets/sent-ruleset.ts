import { isModuleGate, type OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { findLoadedData, type LoadedRuleset } from '../../journal/ruleset-registry.ts';
import { findOffered } from './offered-ruleset.ts';

/** Ruleset of a file as a job carries it to a worker (OC37). */
export interface SentRuleset {
  readonly id: string;
  readonly digest: string;
  /** Keys with those of the bases as canonical JSON; `null` if the ruleset has gate modules, which are code. */
  readonly text: string | null;
}

/**
 * Creates what a job carries of an own ruleset.
 *
 * @param ruleset - ruleset of a file
 * @returns the ruleset as data, unless it has gate modules
 */
export function createSentRuleset(ruleset: OwnRuleset): SentRuleset {
  const { id, digest, first, editions } = ruleset;
  const all = [first, ...editions.map(({ rules }) => rules)];
  const hasModules = all.some(({ gates }) => gates.some(isModuleGate));
  const data = hasModules ? null : findLoadedData(digest);
  return { id, digest, text: data === null ? null : canonicalJson(data) };
}

/**
 * Creates what a job carries of a registration campaign.
 *
 * @param id - id of the ruleset
 * @returns the ruleset as data, or `null` for a built-in one, which every worker has
 */
export function createSentCampaign(id: string): SentRuleset | null {
  const offered = findOffered(id);
  return offered === null ? null : { id, digest: offered.digest, text: canonicalJson(offered.data) };
}

/** Creates what a job carries of a ruleset of any base, or `null` for a built-in one. */
export function createSent(loaded: LoadedRuleset): SentRuleset | null {
  return loaded.base === 'own' ? createSentRuleset(loaded.ruleset) : createSentCampaign(loaded.id);
}
