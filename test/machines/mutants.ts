import { deriveGateFacts, evaluateGate } from '../../machines/evaluate.ts';
import { comparableId, isAllUsers } from '../../machines/membership.ts';
import { type GateFacts, met, notApplicable, type Rule, stopped } from '../../machines/rules/rule.ts';
import { getRule } from '../../machines/rules/rule-registry.ts';
import type { ExcludeTarget, GateOutcome, ReasonCode, RuleId, RuleResult, Ruleset } from '../../machines/vocabulary.ts';
import { getRuleset } from './decision-checks.ts';
import type { Judging } from './wrong-rows.ts';

/** Evaluator with one fault and its description. */
export interface Mutant {
  readonly id: string;
  readonly judging: Judging;
}

/** Parts that a mutant replaces. All other parts are the original ones. */
export interface Replaced {
  readonly rules?: Readonly<Partial<Record<RuleId, Rule['evaluate']>>>;
  readonly ruleset?: (ruleset: Ruleset) => Ruleset;
  readonly facts?: (facts: GateFacts) => GateFacts;
}

/** Creates an evaluator with some parts replaced. Without replacements it evaluates like the original. */
export function createMutantEvaluator({
  rules = {},
  ruleset: change = (one) => one,
  facts: bend = (one) => one,
}: Replaced): Judging {
  return (given, rulesetId) => {
    const ruleset = change(getRuleset(rulesetId));
    const facts = bend(deriveGateFacts(given, ruleset));
    const traces = ruleset.order.map((id): RuleResult => {
      const rule = getRule(id);
      return { id, ...evaluateGate({ ...rule, evaluate: rules[id] ?? rule.evaluate }, facts, ruleset) };
    });
    const reason = traces.find((trace) => trace.outcome === 'stopped')?.reason ?? null;
    const outcome = reason === null ? 'skippable' : 'none';
    return { outcome, reason, rules: traces, campaign: facts.campaign };
  };
}

function mutant(id: string, replaced: Replaced): Mutant {
  return { id, judging: createMutantEvaluator(replaced) };
}

function rule(id: RuleId, what: string, judge: Rule['evaluate']): Mutant {
  return mutant(`${id} ${what}`, { rules: { [id]: judge } });
}

/** Creates a rule that stops with a reason if the condition is true. */
function stopsIf(reason: ReasonCode, condition: (facts: GateFacts) => boolean): Rule['evaluate'] {
  return (facts) => (condition(facts) ? stopped(reason, { mutant: true }) : met({ mutant: true }));
}

const dayMs = 86_400_000;

/** Creates mutants in which a rule has one fixed outcome: met, not applicable, or stopped with its first reason. */
export function deafRules(ids: readonly RuleId[]): readonly Mutant[] {
  const saw = { mutant: true };
  return ids.flatMap((id) => {
    const [reason] = getRule(id).reasons;
    const answers: readonly (readonly [string, GateOutcome])[] = [
      ['is always met', met(saw)],
      ['never applies', notApplicable(saw)],
      ...(reason === undefined ? [] : [['always stops', stopped(reason, saw)] as const]),
    ];
    return answers.map(([what, answer]) => rule(id, what, () => answer));
  });
}

/** Creates a mutant for every cell of the matrix, with this cell inverted. */
export function flippedCells(ruleset: Ruleset): readonly Mutant[] {
  return Object.entries(ruleset.matrix).flatMap(([type, row]) =>
    Object.keys(row).map((platform) =>
      mutant(`R12 in ${ruleset.id}: ${type} on ${platform} flipped`, {
        ruleset: (one) => {
          if (one.id !== ruleset.id) return one;
          const matrix = structuredClone(one.matrix) as Record<string, Record<string, boolean>>;
          const cells = matrix[type];
          if (cells !== undefined) cells[platform] = cells[platform] !== true;
          return { ...one, matrix: matrix as unknown as Ruleset['matrix'] };
        },
      }),
    ),
  );
}

/** Creates mutants with two adjacent gates swapped or one gate omitted. */
export function wrongOrders(ruleset: Ruleset): readonly Mutant[] {
  const reordered = (id: string, order: readonly RuleId[]): Mutant =>
    mutant(`Order of ${ruleset.id}: ${id}`, { ruleset: (one) => (one.id === ruleset.id ? { ...one, order } : one) });
  return ruleset.order.flatMap((gate, index) => {
    const without = ruleset.order.toSpliced(index, 1);
    const before = ruleset.order[index - 1];
    const swapped =
      before === undefined ? [] : [reordered(`${before} after ${gate}`, without.toSpliced(index - 1, 0, gate))];
    return [...swapped, reordered(`${gate} left out`, without)];
  });
}

function targetsDirectly(targets: readonly ExcludeTarget[], { user }: GateFacts): boolean {
  return targets.some(
    ({ targetType, id }) =>
      isAllUsers(id) ||
      (targetType === 'user'
        ? comparableId(id) === comparableId(user.id)
        : user.groups.map(comparableId).includes(comparableId(id))),
  );
}

function elapsedMs({ user, attempt }: GateFacts): number {
  return user.snooze.snoozedAtMs === null ? Number.POSITIVE_INFINITY : attempt.nowMs - user.snooze.snoozedAtMs;
}

/** Handwritten mutants with one plausible fault each. */
export const handMade: readonly Mutant[] = [
  rule(
    'C1',
    'stops under default too',
    stopsIf('campaign-disabled', ({ campaign }) => campaign.state !== 'enabled'),
  ),
  rule('S1', 'looks at direct groups alone', (facts) =>
    facts.tenant.campaign.includeTargets.length === 0 && facts.campaign.state === 'providerManaged'
      ? met({ mutant: true })
      : stopsIf('not-included', () => !targetsDirectly(facts.tenant.campaign.includeTargets, facts))(
          facts,
          getRuleset('seed'),
        ),
  ),
  rule('S1', 'lets everyone in without targets', (facts, ruleset) =>
    facts.tenant.campaign.includeTargets.length === 0 ? met({ mutant: true }) : getRule('S1').evaluate(facts, ruleset),
  ),
  rule('S1', 'lets no one in without targets under default', (facts, ruleset) =>
    facts.tenant.campaign.includeTargets.length === 0
      ? stopped('not-included', {})
      : getRule('S1').evaluate(facts, ruleset),
  ),
  rule(
    'S2',
    'looks at direct groups alone',
    stopsIf('excluded', (facts) => targetsDirectly(facts.tenant.campaign.excludeTargets, facts)),
  ),
  rule('S2', 'lets an inclusion win', (facts, ruleset) =>
    targetsDirectly(facts.tenant.campaign.includeTargets, facts)
      ? met({ mutant: true })
      : getRule('S2').evaluate(facts, ruleset),
  ),
  rule('S3', 'holds while enabled', (facts, ruleset) =>
    getRule('S3').evaluate({ ...facts, campaign: { ...facts.campaign, state: 'providerManaged' } }, ruleset),
  ),
  rule('S3', 'asks for MFA-capable users before the rollout', (facts, ruleset) =>
    facts.campaign.state === 'providerManaged' && !facts.user.mfaCapable
      ? stopped('not-mfa-capable', {})
      : getRule('S3').evaluate(facts, ruleset),
  ),
  rule('S3', 'takes SMS for the only old method', (facts, ruleset) =>
    getRule('S3').evaluate(
      { ...facts, user: { ...facts.user, methods: facts.user.methods.filter((one) => one !== 'voice') } },
      ruleset,
    ),
  ),
  rule('R3', 'takes the home tenant’s MFA', (facts, ruleset) =>
    facts.attempt.mfa.provider === 'home-tenant' ? met({ mutant: true }) : getRule('R3').evaluate(facts, ruleset),
  ),
  rule(
    'R3',
    'asks for the provider without MFA',
    stopsIf('external-mfa', ({ attempt }) => attempt.mfa.provider !== 'service'),
  ),
  rule(
    'M1',
    'asks for registered methods',
    stopsIf('mfa-not-voice-or-sms', ({ user }) => !user.methods.includes('sms')),
  ),
  rule(
    'M1',
    'takes a text message alone',
    stopsIf('mfa-not-voice-or-sms', ({ attempt }) => attempt.mfa.method !== 'sms'),
  ),
  rule(
    'R4',
    'stops for a block',
    stopsIf('registration-condition-unmet', ({ attempt }) => attempt.conditionalAccess.registrationPageBlocked),
  ),
  rule(
    'R13.3',
    'stops for an unmet condition',
    stopsIf('registration-blocked', ({ attempt }) => !attempt.conditionalAccess.registrationConditionMet),
  ),
  rule(
    'R13.6',
    'refuses every embedded view',
    stopsIf('unsupported-surface', ({ attempt }) => /embedded|oobe/.test(attempt.surface)),
  ),
  rule(
    'R13.6',
    'lets the out-of-box experience pass',
    stopsIf('unsupported-surface', ({ attempt }) => attempt.surface === 'embedded-os-settings'),
  ),
  rule(
    'R10.1',
    'takes one-time codes for push',
    stopsIf('already-registered', ({ user }) => user.methods.some((one) => one.startsWith('authenticator'))),
  ),
  rule(
    'R10.2',
    'forgets exclusions',
    stopsIf(
      'method-not-enabled',
      ({ tenant }) =>
        tenant.methodsPolicy.authenticator.state !== 'enabled' ||
        tenant.methodsPolicy.authenticator.includeTargets.length === 0,
    ),
  ),
  rule('R10.3', 'wants every target to say any or push', (facts, ruleset) =>
    facts.tenant.methodsPolicy.authenticator.includeTargets.some(
      ({ authenticationMode }) => authenticationMode === 'deviceBasedPush',
    )
      ? stopped('mode-passwordless', {})
      : getRule('R10.3').evaluate(facts, ruleset),
  ),
  rule(
    'R10.3',
    'applies to users who are not enabled',
    stopsIf('mode-passwordless', ({ tenant }) =>
      tenant.methodsPolicy.authenticator.includeTargets.every(
        ({ authenticationMode }) => authenticationMode === 'deviceBasedPush',
      ),
    ),
  ),
  rule(
    'R10.4',
    'knows one mobile system',
    stopsIf('mobile-not-supported', ({ attempt }) => attempt.os === 'android'),
  ),
  rule(
    'R11.4',
    'refuses native apps on iOS too',
    stopsIf('native-android', ({ attempt }) => attempt.surface === 'native-app'),
  ),
  rule(
    'R11.4',
    'refuses embedded views on Android too',
    stopsIf('native-android', ({ attempt }) => attempt.os === 'android' && attempt.surface !== 'browser'),
  ),
  rule(
    'R11.6',
    'refuses unknown platforms as Linux',
    stopsIf('linux', ({ attempt }) => attempt.os === 'linux' || attempt.os === 'unknown'),
  ),
  rule('R11.7', 'holds while enabled', (facts, ruleset) =>
    getRule('R11.7').evaluate({ ...facts, campaign: { ...facts.campaign, state: 'providerManaged' } }, ruleset),
  ),
  rule('R11.7', 'stops for one restricted profile of several', (facts, ruleset) =>
    facts.tenant.methodsPolicy.fido2.profiles.some(({ keyRestrictions }) => keyRestrictions?.type === 'block')
      ? stopped('restricted-profile', {})
      : getRule('R11.7').evaluate(facts, ruleset),
  ),
  rule('R11.3', 'looks at the first passkey alone', (facts, ruleset) =>
    getRule('R11.3').evaluate(
      { ...facts, user: { ...facts.user, passkeys: facts.user.passkeys.slice(0, 1) } },
      ruleset,
    ),
  ),
  rule('R11.3', 'is always strict about devices', (facts, ruleset) =>
    getRule('R11.3').evaluate({ ...facts, tenant: { ...facts.tenant, options: { strictDevice: true } } }, ruleset),
  ),
  rule('R11.3', 'is never strict about devices', (facts, ruleset) =>
    getRule('R11.3').evaluate({ ...facts, tenant: { ...facts.tenant, options: { strictDevice: false } } }, ruleset),
  ),
  rule('R11.3', 'is strict about every type', (facts, ruleset) => {
    const here = facts.user.passkeys.filter(({ deviceId }) => deviceId === facts.attempt.deviceId);
    const passkeys = facts.tenant.options.strictDevice ? here : facts.user.passkeys;
    return getRule('R11.3').evaluate({ ...facts, user: { ...facts.user, passkeys } }, ruleset);
  }),
  rule('R11.3', 'reads profiles while enabled', (facts, ruleset) =>
    getRule('R11.3').evaluate({ ...facts, campaign: { ...facts.campaign, state: 'providerManaged' } }, ruleset),
  ),
  rule(
    'R5',
    'ends a ms late',
    stopsIf('snoozed', (facts) => elapsedMs(facts) <= facts.campaign.snoozeDays * dayMs),
  ),
  rule(
    'R5',
    'ends a ms early',
    stopsIf('snoozed', (facts) => elapsedMs(facts) + 1 < facts.campaign.snoozeDays * dayMs),
  ),
  rule(
    'R5',
    'knows one day only',
    stopsIf('snoozed', (facts) => elapsedMs(facts) < Math.min(facts.campaign.snoozeDays, 1) * dayMs),
  ),
  rule('R5', 'lets elapsed time fall below zero', (facts, ruleset) =>
    elapsedMs(facts) < 0 ? stopped('snoozed', {}) : getRule('R5').evaluate(facts, ruleset),
  ),
  rule('R5', 'reads the stored days under default', (facts, ruleset) => {
    const snoozeDays = facts.tenant.campaign.snoozeDurationInDays ?? 1;
    return getRule('R5').evaluate({ ...facts, campaign: { ...facts.campaign, snoozeDays } }, ruleset);
  }),
  mutant('A20: a trial is limited only when it says so', {
    facts: (facts) => {
      const { subscription, campaign } = facts.tenant;
      const limited =
        subscription === 'trial' ? (campaign.enforceRegistrationAfterAllowedSnoozes ?? true) : facts.campaign.limited;
      return { ...facts, campaign: { ...facts.campaign, limited } };
    },
  }),
  mutant('A28: the passkey policy’s restrictions do not keep the app', {
    facts: (facts) =>
      facts.campaign.state === 'providerManaged' && facts.tenant.rollout.method
        ? { ...facts, campaign: { ...facts.campaign, method: 'fido2' } }
        : facts,
  }),
  mutant('A36: no browser on Windows is Chrome', {
    facts: (facts) => (facts.platform === 'windows-other' ? { ...facts, platform: 'windows-chrome' } : facts),
  }),
  mutant('A14: nested groups are not groups', {
    facts: (facts) => ({ ...facts, memberOf: new Set(facts.user.groups.map(comparableId)) }),
  }),
];

/** Mutants with one changed value in the data of a ruleset. */
export const wrongData: readonly Mutant[] = [
  mutant('A30: profiles are read the other way', {
    ruleset: (one) => ({ ...one, profiles: one.profiles === 'eligibility' ? 'restrictions' : 'eligibility' }),
  }),
  ...(['before', 'after'] as const).flatMap((when) => [
    mutant(`A19: another number of days ${when} the rollout`, {
      ruleset: (one) => {
        const { snoozeDays, limited } = one.providerManaged;
        if (snoozeDays.by !== 'switch') return one;
        return { ...one, providerManaged: { limited, snoozeDays: { ...snoozeDays, [when]: 2 } } };
      },
    }),
    mutant(`A19: another limit ${when} the rollout`, {
      ruleset: (one) => {
        const { snoozeDays, limited } = one.providerManaged;
        if (limited.by !== 'switch') return one;
        return { ...one, providerManaged: { snoozeDays, limited: { ...limited, [when]: !limited[when] } } };
      },
    }),
  ]),
  ...(['vendorAuthenticator', 'fido2'] as const).flatMap((method) => [
    mutant(`A30: another number of days for ${method}`, {
      ruleset: (one) => {
        const { snoozeDays, limited } = one.providerManaged;
        if (snoozeDays.by !== 'method') return one;
        return { ...one, providerManaged: { limited, snoozeDays: { ...snoozeDays, [method]: 3 } } };
      },
    }),
    mutant(`A30: another limit for ${method}`, {
      ruleset: (one) => {
        const { snoozeDays, limited } = one.providerManaged;
        if (limited.by !== 'method') return one;
        return { ...one, providerManaged: { snoozeDays, limited: { ...limited, [method]: !limited[method] } } };
      },
    }),
  ]),
];
