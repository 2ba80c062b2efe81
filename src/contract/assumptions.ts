import { type AssumptionId, evidence } from './assumption-evidence.ts';
import { clientDecisions } from './client-assumptions.ts';
import type { Observation } from './coverage-evidence.ts';
import { rulesetDecisions } from './ruleset-assumptions.ts';

/** Open question of the specification with its default resolution in this program, which users can override. */
export interface Assumption {
  readonly id: AssumptionId;
  readonly question: string;
  readonly answer: string;
  /** Observations that confirm the assumption; any one of them in a scenario run is sufficient. */
  readonly confirmedBy: readonly Observation[];
}

const decisions: readonly Omit<Assumption, 'confirmedBy'>[] = [
  {
    id: 'A1',
    question: 'fourth prompt',
    answer:
      "shown as required, without a skip. A skip sent all the same is the seed's transition prompted → registration required: it is refused (409) and signs no one in. The seed's last row is reached two ways: a skip sent on a required page (stays registrationRequired), and a skip on a prompt that was shown as skippable while the count has since reached three or the limit was switched on (A39, A42: prompted → registrationRequired, not counted). With three snoozes used and the duration over, the next MFA enters registrationRequired in place of prompted.",
  },
  {
    id: 'A2',
    question: 'when',
    answer:
      'the third skip starts a normal snooze; when it has elapsed the next MFA is required; from then on every MFA sign-in, and closing the browser changes nothing',
  },
  {
    id: 'A3',
    question: 'resets',
    answer:
      'nothing resets the count: not registering, not deleting the method, not the campaign. The control API has an explicit, labelled reset.',
  },
  {
    id: 'A4',
    question: 'unlimited',
    answer:
      'the count grows all the same; so switching the limit on can force heavy snoozers at once: warn ("N users would be required at their next sign-in")',
  },
  {
    id: 'A5',
    question: 'duration 0',
    answer: 'every MFA attempt, also a second MFA in the same session',
  },
  {
    id: 'A6',
    question: 'a day',
    answer: '24 h elapsed on the virtual clock, UTC, boundary inclusive',
  },
  {
    id: 'A7',
    question: 'duration changed while snoozed',
    answer: 'the current setting is applied to the stored time of the snooze',
  },
  {
    id: 'A8',
    question: 'timer',
    answer: 'one per user, across devices and methods',
  },
  {
    id: 'A9',
    question: 'device and browser',
    answer:
      'type × platform column decides (matrix); a passkey of a device-bound platform type also carries the device that made it, and the option `strictDevice` makes it suppress on that device alone. Default off.',
  },
  {
    id: 'A10',
    question: 'closing on the error screen',
    answer: 'not counted',
  },
  {
    id: 'A11',
    question: 'closing after Next, before completion',
    answer: 'a snooze',
  },
  {
    id: 'A12',
    question: 'skip on the error screen',
    answer: 'sign-in completes, count unchanged, no snooze timer: nudged at the next MFA',
  },
  {
    id: 'A13',
    question: 'required and registration fails',
    answer: "the error screen's skip completes this sign-in; the next MFA is required again",
  },
  {
    id: 'A14',
    question: 'groups',
    answer: 'membership is transitive (nested groups); a direct or inherited exclusion wins',
  },
  {
    id: 'A15',
    question: 'includeTargets empty while enabled',
    answer: 'no users in scope, with a warning in the verdict and the console',
  },
  {
    id: 'A16',
    question: 'mixed methods in includeTargets',
    answer: '400',
  },
  {
    id: 'A17',
    question: '`default` and provider managed',
    answer:
      'one state: the console writes `default`. Method, days and limit then come from the provider and cannot be changed; a PATCH that repeats the current values is accepted, one that changes them is 400. Targets stay configurable.',
  },
  {
    id: 'A18',
    question: 'GET under `default`',
    answer: 'returns what is stored; the effective values are in the control API and the console',
  },
  {
    id: 'A19',
    question: 'rollout under provider managed',
    answer:
      "four switches per tenant, set through the control API: method, snooze days, snooze limit, targeting. Before: app, 3 days, limited, voice/SMS users. After: passkey, 1 day, unlimited, all MFA-capable. If the tenant's passkey policy restricts AAGUIDs the method stays the app. A preset `rollout: 0..1` picks tenants by a stable hash.",
  },
  {
    id: 'A20',
    question: 'free and trial',
    answer: 'always limited to three',
  },
  {
    id: 'A21',
    question: 'guests',
    answer: "MFA satisfied by the home tenant is not the service's own MFA",
  },
  {
    id: 'A22',
    question: 'what is MFA here',
    answer: 'an interactive second factor at this service in this sign-in, or a passkey; a remembered claim is SSO',
  },
  {
    id: 'A23',
    question: 'required, then campaign disabled or user out of scope',
    answer: 'not nudged; the count is kept; required again when back',
  },
  {
    id: 'A24',
    question: 'two method-policy targets with different modes',
    answer: 'eligible when any matching target says any or push',
  },
  {
    id: 'A25',
    question: 'leaving the browser open',
    answer:
      'an unanswered prompt expires at its lifetime (15 min of the virtual clock): A40. A41 alone governs the unload beacon. A beacon for an answered prompt is ignored.',
  },
  {
    id: 'A26',
    question: 'two sign-ins of one user at once',
    answer:
      'each prompt has its own id; a skip counts once for its prompt; the second skip within the snooze window does count (it is a second prompt) only when its prompt was shown before the first was answered; never counted twice for one prompt',
  },
  {
    id: 'A27',
    question: 'registering while prompted in another tab',
    answer: 'the other prompt resolves to registered; its skip is a no-op that signs in without counting',
  },
  {
    id: 'A28',
    question: 'two AAGUID rules',
    answer:
      "the method stays the app (A19) when the passkey method's own, policy-level `keyRestrictions` is enforced, allow or block, in every ruleset; R11.7 and the 2026-09 profile rules read the user's passkey profiles",
  },
  {
    id: 'A29',
    question: 'several or no passkey profiles',
    answer:
      "`seed`: R11.7 stops only when all of the user's profiles are restricted. `2026-09`: one eligible profile is enough, and any eligible profile that suppresses suppresses. No profile = one unrestricted profile.",
  },
  {
    id: 'A30',
    question: '2026-09, details',
    answer:
      "`mfa-not-voice-or-sms` stands right after R3 (not applicable without MFA); a user without an eligible profile stops with `restricted-profile` at R11.7's place; the matrix by profile holds under provider managed alone, enabled uses the whole table; provider-managed days and limit follow the method alone (the method and targeting switches remain); a later ruleset may differ from the seed",
  },
  {
    id: 'A31',
    question: 'synced and device-bound types',
    answer:
      'synced: password-manager, keychain, handset-vendor; device-bound: the other five. An eligible passkey under an AAGUID list is one whose type is in the list, under attestation any device-bound one; either overrides the table and `strictDevice`; block lists make a profile ineligible.',
  },
  {
    id: 'A32',
    question: '`strictDevice` covers',
    answer: 'windows-hello-for-business, windows-bound, mac-platform-sso',
  },
  {
    id: 'A33',
    question: 'empty includeTargets under `default`',
    answer: "the provider's own targeting applies; A15 is for enabled alone",
  },
  {
    id: 'A34',
    question: '"voice-call or text-message users"',
    answer:
      'those with SMS or voice among their registered methods, alone or with others; mfaCapable is checked only after the targeting rollout',
  },
  {
    id: 'A35',
    question: '"enabled applies to all users"',
    answer: 'all users in scope',
  },
  {
    id: 'A36',
    question: 'an embedded view in an Android app',
    answer:
      'supported (an embedded browser view); the native app is not. No browser at all on Windows or Mac: windows-other, mac-other. ChromeOS, iPadOS in desktop mode and others: platform `unknown`, evaluated like Linux for passkeys with reason `unknown-platform`',
  },
  {
    id: 'A37',
    question: '`all_users` as an exclude target',
    answer: 'not an object id: 400, and refused in fixtures',
  },
  {
    id: 'A38',
    question: 'states',
    answer:
      'showing the required page is `registrationRequired`; after an error-screen skip or a deleted method `notPrompted` (a required user stays required; a snooze already running goes on); `registered` is per account: a user registered on one device and prompted on another is `prompted` again, count kept',
  },
  {
    id: 'A39',
    question: 'policy changed while a prompt is open',
    answer: 'the rules at the time of the answer decide; a skip after disabling still counts',
  },
  {
    id: 'A40',
    question: 'prompt lifetime',
    answer:
      'inclusive at 15 min; the snooze starts at the end of the lifetime; a late skip counts nothing and says so; an error screen left open is not counted',
  },
  {
    id: 'A41',
    question: 'unload beacon',
    answer:
      "it marks the prompt as left at that time. Any later request of the same sign-in (Next, Skip, reload, back) withdraws the mark. The mark becomes a snooze, from the time it was left, at the user's next sign-in, at the end of the lifetime or when the control API settles it, whichever comes first; once per prompt",
  },
  {
    id: 'A42',
    question: 'two open prompts at the limit',
    answer:
      'the second skip needs a count below three too: refused (409); closing that prompt is not counted. Otherwise the second counted skip restarts the timer. A prompt shown after the first was answered counts as its own (R6).',
  },
  {
    id: 'A43',
    question: 'closing or expiry of the other prompt after registering',
    answer: 'a no-op, like its skip (A27)',
  },
  {
    id: 'A44',
    question: 'error-skip and A7',
    answer:
      'an error skip starts no timer; an older stored snooze is still measured with the current duration; the timer survives registering and deleting',
  },
  {
    id: 'A45',
    question: 'app registration errors',
    answer: "the same error screen and rules as the passkey's",
  },
  {
    id: 'A46',
    question: "A4's warning",
    answer: 'N counts users whose next prompt would be required; those inside a running snooze are listed apart',
  },
  {
    id: 'A47',
    question: 'rollout preset',
    answer: 'a tenant is in when FNV-1a (32 bit) of its lower-case id, divided by 2^32, is below the preset',
  },
  {
    id: 'A48',
    question: 'step-up in a live session (A5, R13.1)',
    answer: 'an interactive second factor is not SSO; a remembered claim is',
  },
  {
    id: 'A49',
    question: 'R4 or R13.3',
    answer:
      'a policy for the register-security-information action whose conditions the user could meet elsewhere (network, device) and does not meet now is R4; one that blocks the user everywhere is R13.3. Facts carry both separately; fixtures derive them from the policies.',
  },
  {
    id: 'A50',
    question: 'a PATCH under `default`',
    answer:
      'is evaluated against the state it leads to. "Current" means stored; targets may change and carry the stored method; leaving `default` in the same PATCH frees all fields; `{state: default}` keeps the stored values.',
  },
  {
    id: 'A51',
    question: 'kind of a real passkey',
    answer:
      'known AAGUID → its row. Else a roaming transport (usb, nfc, ble, or hybrid without internal) → security-key. Else backup-eligible → keychain on iOS or Mac, handset-vendor on Android, password-manager elsewhere. Else device-bound → windows-bound on Windows, mac-platform-sso on Mac, security-key elsewhere. Explain says "derived, low confidence".',
  },
  ...rulesetDecisions,
  ...clientDecisions,
];

/** All assumptions in numeric order. The documentation, the control API, and rule coverage read this list. */
export const assumptions: readonly Assumption[] = decisions
  .map((decision) => ({ ...decision, confirmedBy: evidence[decision.id] }))
  .toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
