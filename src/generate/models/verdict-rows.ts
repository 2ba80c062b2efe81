import { evaluate } from '../../../machines/evaluate.ts';
import { datelessRulesets as rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { Verdict } from '../../../machines/vocabulary.ts';
import { mergePatch } from '../../core/merge-patch.ts';
import { givenFacts } from './given-facts.ts';

/** Facts in the format of a scenario, completed with the defaults of the contract. */
export interface GivenSignIn {
  readonly ruleset: string;
  readonly tenant: object;
  readonly user: object;
  readonly attempt: object;
}

/** Sign-in with its verdict. */
export interface VerdictRow extends GivenSignIn {
  /** Number of facts that differ from the base campaign. */
  readonly differences: number;
  readonly verdict: Verdict;
}

type Given = Partial<Omit<GivenSignIn, 'ruleset'>>;

/** Time of the sign-in in milliseconds, equal to the start of scenarios. */
const rowNowMs = 1_767_603_600_000;
const dayMs = 86_400_000;

/** Id of the user in a row. */
export const rowUserId = 'ada';

function campaignFor(method: string): object {
  const includeTargets = [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method }];
  return { state: 'enabled', snoozeDurationInDays: 1, includeTargets };
}

/** Base campaigns of the rows; each of them prompts a user. */
const campaigns: readonly Given[] = [
  { tenant: { campaign: campaignFor('vendorAuthenticator') } },
  { tenant: { campaign: campaignFor('fido2') } },
  { tenant: { campaign: { state: 'default' } } },
  { tenant: { campaign: { state: 'default' }, rollout: { method: true, targeting: true } } },
];

const everybody = { targetType: 'group', id: 'all_users' };

function profiled(profile: object): Given {
  const fido2 = { includeTargets: [{ ...everybody, profiles: ['p'] }], profiles: [{ id: 'p', ...profile }] };
  return { tenant: { methodsPolicy: { fido2 } } };
}

/**
 * Possible differences of a row from its campaign: one value for each fact that a gate reads, in the format of the
 * contract. The rules determine which of them stop a sign-in.
 */
const differences: readonly Given[] = [
  { tenant: { campaign: { state: 'disabled' } } },
  { tenant: { campaign: { includeTargets: [] } } },
  { tenant: { campaign: { excludeTargets: [{ targetType: 'user', id: rowUserId }] } } },
  { tenant: { rollout: { targeting: true } } },
  { tenant: { methodsPolicy: { authenticator: { state: 'disabled' } } } },
  ...['push', 'deviceBasedPush'].map((authenticationMode) => ({
    tenant: { methodsPolicy: { authenticator: { includeTargets: [{ ...everybody, authenticationMode }] } } },
  })),
  { tenant: { methodsPolicy: { fido2: { state: 'disabled' } } } },
  { tenant: { methodsPolicy: { fido2: { selfService: false } } } },
  { tenant: { methodsPolicy: { fido2: { keyRestrictions: { type: 'allow', kinds: ['security-key'] } } } } },
  profiled({ passkeyTypes: 'synced' }),
  profiled({ attestationEnforced: true }),
  { user: { type: 'guest' } },
  { user: { mfaCapable: false } },
  ...['authenticator-totp', 'authenticator-push', 'hardware-totp'].map((method) => ({ user: { methods: [method] } })),
  ...['windows-bound', 'security-key'].map((type) => ({ user: { passkeys: [{ type, deviceId: 'device-1' }] } })),
  ...[0, 1].map((days) => ({ user: { snooze: { count: 1, snoozedAtMs: rowNowMs - days * dayMs } } })),
  { user: { snooze: { count: 3, snoozedAtMs: rowNowMs - dayMs } } },
  ...['macos', 'ios', 'android', 'linux', 'unknown'].map((os) => ({ attempt: { os } })),
  ...['native-app', 'embedded-app', 'embedded-os-settings', 'oobe'].map((surface) => ({ attempt: { surface } })),
  { attempt: { mfa: { completed: false } } },
  ...['external', 'home-tenant'].map((provider) => ({ attempt: { mfa: { provider } } })),
  { attempt: { ssoSession: true } },
  { attempt: { registeredThisSession: true } },
  { attempt: { conditionalAccess: { registrationPageBlocked: true } } },
  { attempt: { conditionalAccess: { registrationConditionMet: false } } },
  { attempt: { termsOfUse: true } },
  { attempt: { customControls: true } },
];

/**
 * Lists sign-ins that differ from a campaign in one or two facts, each with its verdict. Suites for rules and reasons
 * select from this list. The result is the same on every call.
 * @param differencesMax - maximum number of different facts
 */
export function verdictRows(differencesMax: 1 | 2): readonly VerdictRow[] {
  const changes: readonly (readonly Given[])[] = [
    [],
    ...differences.map((one) => [one]),
    ...(differencesMax === 1
      ? []
      : differences.flatMap((one, at) => differences.slice(at + 1).map((two) => [one, two]))),
  ];
  return [...rulesets.keys()].flatMap((ruleset) =>
    campaigns.flatMap((campaign) => changes.map((change) => createRow(ruleset, [campaign, ...change]))),
  );
}

function createRow(rulesetId: string, parts: readonly Given[]): VerdictRow {
  const merged = (key: 'tenant' | 'user' | 'attempt') =>
    parts.reduce<unknown>((all, part) => mergePatch(all, part[key] ?? {}, 'keep'), {}) as object;
  const row = { ruleset: rulesetId, tenant: merged('tenant'), user: merged('user'), attempt: merged('attempt') };
  const facts = givenFacts({ tenant: row.tenant, user: { id: rowUserId, ...row.user }, attempt: row.attempt });
  const ruleset = rulesets.get(rulesetId);
  if (ruleset === undefined) throw new TypeError(`Ruleset ${rulesetId} does not exist.`);
  return {
    ...row,
    differences: parts.length - 1,
    verdict: evaluate({ ...facts, attempt: { ...facts.attempt, nowMs: rowNowMs } }, ruleset),
  };
}
