import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { rulesets as builtInRulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';
import { describeUnknownName } from '../core/nearest-name.ts';
import { findLoadedCampaign, findLoadedDigest, findLoadedOwn } from './ruleset-registry.ts';
import { type SandboxModel, shippedModel } from './sandbox-model.ts';

/** Digests of a ruleset file: the one that a journal records, and that of the loaded file (OC35). */
export interface RulesetDigests {
  readonly recorded: string;
  readonly loaded: string;
}

/** Ruleset of a sandbox. An own campaign has the rules of a registration campaign besides, which is disabled (OC56). */
export interface SandboxRuleset {
  readonly ruleset: Ruleset;
  readonly own: OwnRuleset | null;
  /** Digest of the loaded file, or `null` for a built-in ruleset. */
  readonly loadedDigest: string | null;
  /** `null` for a built-in ruleset. */
  readonly digests: RulesetDigests | null;
}

/** Name and digest of a ruleset, as a journal records them. */
interface RecordedRuleset {
  readonly ruleset: string;
  readonly rulesetDigest?: string;
}

/**
 * Returns the ruleset that a journal records.
 * @throws `ruleset-missing` for a ruleset file that is not loaded, with its id and digest
 * @throws `bad-request` for another unknown id; the error lists the known ids
 */
export function rulesetIn({ ruleset: id, rulesetDigest }: RecordedRuleset, model = shippedModel): SandboxRuleset {
  const own = model.ownRulesets.get(id) ?? findLoadedOwn(id, rulesetDigest ?? null);
  const campaign = model.rulesets.get(id) ?? (own === undefined ? findLoadedCampaign(id) : undefined);
  const loaded = own?.digest ?? findLoadedDigest(id);
  const digests = rulesetDigest === undefined || loaded === null ? null : { recorded: rulesetDigest, loaded };
  if (campaign !== undefined) return { ruleset: campaign, own: null, loadedDigest: loaded, digests };
  if (own !== undefined) return { ruleset: standIn(own), own, loadedDigest: loaded, digests };
  if (rulesetDigest !== undefined) {
    throw new NudgeLabError('ruleset-missing', {
      message: `The ruleset "${id}" with the digest ${rulesetDigest} is not loaded.`,
    });
  }
  throw new NudgeLabError('bad-request', {
    problems: [{ location: 'ruleset', message: describeUnknownName(id, [...model.rulesets.keys()]) }],
  });
}

/**
 * Returns the rules of the registration campaign of a ruleset with an id.
 * @throws `bad-request` if the id is unknown; the error lists the known ids
 */
export function rulesetNamed(id: string, model?: SandboxModel): Ruleset {
  return rulesetIn({ ruleset: id }, model).ruleset;
}

/** Rules of the disabled registration campaign of each own ruleset. */
const standIns = new WeakMap<OwnRuleset, Ruleset>();

function standIn(own: OwnRuleset): Ruleset {
  const known = standIns.get(own);
  if (known !== undefined) return known;
  const [first] = builtInRulesets.values();
  if (first === undefined) throw new RangeError('There is no built-in ruleset.');
  const { extension: _none, editions: _neither, edition: _nor, ...rules } = first;
  const ruleset: Ruleset = { ...rules, id: own.id };
  standIns.set(own, ruleset);
  return ruleset;
}
