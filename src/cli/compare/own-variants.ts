import { type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import type { JourneyHead } from '../../contract/journey.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { type LoadedRuleset, RulesetRegistry } from '../../journal/ruleset-registry.ts';
import type { OwnVariant } from '../../replay/compare/compare-own-journey.ts';
import { isRulesetFile } from '../../scenario/rulesets/ruleset-file.ts';
import { loadConfig } from '../config.ts';
import { parseTimes } from '../explain/explain-options.ts';
import { loadNamed, openRulesets } from '../open-rulesets.ts';
import type { CompareArguments } from './compare-options.ts';
import { nameApart } from './variant-names.ts';

/** Rulesets of a comparison: those that `--ruleset` names, and those of the configuration. */
export interface ComparedRulesets {
  readonly named: readonly { readonly name: string; readonly loaded: LoadedRuleset }[];
  readonly registry: RulesetRegistry;
}

/**
 * Loads the rulesets of `--ruleset` and those of the configuration. Each file is loaded by itself, so two versions of one
 * ruleset can be compared.
 *
 * @throws NudgeLabError the errors of `openRulesets` and `loadNamed`
 */
export async function loadCompared(
  { ruleset, config: configFile }: CompareArguments,
  cwd: string,
): Promise<ComparedRulesets> {
  const config = await loadConfig(configFile, cwd);
  const { registry } = await openRulesets({ ruleset: null }, config, cwd);
  const named: { name: string; loaded: LoadedRuleset }[] = [];
  for (const name of ruleset) {
    const into = isRulesetFile(name) ? new RulesetRegistry() : registry;
    named.push({ name, loaded: await loadNamed(name, '--ruleset', into, cwd) });
  }
  return { named, registry };
}

/** Own rulesets of a comparison. The baseline is `null` if it is the ruleset of the history. */
export interface OwnVariants {
  readonly baseline: OwnRuleset | null;
  readonly variants: readonly OwnVariant[];
}

/**
 * Returns the own rulesets of a comparison, at each time of `--at`, or `null` if `--ruleset` names none. The first of
 * several times is the baseline.
 *
 * @throws NudgeLabError `usage-invalid` for both bases at once, for options that only registration campaigns have, and for
 *   times of several rulesets
 */
export function listOwnVariants(args: CompareArguments, { named }: ComparedRulesets): OwnVariants | null {
  const own = named.flatMap(({ name, loaded }) => (loaded.base === 'own' ? [{ name, ruleset: loaded.ruleset }] : []));
  const [first] = own;
  if (first === undefined) return null;
  const other = named.find(({ loaded }) => loaded.base !== 'own');
  if (other !== undefined) throw mixedBases(first.ruleset.id, other.loaded.id);
  for (const option of ['policy', 'rollout'] as const) {
    if (args[option].length === 0) continue;
    const message = `--${option} changes a registration campaign, and ${first.ruleset.id} has the base own`;
    throw new NudgeLabError('usage-invalid', { problems: [{ location: `--${option}`, message }] });
  }
  if (args.at.length === 0) return { baseline: null, variants: nameUniquely(own) };
  if (own.length > 1) {
    throw new NudgeLabError('usage-invalid', { message: '--at needs one ruleset: the editions of it are compared.' });
  }
  const pinned = parseTimes({ at: args.at }).map((atMs, index) => ({
    name: `${first.ruleset.id} at ${args.at[index]}`,
    ruleset: pinOwn(first.ruleset, atMs),
  }));
  const [before, ...rest] = pinned;
  return rest.length === 0
    ? { baseline: null, variants: pinned }
    : { baseline: before?.ruleset ?? null, variants: rest };
}

/** Creates the error for rulesets of both bases in one comparison. */
export function mixedBases(own: string, campaign: string): NudgeLabError {
  return new NudgeLabError('usage-invalid', {
    message: `The ruleset ${own} has the base own and ${campaign} has the base registration-campaign; only rulesets of one base can be compared.`,
  });
}

/**
 * Returns the ruleset of a history of an own campaign: the version that the history records, otherwise the configured one
 * with this id, otherwise the first one that `--ruleset` names with this id.
 *
 * @param recorded - id of the ruleset and digest of its file, as the history records them
 * @throws NudgeLabError `usage-invalid` for a history with another base, and `ruleset-missing`
 */
export function findOwnBaseline(
  { ruleset: id, rulesetDigest }: Pick<JourneyHead, 'ruleset' | 'rulesetDigest'>,
  { named, registry }: ComparedRulesets,
): OwnRuleset {
  const candidates = [registry.find(id), ...named.map((one) => one.loaded)].filter((one) => one?.id === id);
  const loaded = candidates.find((one) => one?.digest === rulesetDigest) ?? candidates[0];
  if (loaded?.base === 'own') return loaded.ruleset;
  if (loaded !== undefined) throw mixedBases(named.map((one) => one.loaded.id).join(', '), id);
  throw new NudgeLabError('ruleset-missing', {
    message: `The history has the ruleset "${id}"${rulesetDigest === undefined ? '' : ` with the digest ${rulesetDigest}`}, which is not loaded; add its file to --ruleset, or to rulesets in the configuration.`,
  });
}

/** Returns a ruleset with the rules in force at a time alone. */
function pinOwn(ruleset: OwnRuleset, atMs: number): OwnRuleset {
  return { ...ruleset, first: rulesAt(ruleset, atMs), editions: [] };
}

/** Names variants by their ids, or by their files if rulesets have the same id. */
function nameUniquely(own: readonly OwnVariant[]): readonly OwnVariant[] {
  const names = nameApart(own.map(({ name, ruleset }) => ({ usual: ruleset.id, given: name })));
  return own.map(({ name, ruleset }, index) => ({ name: names[index] ?? name, ruleset }));
}
