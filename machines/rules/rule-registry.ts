import type { RuleId } from '../vocabulary.ts';
import { appEnabledRule } from './app-enabled.rule.ts';
import { appModeRule } from './app-mode.rule.ts';
import { campaignStateRule } from './campaign-state.rule.ts';
import { customControlsRule } from './custom-controls.rule.ts';
import { excludedRule } from './excluded.rule.ts';
import { guestRule } from './guest.rule.ts';
import { guestPermissionRule } from './guest-permission.rule.ts';
import { includedRule } from './included.rule.ts';
import { linuxRule } from './linux.rule.ts';
import { localPasskeyRule } from './local-passkey.rule.ts';
import { mfaCompletedRule } from './mfa-completed.rule.ts';
import { mfaVoiceOrSmsRule } from './mfa-voice-or-sms.rule.ts';
import { mobileRule } from './mobile.rule.ts';
import { nativeAndroidRule } from './native-android.rule.ts';
import { ownMfaRule } from './own-mfa.rule.ts';
import { passkeyEnabledRule } from './passkey-enabled.rule.ts';
import { providerTargetingRule } from './provider-targeting.rule.ts';
import { pushRegisteredRule } from './push-registered.rule.ts';
import { registeredThisSessionRule } from './registered-this-session.rule.ts';
import { registrationBlockedRule } from './registration-blocked.rule.ts';
import { registrationConditionRule } from './registration-condition.rule.ts';
import { restrictedProfileRule } from './restricted-profile.rule.ts';
import type { Rule } from './rule.ts';
import { selfServiceRule } from './self-service.rule.ts';
import { snoozeTimerRule } from './snooze-timer.rule.ts';
import { ssoSessionRule } from './sso-session.rule.ts';
import { surfaceRule } from './surface.rule.ts';
import { termsOfUseRule } from './terms-of-use.rule.ts';
import { unknownPlatformRule } from './unknown-platform.rule.ts';

/** Registry of all gates in the catalog's order of evaluation. A ruleset selects and orders them by id. */
export const rules: readonly Rule[] = [
  campaignStateRule,
  includedRule,
  excludedRule,
  providerTargetingRule,
  ssoSessionRule,
  mfaCompletedRule,
  ownMfaRule,
  mfaVoiceOrSmsRule,
  registeredThisSessionRule,
  registrationBlockedRule,
  registrationConditionRule,
  termsOfUseRule,
  customControlsRule,
  surfaceRule,
  mobileRule,
  nativeAndroidRule,
  linuxRule,
  unknownPlatformRule,
  guestRule,
  guestPermissionRule,
  appEnabledRule,
  appModeRule,
  passkeyEnabledRule,
  selfServiceRule,
  restrictedProfileRule,
  pushRegisteredRule,
  localPasskeyRule,
  snoozeTimerRule,
];

const byId: ReadonlyMap<RuleId, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

/** Returns the gate for an id. Throws a `RangeError` if no module defines it, which is a fault of the ruleset. */
export function getRule(id: RuleId): Rule {
  const rule = byId.get(id);
  if (rule === undefined) throw new RangeError(`Rule ${id} does not exist.`);
  return rule;
}
