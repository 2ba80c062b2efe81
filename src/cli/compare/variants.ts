import { basename } from 'node:path';
import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import { tenantFactsSchema } from '../../contract/facts.schema.ts';
import type { ImportMapping } from '../../contract/import-mapping.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import type { Variant } from '../../replay/compare/variant-evaluator.ts';
import { tenantOfPolicy } from '../../replay/import/import-policy.ts';
import { namingFile, readData } from '../import/read-data.ts';
import type { CompareArguments } from './compare-options.ts';

const switches: readonly string[] = ['method', 'snoozeDays', 'snoozeLimit', 'targeting'];

/**
 * Creates the variants named by the arguments: one per policy, or a single variant for a ruleset or rollout
 * switches. Each policy is validated first, so errors are reported before the comparison starts.
 * @throws `usage-invalid`, `file-unreadable`, or `bad-request` with a list of all problems
 */
export function parseVariants(args: CompareArguments, mapping: ImportMapping, cwd: string): readonly Variant[] {
  const unknown = args.rollout.filter((name) => !switches.includes(name));
  if (unknown.length > 0) {
    const problems = unknown.map((name) => ({ location: '--rollout', message: describeUnknownName(name, switches) }));
    throw new NudgeLabError('usage-invalid', { problems });
  }
  const ruleset = args.ruleset === null ? null : (rulesets.get(args.ruleset) ?? null);
  const turned = turnedOn(args.rollout);
  const extra = [...args.rollout, ...(ruleset === null ? [] : [ruleset.id])].join(' ');
  if (args.policy.length === 0) {
    if (extra === '')
      throw new NudgeLabError('usage-invalid', { message: 'Specify --policy, --ruleset or --rollout.' });
    return [{ name: extra, apply: turned, ruleset }];
  }
  return args.policy.map((file) => {
    const name = [basename(file).replace(/\.(json|ya?ml)$/, ''), extra].filter((part) => part !== '').join(' ');
    const body = readData(file, cwd);
    return { name, apply: namingFile(file, () => policyApplied(body, args.rollout, mapping)), ruleset };
  });
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
