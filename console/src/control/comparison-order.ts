import { methodLabels, rolloutLabels } from '../parts/labels.ts';
import type { ComparisonRequest } from './analyses.ts';
import type { Tenant } from './answers.ts';
import type { Json } from './control-client.ts';

/** Policy of a variant as the form inputs describe it. An empty text keeps the current value. */
export interface OtherPolicy {
  readonly state: string;
  readonly method: string;
  readonly snoozeDays: string;
  readonly limited: string;
  readonly ruleset: string;
  /** Rollout switches that the variant turns on. */
  readonly rollout: readonly string[];
  readonly assumedAction: string;
  /** Policy as JSON, which replaces the campaign inputs. */
  readonly text: string;
}

/** Reads the variant policy from the query parameters of a URL. */
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

/** Maximum number of policies in one comparison. */
export const policiesMax = 4;

/** Returns the policies that a URL stores in addition to the current inputs, in their order. */
export function keptPolicies(address: URLSearchParams): readonly OtherPolicy[] {
  return address.getAll('kept').map((words) => otherPolicy(new URLSearchParams(words)));
}

/** Serializes the changed inputs of a policy for the URL. Unchanged inputs are omitted. */
export function keptLabels({ rollout, assumedAction: _ofAll, ...inputs }: OtherPolicy): string {
  const given = { ...inputs, rollout: rollout.join(',') };
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString();
}

/**
 * Builds the request for a comparison from the policies, the assumed actions of newly prompted users, the tenant
 * and an optional user to follow. Throws `SyntaxError` if a policy text is not valid JSON.
 */
export function comparisonOrder(
  policies: readonly OtherPolicy[],
  assumedAction: string,
  tenant: Tenant,
  user: string | null,
): ComparisonRequest {
  const variants = policies.map((other): ComparisonRequest['variants'][number] => {
    const policy = createPolicy(other, tenant);
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

function createPolicy({ text, state, method, snoozeDays, limited }: OtherPolicy, { campaign }: Tenant): Json | null {
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

/** Returns a display name made of the settings that a policy changes, or an empty text if it changes nothing. */
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
  return [...parts, ruleset, ...rollout.map((name) => `rolled out: ${(rolloutLabels[name] ?? name).toLowerCase()}`)]
    .filter((part) => part !== '')
    .join(', ');
}

const stateNames: Readonly<Record<string, string>> = {
  enabled: 'Enabled',
  default: 'Provider managed',
  disabled: 'Disabled',
};

/** Maximum number of characters of a JSON policy in its display name. */
const textShown = 60;
