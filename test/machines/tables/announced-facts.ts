import type { EffectiveCampaign, KeyRestrictions, VerdictOutcome } from '../../../machines/vocabulary.ts';
import type { Change } from '../facts-builder.ts';

/** Facts of a paid tenant with an enabled app campaign that includes no user, and of a member with text messages only. */
export const excludedFromScope: Change = ({ tenant }) => {
  tenant.campaign.includeTargets = [
    { targetType: 'user', id: 'ben', targetedAuthenticationMethod: 'vendorAuthenticator' },
  ];
};
export const optedOut: Change = ({ tenant }) => {
  tenant.facts = { ...tenant.facts, migrationOptOut: true };
};
export const withProvider: Change = ({ tenant }) => {
  tenant.facts = { ...tenant.facts, telephonyProvider: true };
};
export const administrator: Change = ({ user }) => {
  user.facts = { ...user.facts, globalAdministrator: true };
};
export const guest: Change = ({ user }) => {
  user.type = 'guest';
};
export const internalGuest: Change = ({ user }) => {
  user.type = 'guest';
  user.facts = { ...user.facts, external: false };
};
export const withTotp: Change = ({ user, attempt }) => {
  user.methods = ['sms', 'authenticator-totp'];
  attempt.mfa.method = 'authenticator-totp';
};
export const withoutPhone: Change = ({ user, attempt }) => {
  user.methods = ['authenticator-totp'];
  attempt.mfa.method = 'authenticator-totp';
};
export const withKeychain: Change = ({ user, attempt }) => {
  user.passkeys = [{ type: 'keychain', deviceId: 'd' }];
  attempt.os = 'macos';
  attempt.browser = 'safari';
};
export const withProfile =
  (passkeyTypes: 'any' | 'deviceBound', keyRestrictions: KeyRestrictions | null): Change =>
  ({ tenant }) => {
    const restrictions = keyRestrictions === null ? null : { ...keyRestrictions, kinds: [...keyRestrictions.kinds] };
    tenant.methodsPolicy.fido2.profiles = [
      { id: 'own', passkeyTypes, attestationEnforced: false, keyRestrictions: restrictions },
    ];
    tenant.methodsPolicy.fido2.includeTargets = [{ targetType: 'group', id: 'all_users', profiles: ['own'] }];
  };
export const linux: Change = ({ attempt }) => {
  attempt.os = 'linux';
};
export const together =
  (...changes: readonly Change[]): Change =>
  (facts) => {
    for (const change of changes) change(facts);
  };

export const passkeys = { state: 'providerManaged', method: 'fido2', snoozeDays: 1, limited: false } as const;

export const [before, first, telephony, end, last] = [
  '2026-08-31T23:59:59.999Z',
  '2026-09-01T00:00:00.000Z',
  '2026-10-30T00:00:00.000Z',
  '2027-02-01T00:00:00.000Z',
  '2027-07-01T00:00:00.000Z',
];
export const [beforeEnd, beforeLast] = ['2027-01-31T23:59:59.999Z', '2027-06-30T23:59:59.999Z'];

/**
 * Expected verdicts of the ruleset `announced`: date and facts, with the text of the announcement that each row follows.
 * The rows are written from the announcement (OC59, OC60), not from the ruleset file.
 */
export interface AnnouncedRow {
  readonly title: string;
  readonly at: string;
  readonly change: Change;
  readonly outcome: VerdictOutcome;
  readonly reason: string | null;
  readonly campaign?: Partial<EffectiveCampaign>;
  readonly warns?: boolean;
}
