import type { Tenant } from './answers.ts';
import type { Json } from './control-client.ts';

/** Another policy as the knobs say it; an empty text leaves things as they were. */
export interface OtherPolicy {
  readonly state: string;
  readonly method: string;
  readonly snoozeDays: string;
  readonly limited: string;
  readonly ruleset: string;
  /** Switches of the roll-out that are turned on. */
  readonly rollout: readonly string[];
  readonly assume: string;
  /** A policy as JSON, in place of the knobs of the campaign. */
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
    assume: of('assume') || 'skip',
    text: of('text'),
  };
}

/**
 * The order of a comparison. Takes the policy, the tenant as it is, and the one user who is followed, if any. Returns `null` when
 * nothing is other; throws `SyntaxError` for a text that is no JSON.
 */
export function comparisonOrder(other: OtherPolicy, tenant: Tenant, user: string | null): Json | null {
  const { ruleset, rollout, assume } = other;
  const policy = policyOf(other, tenant);
  if (policy === null && ruleset === '' && rollout.length === 0) return null;
  const variant = {
    name: nameOf(other),
    ...(policy === null ? {} : { policy }),
    ...(ruleset === '' ? {} : { ruleset }),
    rollout,
  };
  return { kind: 'comparison', variants: [variant], assume, ...(user === null ? {} : { user }) };
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

function nameOf({ text, state, method, snoozeDays, limited, ruleset, rollout }: OtherPolicy): string {
  const parts =
    text.trim() === ''
      ? [
          state,
          method,
          snoozeDays === '' ? '' : `${snoozeDays} days`,
          limited === '' ? '' : limited === 'true' ? 'limited' : 'no limit',
        ]
      : ['policy'];
  return [...parts, ruleset, ...rollout].filter((part) => part !== '').join(', ');
}
