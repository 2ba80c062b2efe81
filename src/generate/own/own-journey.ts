import { stringify } from 'yaml';
import type { FactValue, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { usualNowMs } from '../../../machines/own/trial-facts.ts';
import type { Passkey, PasskeyType } from '../../../machines/vocabulary.ts';
import { type OwnStepKind, ownScenarioHeadSchema, ownStepSchemas } from '../../contract/own-scenario.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { listDefaults } from '../../scenario/own/declared-values.ts';
import type { OwnObservation } from '../../scenario/own/own-run.ts';
import type { OwnScenarioPlan, OwnStep } from '../../scenario/own/own-scenario.ts';
import { OwnSession } from '../../scenario/own/own-session.ts';

/** Values of facts and settings by path. Others have their defaults. */
export type Assignment = ReadonlyMap<string, FactValue>;

/** Step of a generated journey, as a scenario states it. */
export type JourneyStep = { readonly [K in OwnStepKind]?: Readonly<Record<string, unknown>> | string };

/** Generated journey of one user, as a scenario states it. */
export interface OwnJourney {
  readonly name: string;
  /** Facts of the tenant and of the user at the start. */
  readonly given: Assignment;
  readonly steps: readonly JourneyStep[];
}

/** User of every generated journey. */
export const journeyUser = 'ada';

/** Values that a scenario can expect of a step. */
export type Observed = Readonly<Record<string, unknown>>;

/** Splits values into those of the ruleset's facts or settings, and those that every attempt or user has. */
export function writtenFacts(ruleset: OwnRuleset, values: Assignment, owner: 'tenant' | 'user' | 'attempt') {
  const facts: Record<string, unknown> = {};
  const settings: Record<string, unknown> = {};
  const fixed: Record<string, unknown> = {};
  for (const [path, value] of values) {
    const [from = '', group = '', name = '', ...rest] = path.split('.');
    if (from !== owner) continue;
    if (group === 'facts') facts[name] = writeValue(value, ruleset.facts[owner][name]?.type);
    else if (group === 'settings') settings[name] = writeValue(value, ruleset.first.settings[name]?.type);
    else setPath(fixed, [group, ...(name === '' ? [] : [name, ...rest])], value);
  }
  return { facts, settings, fixed };
}

function setPath(target: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: FactValue): void {
  if (rest.length === 0) {
    target[first] = first === 'passkeys' && Array.isArray(value) ? value.map(toPasskey) : value;
    return;
  }
  const inner = isPlainObject(target[first]) ? target[first] : {};
  target[first] = inner;
  setPath(inner, rest, value);
}

function toPasskey(type: PasskeyType): Passkey {
  return { type, deviceId: 'device-1' };
}

function writeValue(value: FactValue, type: string | undefined): unknown {
  if (typeof value !== 'number') return value;
  if (type === 'instant') return toInstant(value);
  return type === 'duration' ? (value === 0 ? '0' : `${value}ms`) : value;
}

/** Data of a scenario with this journey, without expectations. */
function scenarioData(ruleset: OwnRuleset, { name, given }: OwnJourney, rulesetPath: string) {
  const tenant = writtenFacts(ruleset, given, 'tenant');
  const user = writtenFacts(ruleset, given, 'user');
  const some = (values: Record<string, unknown>, key: string) =>
    Object.keys(values).length === 0 ? {} : { [key]: values };
  const ofTenant = { ...some(tenant.facts, 'facts'), ...some(tenant.settings, 'settings'), ...tenant.fixed };
  return {
    name,
    ruleset: rulesetPath,
    tags: ['own-campaign', 'generated'],
    given: {
      ...some(ofTenant, 'tenant'),
      users: { [journeyUser]: { ...user.fixed, ...some(user.facts, 'facts') } },
    },
  };
}

/** Converts a journey to the plan of a scenario for a ruleset, which can be a mutant of that of its facts. */
export function planJourney(ruleset: OwnRuleset, journey: OwnJourney): OwnScenarioPlan {
  const data = scenarioData(ruleset, journey, './a.ruleset.yaml');
  const head = ownScenarioHeadSchema.parse({ ...data, steps: [{}] });
  const values = (owner: 'tenant' | 'user') =>
    Object.fromEntries(
      [...journey.given].flatMap(([path, value]) =>
        path.startsWith(`${owner}.facts.`) ? [[path.slice(`${owner}.facts.`.length), value]] : [],
      ),
    );
  const settings = Object.fromEntries(
    [...journey.given].flatMap(([path, value]) =>
      path.startsWith('tenant.settings.') ? [[path.slice('tenant.settings.'.length), value]] : [],
    ),
  );
  const { facts: _written, createdAt: _created, ...fixed } = head.given.users[journeyUser] ?? { facts: {} };
  const { id, subscription } = head.given.tenant;
  return {
    ruleset,
    nowMs: usualNowMs,
    tenant: {
      id,
      subscription,
      facts: { ...listDefaults(ruleset.facts.tenant), ...values('tenant') },
      settings: { ...listDefaults(ruleset.first.settings), ...settings },
    },
    users: [
      {
        user: {
          id: journeyUser,
          type: 'member',
          groups: [],
          methods: ['sms'],
          passkeys: [],
          mfaCapable: true,
          ...fixed,
          facts: { ...listDefaults(ruleset.facts.user), ...values('user') },
        },
        createdAtMs: usualNowMs,
      },
    ],
    steps: journey.steps.map(toStep),
  };
}

/** Reads a written step. */
export function toStep(step: JourneyStep): OwnStep {
  const [kind = 'signIn', written] = Object.entries(step)[0] ?? [];
  const say: unknown = ownStepSchemas[kind as OwnStepKind].parse(written);
  return { kind, say, expect: null, line: 1 } as OwnStep;
}

/** Writes a sign-in of the user with values of its attempt. */
export function writeSignIn(
  ruleset: OwnRuleset,
  values: Assignment,
  { device, session }: { readonly device: string | null; readonly session: 'same' | 'new' } = {
    device: null,
    session: 'new',
  },
): JourneyStep {
  const { facts, fixed } = writtenFacts(ruleset, values, 'attempt');
  return {
    signIn: {
      user: journeyUser,
      ...fixed,
      ...(device === null ? {} : { deviceId: device }),
      ...(session === 'same' ? { session } : {}),
      ...(Object.keys(facts).length === 0 ? {} : { facts }),
    },
  };
}

/** Performs the steps of a journey on the model, and returns what a scenario can expect of each. */
export function observeJourney(ruleset: OwnRuleset, journey: OwnJourney): readonly Observed[] {
  const plan = planJourney(ruleset, journey);
  const session = new OwnSession(plan);
  return plan.steps.map((step) => {
    try {
      return observedStep(session.perform(step), session);
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  });
}

/** Returns what a scenario can expect of a performed step. */
export function observedStep({ page, status, verdict }: OwnObservation, session: OwnSession): Observed {
  const { state, snoozes, nextPromptAtMs } = session.status(journeyUser);
  return {
    ...(page === undefined ? {} : { page }),
    ...(status === undefined || status === 200 ? {} : { status }),
    ...(verdict === undefined
      ? {}
      : {
          outcome: verdict.outcome,
          reason: verdict.reason,
          answers: verdict.answers,
          deadlineAt: verdict.deadlineAtMs === null ? null : toInstant(verdict.deadlineAtMs),
          edition: verdict.edition,
          variant: verdict.variant,
        }),
    state,
    snoozes,
    nextPromptAt: nextPromptAtMs === null ? null : toInstant(nextPromptAtMs),
  };
}

/** Returns true for a step that says which user it is about. */
export function observesUser(step: JourneyStep): boolean {
  return Object.values(step).some((say) => typeof say === 'object' && say['user'] !== undefined);
}

/** Writes a journey as a scenario file, with what the model gives as its expectations. */
export function journeyYaml(ruleset: OwnRuleset, journey: OwnJourney, rulesetPath: string, comment = ''): string {
  const seen = observeJourney(ruleset, journey);
  // A step of the clock has no user, so nothing is known of one before the first step of a user.
  const first = journey.steps.findIndex(observesUser);
  const steps = journey.steps.map((step, index) => {
    const { edition, variant, deadlineAt, ...rest } = seen[index] ?? {};
    const expect = {
      ...rest,
      ...(edition == null ? {} : { edition }),
      ...(variant == null ? {} : { variant }),
      ...(deadlineAt == null ? {} : { deadlineAt }),
    };
    return rest['error'] === undefined && first >= 0 && index >= first ? { ...step, expect } : step;
  });
  const head =
    comment === ''
      ? ''
      : `${comment
          .split('\n')
          .map((line) => `# ${line}`)
          .join('\n')}\n`;
  const data = { ...scenarioData(ruleset, journey, rulesetPath), steps };
  return head + stringify(data, { aliasDuplicateObjects: false, lineWidth: 0 });
}
