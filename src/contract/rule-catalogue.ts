import type { GateId } from '../../machines/vocabulary.ts';
import {
  documentAnswer,
  gates,
  lifecycle,
  lookupAnswer,
  nudgeStatus,
  type Observation,
  policyResponse,
  steps,
  verdict,
} from './coverage-evidence.ts';

/** Kinds of rules: gates, permissions in verdicts, and rules on the lifecycle, PATCH requests, or related APIs. */
export const ruleKinds = ['gate', 'permission', 'lifecycle', 'validation', 'lookup', 'document'] as const;

/** Rule of the specification, with the id that code, scenarios, verdicts, and reports cite. */
export interface CataloguedRule {
  readonly id: string;
  readonly summary: string;
  readonly kind: (typeof ruleKinds)[number];
  /** Gate that evaluates the rule. R12 shares its gate with R11.3, and R14 with C1. */
  readonly gate?: GateId;
  /** Observations that confirm the rule. Any one of them in a scenario run is sufficient. */
  readonly confirmedBy: readonly Observation[];
}

/** All rules in the order of the specification. */
export const ruleCatalogue: readonly CataloguedRule[] = [
  {
    id: 'R1',
    summary: 'nudge only after a normal sign-in that completed MFA',
    kind: 'gate',
    gate: 'R1',
    confirmedBy: gates('R1'),
  },
  {
    id: 'R2',
    summary: 'one targeted method per tenant at a time',
    kind: 'validation',
    confirmedBy: [policyResponse],
  },
  {
    id: 'R3',
    summary: "only users doing MFA with the service's own MFA",
    kind: 'gate',
    gate: 'R3',
    confirmedBy: gates('R3'),
  },
  {
    id: 'R4',
    summary:
      'conditional access on security-information registration is applied first; who cannot register is not nudged',
    kind: 'gate',
    gate: 'R4',
    confirmedBy: gates('R4'),
  },
  {
    id: 'R5',
    summary: 'skip snoozes; nudged again at the next MFA after the snooze duration elapsed',
    kind: 'gate',
    gate: 'R5',
    confirmedBy: [...gates('R5'), ...steps(lifecycle.skipCounted)],
  },
  {
    id: 'R6',
    summary: 'limited on: three snoozes, then registration is required; off: without limit',
    kind: 'lifecycle',
    confirmedBy: [
      ...steps(lifecycle.requiredPrompt, lifecycle.skipRefused, lifecycle.skipCounted),
      nudgeStatus,
      verdict('required'),
    ],
  },
  {
    id: 'R7',
    summary: 'the snooze count is per user; survives restarts, configuration and method changes',
    kind: 'lifecycle',
    confirmedBy: [
      ...steps(lifecycle.skipCounted, lifecycle.lifetimeCounted, lifecycle.leaveCounted, lifecycle.requiredPrompt),
      nudgeStatus,
    ],
  },
  {
    id: 'R8',
    summary: 'the snooze duration is tenant-wide',
    kind: 'validation',
    confirmedBy: [policyResponse, ...gates('R5')],
  },
  {
    id: 'R9',
    summary: 'closing the browser counts as a snooze',
    kind: 'lifecycle',
    confirmedBy: steps(lifecycle.leaveCounted, lifecycle.lifetimeCounted),
  },
  {
    id: 'R10.1',
    summary: 'app: not already set up for push (TOTP-only is still nudged)',
    kind: 'gate',
    gate: 'R10.1',
    confirmedBy: gates('R10.1'),
  },
  {
    id: 'R10.2',
    summary: 'app: user enabled for the app in the methods policy',
    kind: 'gate',
    gate: 'R10.2',
    confirmedBy: gates('R10.2'),
  },
  {
    id: 'R10.3',
    summary: 'app: authentication mode any or push',
    kind: 'gate',
    gate: 'R10.3',
    confirmedBy: gates('R10.3'),
  },
  {
    id: 'R10.4',
    summary: 'app: not on mobile devices',
    kind: 'gate',
    gate: 'R10.4',
    confirmedBy: gates('R10.4'),
  },
  {
    id: 'R10.5',
    summary: 'app: guests are nudged',
    kind: 'permission',
    gate: 'R10.5',
    confirmedBy: gates('R10.5'),
  },
  {
    id: 'R11.1',
    summary: 'passkey: method enabled in the policy (for the user)',
    kind: 'gate',
    gate: 'R11.1',
    confirmedBy: gates('R11.1'),
  },
  {
    id: 'R11.2',
    summary: 'passkey: self-service setup allowed',
    kind: 'gate',
    gate: 'R11.2',
    confirmedBy: gates('R11.2'),
  },
  {
    id: 'R11.3',
    summary: 'passkey: per device-and-browser; a local passkey for this one suppresses (matrix, R12)',
    kind: 'gate',
    gate: 'R11.3',
    confirmedBy: gates('R11.3'),
  },
  {
    id: 'R11.4',
    summary: 'passkey: mobile browsers and native iOS apps yes, native Android apps no',
    kind: 'gate',
    gate: 'R11.4',
    confirmedBy: gates('R11.4'),
  },
  {
    id: 'R11.5',
    summary: 'passkey: guests are not nudged',
    kind: 'gate',
    gate: 'R11.5',
    confirmedBy: gates('R11.5'),
  },
  {
    id: 'R11.6',
    summary: 'passkey: Linux users are not nudged',
    kind: 'gate',
    gate: 'R11.6',
    confirmedBy: gates('R11.6'),
  },
  {
    id: 'R11.7',
    summary:
      "passkey, provider managed: not nudged when the user's profile is synced only, device-bound only, attestation enforced or AAGUID restricted",
    kind: 'gate',
    gate: 'R11.7',
    confirmedBy: gates('R11.7'),
  },
  {
    id: 'R11.8',
    summary: 'passkey: a registration error shows an error screen whose skip does not count',
    kind: 'lifecycle',
    confirmedBy: steps(lifecycle.errorScreenShown, lifecycle.errorSkipped),
  },
  {
    id: 'R12',
    summary: 'which passkey types suppress on which platform (matrix below)',
    kind: 'gate',
    gate: 'R11.3',
    confirmedBy: gates('R11.3'),
  },
  {
    id: 'R13.1',
    summary: 'already signed in through SSO',
    kind: 'gate',
    gate: 'R13.1',
    confirmedBy: gates('R13.1'),
  },
  {
    id: 'R13.2',
    summary: 'another method registered in the same sign-in session',
    kind: 'gate',
    gate: 'R13.2',
    confirmedBy: gates('R13.2'),
  },
  {
    id: 'R13.3',
    summary: 'conditional access blocks the register-security-information page',
    kind: 'gate',
    gate: 'R13.3',
    confirmedBy: gates('R13.3'),
  },
  {
    id: 'R13.4',
    summary: 'a terms-of-use screen appears',
    kind: 'gate',
    gate: 'R13.4',
    confirmedBy: gates('R13.4'),
  },
  {
    id: 'R13.5',
    summary: 'redirected by conditional access custom controls',
    kind: 'gate',
    gate: 'R13.5',
    confirmedBy: gates('R13.5'),
  },
  {
    id: 'R13.6',
    summary: 'out-of-box experience, or a browser view embedded in OS settings (other embedded views are fine)',
    kind: 'gate',
    gate: 'R13.6',
    confirmedBy: gates('R13.6'),
  },
  {
    id: 'R14',
    summary: 'runs until disabled; no end date',
    kind: 'gate',
    gate: 'C1',
    confirmedBy: gates('C1'),
  },
  {
    id: 'R15',
    summary: 'passwordless phone sign-in cannot be targeted',
    kind: 'validation',
    confirmedBy: [policyResponse],
  },
  {
    id: 'S1',
    summary: 'scope: in an include target',
    kind: 'gate',
    gate: 'S1',
    confirmedBy: gates('S1'),
  },
  {
    id: 'S2',
    summary: 'scope: any exclusion wins',
    kind: 'gate',
    gate: 'S2',
    confirmedBy: gates('S2'),
  },
  {
    id: 'S3',
    summary:
      'provider managed, before the targeting rollout: only voice-call or text-message users; after it: all MFA-capable users',
    kind: 'gate',
    gate: 'S3',
    confirmedBy: gates('S3'),
  },
  {
    id: 'C1',
    summary: 'campaign state (R14): enabled, or under `default` what the provider rolls out',
    kind: 'gate',
    gate: 'C1',
    confirmedBy: gates('C1'),
  },
  {
    id: 'R11.9',
    summary: 'passkey: a platform without a column (A36)',
    kind: 'gate',
    gate: 'R11.9',
    confirmedBy: gates('R11.9'),
  },
  {
    id: 'M1',
    summary: "ruleset 2026-09, app: this sign-in's MFA was a voice call or a text message",
    kind: 'gate',
    gate: 'M1',
    confirmedBy: gates('M1'),
  },
  {
    id: 'L1',
    summary: 'only GET on the root path; all inputs are query parameters',
    kind: 'lookup',
    confirmedBy: lookupAnswer(200, 405),
  },
  {
    id: 'L2',
    summary: 'type, query and tool of a lookup; errors name missing or invalid parameters and the allowed values',
    kind: 'lookup',
    confirmedBy: lookupAnswer(200, 400),
  },
  {
    id: 'L3',
    summary: 'actions tools and usage; an action excludes type',
    kind: 'lookup',
    confirmedBy: lookupAnswer(200, 400),
  },
  {
    id: 'L4',
    summary: 'the result of each tool under its identifier; only found results have other fields',
    kind: 'lookup',
    confirmedBy: lookupAnswer(200),
  },
  {
    id: 'L5',
    summary: '23 email tools and 11 username tools, single lower-case words',
    kind: 'lookup',
    confirmedBy: lookupAnswer(200),
  },
  {
    id: 'L6',
    summary: 'a token or Basic authentication; suspended accounts and disabled tools are rejected',
    kind: 'lookup',
    confirmedBy: lookupAnswer(401, 403),
  },
  {
    id: 'L7',
    summary: 'one error format, in which the code is the status',
    kind: 'lookup',
    confirmedBy: lookupAnswer(400, 401, 403, 405, 429, 500),
  },
  {
    id: 'L8',
    summary: 'quotas of tokens, and of accounts by tier',
    kind: 'lookup',
    confirmedBy: lookupAnswer(429),
  },
  {
    id: 'L9',
    summary: 'quota headers',
    kind: 'lookup',
    confirmedBy: lookupAnswer(200, 429),
  },
  {
    id: 'L10',
    summary: '500 only for an injected fault or an actual failure, in the error format',
    kind: 'lookup',
    confirmedBy: lookupAnswer(500),
  },
  {
    id: 'D1',
    summary: 'a record: 200 with its media type, Vary and Allow',
    kind: 'document',
    confirmedBy: documentAnswer(200, 304),
  },
  {
    id: 'D2',
    summary: 'every field of the record in order with its type; pages come last, in order',
    kind: 'document',
    confirmedBy: documentAnswer(200),
  },
  {
    id: 'D3',
    summary: 'the fields of a page',
    kind: 'document',
    confirmedBy: documentAnswer(200),
  },
  {
    id: 'D4',
    summary: 'the page list of a document, at its pages_uri',
    kind: 'document',
    confirmedBy: documentAnswer(200, 400),
  },
  {
    id: 'D5',
    summary: 'page_template contains {page} and {size}; every URL can be fetched',
    kind: 'document',
    confirmedBy: documentAnswer(200),
  },
  {
    id: 'D6',
    summary: 'the formats of last_modified_at and published_at',
    kind: 'document',
    confirmedBy: documentAnswer(200),
  },
  {
    id: 'D7',
    summary: 'the flags public, listed, allow_annotation and pending',
    kind: 'document',
    confirmedBy: documentAnswer(200, 401, 403, 404),
  },
  {
    id: 'D8',
    summary: 'HEAD and OPTIONS are supported, other methods are rejected',
    kind: 'document',
    confirmedBy: documentAnswer(200, 405),
  },
];
