import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { computeSha256 } from '../../core/digest.ts';
import { describeUnknownName, suggestName } from '../../core/nearest-name.ts';
import { readBuiltIn } from './built-in-text.ts';
import { patchRules } from './patch-rules.ts';
import type { RulesetFaults } from './ruleset-fault.ts';
import type { RulesetText } from './ruleset-text.ts';

/** What a ruleset is made of in the end: rules of its own, or those of a registration campaign. */
export const rootBases = ['own', 'registration-campaign'] as const;
export type RootBase = (typeof rootBases)[number];

/** Keys of a ruleset over those of its bases. */
export interface MergedRuleset {
  readonly base: RootBase;
  readonly data: Readonly<Record<string, unknown>>;
  /** Written keys, whose base is the digest of another ruleset: what the digest of the ruleset covers (OC35). */
  readonly digested: Readonly<Record<string, unknown>>;
}

/** Returns the text of another ruleset by its id, or `null` if there is none. */
export type BaseLookup = (id: string) => RulesetText | null;

/** Rulesets that a ruleset can have as its base. */
export interface Bases {
  readonly find: BaseLookup;
  /** Returns the ids that the lookup finds, for messages. */
  ids(): readonly string[];
}

/** The built-in rulesets. */
export const builtInBases: Bases = { find: readBuiltIn, ids: () => rulesetIds };

/** Keys of `registration-campaign` that have the values of `seed` where they are absent. */
const campaignDefaults = ['gates', 'matrix', 'profiles', 'providerManaged', 'limits'];

/** Keys that a ruleset never takes from its base. */
const ownKeys = ['ruleset', 'version', 'format', 'title', 'description', 'source', 'base'];

/**
 * Merges the keys of a ruleset over those of its bases, in the way of editions (OC57). A base that does not exist, that
 * has faults, or that leads back to the ruleset is a fault (RS04).
 *
 * @param data - keys of the file
 * @param faults - collector of the file's faults
 * @param bases - other rulesets
 * @returns the merged keys, or `null` if a base cannot be used
 */
export function mergeBases(
  data: Readonly<Record<string, unknown>>,
  faults: RulesetFaults,
  bases: Bases,
): MergedRuleset | null {
  return mergeOver(data, faults, bases, []);
}

function mergeOver(
  data: Readonly<Record<string, unknown>>,
  faults: RulesetFaults,
  bases: Bases,
  above: readonly string[],
): MergedRuleset | null {
  const { base = 'own', ruleset } = data;
  const root = rootBases.find((one) => one === base);
  if (root !== undefined) {
    if (root === 'own' || ruleset === 'seed') return { base: root, data, digested: data };
    const seed = readBuiltIn('seed')?.data ?? {};
    return { base: root, data: { ...pick(seed, campaignDefaults), ...data }, digested: data };
  }
  if (typeof base !== 'string') {
    faults.add('RS04', ['base'], `is not a base; write ${rootBases.join(', ')} or the id of a ruleset`);
    return null;
  }
  const chain = [...above, String(ruleset)];
  if (chain.includes(base)) {
    faults.add('RS04', ['base'], `${[...chain, base].join(' → ')} is a cycle; choose a base that does not lead back`);
    return null;
  }
  const text = bases.find(base);
  if (text === null) {
    const known = [...rootBases, ...bases.ids().filter((id) => id !== ruleset)];
    faults.add('RS04', ['base'], describeUnknownBase(base, known));
    return null;
  }
  if (text.data === null || text.faults.count > 0) {
    faults.add('RS04', ['base'], `the ruleset "${base}" has faults; correct it first`);
    return null;
  }
  const below = mergeOver(text.data, faults, bases, chain);
  if (below === null) return null;
  const { base: _id, ...written } = data;
  const inherited = omit(below.data, ownKeys);
  return {
    base: below.base,
    data: patchRules(inherited, written, faults),
    digested: { ...data, base: computeSha256(canonicalJson(below.digested)) },
  };
}

/** Describes a base that does not exist. A path names a file, and a base is known by the id in its file. */
function describeUnknownBase(base: string, known: readonly string[]): string {
  if (!/[/\\]|\.(?:ya?ml|json)$/i.test(base)) return describeUnknownName(base, known);
  const name = base.split(/[/\\]/).at(-1) ?? '';
  const id = name.replace(/\.(?:ya?ml|json)$/i, '').replace(/\.ruleset$/i, '');
  const meant = known.includes(id) ? `; did you mean "${id}"?` : suggestName(id, known);
  const list = known.join(', ');
  return `${JSON.stringify(base)} is a path, and base takes the id of a ruleset, which is one of ${list}${meant}`;
}

function pick(data: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => keys.includes(key)));
}

function omit(data: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !keys.includes(key)));
}
