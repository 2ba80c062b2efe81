import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { datelessRulesets as rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import { type EvaluatedRule, ruleSentence, verdictHeadline } from '../../machines/verdict-sentences.ts';
import { gateIds } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { anyFacts } from './facts-arbitrary.ts';

const hourMs = 3_600_000;
const group = { target: { targetType: 'group', id: 'all_users' } };
const app = { targetedMethod: 'vendorAuthenticator' };
const passkey = { targetedMethod: 'fido2' };

/** Verdict sentences of the glossary, each with its evaluated facts. */
const rows: readonly (readonly [EvaluatedRule['id'], EvaluatedRule['outcome'], EvaluatedRule['saw'], string])[] = [
  ['C1', 'met', { state: 'enabled' }, 'The campaign is enabled.'],
  ['C1', 'met', { state: 'providerManaged' }, 'The campaign is active because the provider manages it.'],
  ['C1', 'stopped', { state: 'disabled' }, 'The campaign is disabled, so no prompt is shown.'],
  ['S1', 'met', group, 'The user is included through the group all_users.'],
  ['S1', 'met', { target: { targetType: 'user', id: 'ada' } }, 'The user is included through the target for user ada.'],
  [
    'S1',
    'met',
    { state: 'providerManaged', includeTargets: 0 },
    "The include list is empty; the provider's own targeting decides.",
  ],
  ['S1', 'stopped', { includeTargets: 2 }, 'The user is not in any of the 2 include targets, so no prompt is shown.'],
  ['S1', 'stopped', { includeTargets: 1 }, 'The user is not in the include target, so no prompt is shown.'],
  ['S1', 'stopped', { includeTargets: 0 }, 'The include list is empty, so the campaign targets no users.'],
  ['S2', 'met', { excludeTargets: 2 }, 'The user is not in any of the 2 exclude targets.'],
  ['S2', 'met', { excludeTargets: 0 }, 'The campaign has no exclude targets.'],
  ['S2', 'stopped', group, 'The user is excluded through the group all_users, so no prompt is shown.'],
  [
    'S3',
    'met',
    { targetingRolledOut: false, methods: ['sms'] },
    'The user has a voice-call or text-message method (sms).',
  ],
  [
    'S3',
    'stopped',
    { targetingRolledOut: false, methods: ['authenticator-totp'] },
    'The user has no voice-call or text-message method (authenticator-totp), so no prompt is shown.',
  ],
  [
    'S3',
    'stopped',
    { targetingRolledOut: true, mfaCapable: false },
    'The user is not capable of MFA, so no prompt is shown.',
  ],
  ['S3', 'not-applicable', { state: 'enabled' }, 'Applies only while the provider manages the campaign.'],
  ['R1', 'stopped', { completed: false }, 'The user did not complete MFA in this sign-in, so no prompt is shown.'],
  [
    'R3',
    'stopped',
    { provider: 'home-tenant' },
    "The second factor was verified by the user's home tenant, so no prompt is shown.",
  ],
  [
    'R3',
    'stopped',
    { provider: 'external' },
    'The second factor was verified by an external provider, so no prompt is shown.',
  ],
  ['R3', 'not-applicable', { completed: false }, 'No second factor was completed, so there is no provider to check.'],
  [
    'R5',
    'stopped',
    { snoozedAtMs: 0, elapsedMs: 23 * hourMs, snoozeDays: 1 },
    'Snoozed 23 h ago; the snooze lasts 24 h (1 day) and ends in 1 h, so no prompt is shown.',
  ],
  [
    'R5',
    'stopped',
    { snoozedAtMs: 0, elapsedMs: 24 * hourMs - 1, snoozeDays: 1 },
    'Snoozed 23 h 59 min ago; the snooze lasts 24 h (1 day) and ends in less than a minute, so no prompt is shown.',
  ],
  [
    'R5',
    'met',
    { snoozedAtMs: 0, elapsedMs: 49 * hourMs, snoozeDays: 2 },
    'Snoozed 49 h ago; the snooze of 48 h (2 days) is over.',
  ],
  [
    'R5',
    'met',
    { snoozedAtMs: 0, elapsedMs: 0, snoozeDays: 0 },
    'The snooze duration is 0 days, so the user is prompted at every MFA.',
  ],
  ['R5', 'not-applicable', { snoozedAtMs: null }, 'The user has never snoozed.'],
  [
    'R10.1',
    'met',
    { methods: ['authenticator-totp'] },
    'The authenticator app is not set up for push notifications (registered: authenticator-totp).',
  ],
  ['R10.1', 'not-applicable', passkey, 'Applies only to authenticator app campaigns.'],
  [
    'R10.2',
    'stopped',
    { state: 'disabled', included: false, excluded: true },
    'The authentication methods policy does not allow the app for this user (method disabled, not included, excluded), so no prompt is shown.',
  ],
  ['R10.3', 'met', { modes: ['any'] }, 'The authentication mode is any.'],
  [
    'R10.3',
    'not-applicable',
    { enabled: false },
    'The app is not allowed for this user, so there is no mode to check.',
  ],
  ['R10.4', 'met', { os: 'windows' }, 'The user signs in on Windows, which is not a mobile device.'],
  [
    'R10.4',
    'stopped',
    { os: 'android' },
    'The user signs in on a mobile device (Android), which app campaigns do not support, so no prompt is shown.',
  ],
  ['R10.5', 'met', { type: 'guest' }, 'The user is a guest; app campaigns prompt guests too.'],
  ['R10.5', 'not-applicable', { type: 'member' }, 'The user is a member, not a guest.'],
  ['R11.3', 'met', { platform: 'mac-chrome', passkeys: [] }, 'The user has no passkeys.'],
  [
    'R11.3',
    'met',
    { platform: 'mac-chrome', passkeys: ['security-key', 'keychain'] },
    "None of the user's 2 passkeys suppresses the prompt on Mac, Chrome.",
  ],
  [
    'R11.3',
    'stopped',
    { platform: 'mac-chrome', passkeys: ['keychain'], suppressedBy: 'keychain' },
    'A keychain passkey already covers Mac, Chrome, so no prompt is shown.',
  ],
  ['R11.3', 'not-applicable', app, 'Applies only to passkey campaigns.'],
  [
    'R11.9',
    'stopped',
    { os: 'unknown' },
    'The platform is unknown, so passkey support cannot be determined and no prompt is shown.',
  ],
  [
    'R11.7',
    'stopped',
    {
      profiles: [
        { id: 'synced-only', passes: false },
        { id: 'attested', passes: false },
      ],
    },
    "None of the user's 2 passkey profiles allows the prompt (synced-only, attested), so no prompt is shown.",
  ],
  ['R13.1', 'met', { ssoSession: false }, 'The user is not already signed in through SSO.'],
  ['R13.1', 'stopped', { ssoSession: true }, 'The user is already signed in through SSO, so no prompt is shown.'],
  [
    'R13.6',
    'stopped',
    { surface: 'oobe' },
    'The sign-in runs in the out-of-box setup, which is not supported, so no prompt is shown.',
  ],
  [
    'M1',
    'stopped',
    { method: 'authenticator-push' },
    'The second factor was a push notification, not a voice call or text message, so no prompt is shown.',
  ],
  ['M1', 'met', { method: 'sms' }, 'The second factor was a text message.'],
];

describe('verdict sentences', () => {
  it.each(rows)('%s %s %j', (id, outcome, saw, sentence) => {
    expect(ruleSentence({ id, outcome, saw })).toBe(sentence);
  });

  it('every rule of every verdict has a complete sentence, and a stopped one states the consequence', () => {
    const reported = new Set<string>();
    fc.assert(
      fc.property(anyFacts, (facts) => {
        for (const ruleset of nonEmpty(rulesets.values())) {
          const verdict = evaluate(facts, ruleset);
          for (const rule of nonEmpty(verdict.rules)) {
            const sentence = ruleSentence(rule);
            reported.add(rule.id);
            expect(sentence).toMatch(/^[A-Z].*[^.]\.$/);
            expect(sentence).not.toMatch(/undefined|null|NaN|\[object|Infinity| -\d/);
            const isConsequence = /no prompt is shown\.$|targets no users\.$/.test(sentence);
            expect(isConsequence).toBe(rule.outcome === 'stopped');
          }
        }
      }),
    );
    expect([...reported].toSorted()).toEqual([...gateIds].toSorted());
  });

  it('the headline starts with the reason', () => {
    const rule = (outcome: EvaluatedRule['outcome']): EvaluatedRule => ({ id: 'R13.1', outcome, saw: {} });
    const none = { outcome: 'none', rules: [rule('met'), rule('stopped')] } as const;
    expect(verdictHeadline(none)).toBe('Not prompted: the user is already signed in through SSO.');
    expect(verdictHeadline({ outcome: 'required', rules: [] })).toBe('Prompted; registration required');
    const skippable = { outcome: 'skippable', rules: [] } as const;
    expect(verdictHeadline(skippable)).toBe('Prompted; may skip');
    expect(verdictHeadline(skippable, { left: 2, limit: 3 })).toBe('Prompted; may skip (2 of 3 snoozes left)');
    expect(verdictHeadline(skippable, null)).toBe('Prompted; may skip (snoozes are unlimited)');
  });
});
