import { basename } from 'node:path';
import { pinRules } from '../../../machines/ruleset-gates.ts';
import type { Ruleset, TenantFacts } from '../../../machines/vocabulary.ts';
import { tenantFactsSchema } from '../../contract/facts.schema.ts';
import type { ImportMapping } from '../../contract/import-mapping.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import type { Variant } from '../../replay/compare/variant-evaluator.ts';
import { tenantOfPolicy } from '../../replay/import/import-policy.ts';
import { parseTimes } from '../explain/explain-options.ts';
import { namingFile, readData } from '../import/read-data.ts';
import { requireCampaign } from '../named-ruleset.ts';
import type { CompareArguments } from './compare-options.ts';
import type { ComparedRulesets } from './own-variants.ts';
import { nameApart } from './variant-names.ts';

const switches: readonly string[] = ['method', 'snoozeDays', 'snoozeLimit', 'targeting'];

/**
 * Creates the variants named by the arguments: one per policy, or a single variant for a ruleset or rollout
 * switches. Each policy is validated first, so errors are reported before the comparison starts.
 * @throws `usage-invalid`, `file-unreadable`, or `bad-request` with a list of all problems
 */
export function parseVariants(
  args: CompareArguments,
  rulesets: readonly NamedRuleset[],
  mapping: ImportMapping,
  cwd: string,
): readonly Variant[] {
  const unknown = args.rollout.filter((name) => !switches.includes(name));
  if (unknown.length > 0) {
    const problems = unknown.map((name) => ({ location: '--rollout', message: describeUnknownName(name, switches) }));
    throw new NudgeLabError('usage-invalid', { problems });
  }
  const turned = turnedOn(args.rollout);
  const isEmpty = args.policy.length === 0 && args.rollout.length === 0 && args.ruleset.length === 0;
  if (isEmpty) throw new NudgeLabError('usage-invalid', { message: 'Specify --policy, --ruleset or --rollout.' });
  const policies = nameApart(
    args.policy.map((given) => ({ usual: basename(given).replace(/\.(json|ya?ml)$/, ''), given })),
  );
  return rulesets.slice(args.at.length > 1 ? 1 : 0).flatMap(({ name: rulesetName, ruleset }): readonly Variant[] => {
    const extra = [...args.rollout, rulesetName];
    if (args.policy.length === 0) return [{ name: joinNames(extra), apply: turned, ruleset }];
    return args.policy.map((file, index) => {
      const name = joinNames([policies[index] ?? file, ...extra]);
      const body = readData(file, cwd);
      return { name, apply: namingFile(file, () => policyApplied(body, args.rollout, mapping)), ruleset };
    });
  });
}

function joinNames(names: readonly string[]): string {
  return names.filter((name) => name !== '').join(' ');
}

/** Ruleset of variants. */
interface NamedRuleset {
  readonly name: string;
  /** `null` for the ruleset of the history. */
  readonly ruleset: Ruleset | null;
}

/**
 * Returns the rulesets of the variants, at each time of `--at`. The first of several times is the baseline.
 *
 * @throws NudgeLabError `usage-invalid`
 */
export function findRulesets({ at }: CompareArguments, { named }: ComparedRulesets): readonly NamedRuleset[] {
  const found = named.map(({ loaded }) => requireCampaign(loaded, 'compare'));
  if (at.length === 0 && found.length === 0) return [{ name: '', ruleset: null }];
  if (at.length === 0) {
    const names = nameApart(named.map(({ name, loaded }) => ({ usual: loaded.id, given: name })));
    return found.map((ruleset, index) => ({ name: names[index] ?? ruleset.id, ruleset }));
  }
  const [ruleset] = found;
  if (ruleset === undefined || found.length > 1) {
    throw new NudgeLabError('usage-invalid', { message: '--at needs one ruleset with editions: --ruleset announced.' });
  }
  return parseTimes({ at }).map((atMs, index) => ({
    name: `${ruleset.id} at ${at[index]}`,
    ruleset: pinRules(ruleset, atMs),
  }));
}

/**
 * Creates the function that applies a policy body and rollout switches to tenant facts. The body is validated
 * immediately. Throws `bad-request` with a list of all problems.
 */
export function policyApplied(body: unknown, rollout: readonly string[], mapping: ImportMapping): Variant['apply'] {
  const turned = turnedOn(rollout);
  const apply = (tenant: TenantFacts): TenantFacts => turned(tenantOfPolicy(body, tenant, mapping));
  apply(parseOr('bad-request', tenantFactsSchema, {}, 'tenant'));
  return once(apply);
}

/** Creates the function that turns on rollout switches and changes nothing else. */
export function turnedOn(names: readonly string[]): Variant['apply'] {
  const rollout = Object.fromEntries(names.map((name) => [name, true]));
  return (tenant) => ({ ...tenant, rollout: { ...tenant.rollout, ...rollout } });
}

/** Caches the result for each input object, so cached evaluations of the same facts are found again. */
function once(apply: (tenant: TenantFacts) => TenantFacts): (tenant: TenantFacts) => TenantFacts {
  const known = new Map<TenantFacts, TenantFacts>();
  return (tenant) => {
    const found = known.get(tenant) ?? apply(tenant);
    known.set(tenant, found);
    return found;
  };
}
