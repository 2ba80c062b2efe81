import { stringify } from 'yaml';
import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { listDefaults, readDeclaredValues } from '../../src/contract/declared-values.ts';
import { type OwnStepKind, ownScenarioHeadSchema, ownStepSchemas } from '../../src/contract/own-scenario.schema.ts';
import type { OwnScenarioPlan, OwnStep } from '../../src/scenario/own/own-scenario.ts';
import type { PlaygroundRuleset } from './rulesets.ts';
import {
  type Action,
  createAttempt,
  createHead,
  createUser,
  orNothing,
  type Settings,
  toStartMs,
  userId,
} from './settings.ts';

/** Step of a scenario as it is written: the values of its verb. */
export interface WrittenStep {
  readonly kind: OwnStepKind;
  readonly say: Readonly<Record<string, unknown>>;
}

/** Prefix of the actions that are answers of the ruleset. */
export const answerPrefix = 'answer-';

const fixedSteps: Readonly<Partial<Record<Action, WrittenStep>>> = {
  skip: { kind: 'skip', say: {} },
  close: { kind: 'closeBrowser', say: {} },
  register: { kind: 'register', say: {} },
  fail: { kind: 'failRegistration', say: {} },
  'skip-error': { kind: 'skipError', say: {} },
  clear: { kind: 'clearBrowser', say: { user: userId } },
  hour: { kind: 'advance', say: { hours: 1 } },
  day: { kind: 'advance', say: { days: 1 } },
  month: { kind: 'advance', say: { days: 30 } },
};

/** Returns the step of an action. */
export function toWrittenStep(action: Action, settings: Settings): WrittenStep {
  const fixed = fixedSteps[action];
  if (fixed !== undefined) return fixed;
  if (action.startsWith(answerPrefix)) return { kind: 'skip', say: { answer: action.slice(answerPrefix.length) } };
  const { kind } = settings;
  return {
    kind: 'signIn',
    say: {
      user: userId,
      ...createAttempt(settings),
      ...(kind === 'signIn' ? {} : { kind }),
      ...(action === 'same-session' ? { session: 'same' } : {}),
    },
  };
}

/** Returns a step with the defaults of the values that it leaves out. */
export function toStep({ kind, say }: WrittenStep): OwnStep {
  return { kind, say: ownStepSchemas[kind].parse(say), expect: null, line: 1 } as OwnStep;
}

function createGiven(settings: Settings) {
  const { given } = settings;
  const tenant = { ...orNothing('facts', given.tenant), ...orNothing('settings', given.settings) };
  return { ...orNothing('tenant', tenant), users: { [userId]: createUser(settings) } };
}

/** Returns the scenario of the settings without its steps, as the model runs it. Given values have no problems. */
export function createPlan(settings: Settings, ruleset: OwnRuleset): OwnScenarioPlan {
  const given = createGiven(settings);
  const head = ownScenarioHeadSchema.parse({ name: 'Playground', ruleset: ruleset.id, given, steps: [{}] });
  const nowMs = toStartMs(settings);
  const complete = (written: Readonly<Record<string, unknown>>, definitions: OwnRuleset['first']['settings']) => ({
    ...listDefaults(definitions),
    ...readDeclaredValues(written, definitions, '').values,
  });
  const { id, subscription, facts, settings: values } = head.given.tenant;
  const users = Object.entries(head.given.users).map(([name, { createdAt: _start, facts: written, ...fixed }]) => ({
    user: { id: name, ...fixed, facts: complete(written, ruleset.facts.user) },
    createdAtMs: nowMs,
  }));
  return {
    ruleset,
    nowMs,
    tenant: {
      id,
      subscription,
      facts: complete(facts, ruleset.facts.tenant),
      settings: complete(values, ruleset.first.settings),
    },
    users,
    steps: [],
  };
}

/** Step of a scenario with what it led to. */
export interface ExpectedStep extends WrittenStep {
  readonly expect: Readonly<Record<string, unknown>>;
}

/**
 * Writes settings as a scenario of a ruleset file with the base `own`, which `nudgelab run` repeats beside that file.
 *
 * @param settings - the settings
 * @param ruleset - the ruleset
 * @param steps - steps with what they led to
 * @returns the YAML file
 */
export function toOwnScenario(settings: Settings, ruleset: PlaygroundRuleset, steps: readonly ExpectedStep[]): string {
  return stringify({
    ...createHead(settings, ruleset),
    given: createGiven(settings),
    steps: steps.map(({ kind, say, expect }) => ({ [kind]: say, ...orNothing('expect', expect) })),
  });
}
