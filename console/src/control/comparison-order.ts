import { methodLabels } from '../parts/labels.ts';
import type { ComparisonRequest } from './analyses.ts';
import type { Tenant } from './answers.ts';
import type { Json } from './control-client.ts';

/** Another policy as the inputs say it; an empty text leaves things as they were. */
export interface OtherPolicy {
  readonly state: string;
  readonly method: string;
  readonly snoozeDays: string;
  readonly limited: string;
  readonly ruleset: string;
  /** Switches of the rollout that are turned on. */
  readonly rollout: readonly string[];
  readonly assumedAction: string;
  /** A policy as JSON, in place of the inputs of the campaign. */
  readonly text: string;
}

/** Another policy as an address says it. */
export function otherPolicy(address: URLSearchParams): OtherPolicy {
  const of = (name: string): string => address.get(name) ?? '';
  return {
    state: of('state'),
    method: of('method'),
    snoozeDays: of('snoozeDays'),
    limited: of('limited'),
    ruleset: of('ruleset'),
    rollout: of('rollout').split(',').filter(Boolean),
    assumedAction: of('assumedAction') || 'skip',
    text: of('text'),
  };
}

/** Policies that can be compared at once. */
export const policiesMax = 4;

/** The policies that an address keeps beside the inputs, in their order. */
export function keptPolicies(address: URLSearchParams): readonly OtherPolicy[] {
  return address.getAll('kept').map((words) => otherPolicy(new URLSearchParams(words)));
}

/** The inputs of a policy as an address keeps them; what is as it was is left out. */
export function keptLabels({ rollout, assumedAction: _ofAll, ...inputs }: OtherPolicy): string {
  const given = { ...inputs, rollout: rollout.join(',') };
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString();
}

/**
 * The order of a comparison. Takes the policies, how who is newly asked answers, the tenant as it is, and the one user who is
 * followed, if any. Throws `SyntaxError` for a text that is no JSON.
 */
export function comparisonOrder(
  policies: readonly OtherPolicy[],
  assumedAction: string,
  tenant: Tenant,
  user: string | null,
): ComparisonRequest {
  const variants = policies.map((other): ComparisonRequest['variants'][number] => {
    const policy = policyOf(other, tenant);
    return {
      name: policyName(other),
      ...(policy === null ? {} : { policy }),
      ...(other.ruleset === '' ? {} : { ruleset: other.ruleset }),
      rollout: other.rollout as ComparisonRequest['variants'][number]['rollout'],
    };
  });
  return {
    kind: 'comparison',
    variants,
    assumedAction: assumedAction as ComparisonRequest['assumedAction'],
    ...(user === null ? {} : { user }),
  };
}

function policyOf({ text, state, method, snoozeDays, limited }: OtherPolicy, { campaign }: Tenant): Json | null {
  if (text.trim() !== '') return JSON.parse(text) as Json;
  const everybody = [{ targetType: 'group', id: 'all_users' }];
  const targets: readonly object[] = campaign.includeTargets.length === 0 ? everybody : campaign.includeTargets;
  const changed = {
    ...(state === '' ? {} : { state }),
    ...(snoozeDays === '' ? {} : { snoozeDurationInDays: Number(snoozeDays) }),
    ...(limited === '' ? {} : { enforceRegistrationAfterAllowedSnoozes: limited === 'true' }),
    ...(method === ''
      ? {}
      : { includeTargets: targets.map((target) => ({ ...target, targetedAuthenticationMethod: method })) }),
  };
  return Object.keys(changed).length === 0 ? null : { campaign: changed };
}

/** What a policy is called: what of it is other than it was; an empty text when nothing is. */
export function policyName({ text, state, method, snoozeDays, limited, ruleset, rollout }: OtherPolicy): string {
  const parts =
    text.trim() === ''
      ? [
          stateNames[state] ?? '',
          method === '' ? '' : methodLabels[method as keyof typeof methodLabels],
          snoozeDays === '' ? '' : `${snoozeDays} ${snoozeDays === '1' ? 'day' : 'days'}`,
          limited === '' ? '' : limited === 'true' ? 'limited' : 'no limit',
        ]
      : [`policy ${text.replaceAll(/\s+/g, ' ').trim().slice(0, textShown)}`];
  return [...parts, ruleset, ...rollout.map((name) => `rolled out: ${name}`)].filter((part) => part !== '').join(', ');
}

const stateNames: Readonly<Record<string, string>> = {
  enabled: 'Enabled',
  default: 'Managed by the provider',
  disabled: 'Disabled',
};

/** Characters of a policy as JSON that tell it from another one. */
const textShown = 60;
