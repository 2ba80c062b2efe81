import { describe, expect, test } from 'vitest';
import { assign } from 'xstate';
import { createStepper } from '../../../machines/step.ts';
import type { AnyStateMachine, Invariant, Model } from '../../../src/compiled/model.ts';
import { exploreModel, models } from '../../../src/generate/exploration/explorations.ts';
import { nonEmpty } from '../../non-empty.ts';

type Given = { readonly context: Record<string, unknown>; readonly event: Record<string, unknown> };

/** Machine with some named guards or actions replaced, which must violate one invariant. */
interface Canary {
  readonly breaks: string;
  readonly model: string;
  readonly guards?: Readonly<Record<string, (given: Given) => boolean>>;
  readonly actions?: Readonly<Record<string, (given: Given) => object>>;
  /** Changes the configuration if a transition is faulty and not a guard or an action. */
  readonly rewire?: (config: Config) => void;
}

interface Config {
  on?: Record<string, unknown>;
  states: Record<string, { on?: Record<string, unknown> }>;
}

interface Prompt {
  readonly id: string;
}

function withoutPrompt({ context, event }: Given): readonly Prompt[] {
  return (context['openPrompts'] as readonly Prompt[]).filter(({ id }) => id !== event['promptId']);
}

const count = ({ context }: Given): number => context['count'] as number;

const canaries: readonly Canary[] = [
  { breaks: 'nudge.limit-holds', model: 'nudge', guards: { skipIsRefused: () => false } },
  {
    breaks: 'nudge.count-falls-by-control',
    model: 'nudge',
    actions: { forgetRegistration: () => ({ registered: null, count: 0 }) },
  },
  {
    breaks: 'nudge.count-rises-by-prompts',
    model: 'nudge',
    actions: {
      countSkip: (given) => ({
        count: count(given) + 2,
        snoozedAtMs: given.event['nowMs'],
        openPrompts: withoutPrompt(given),
      }),
    },
  },
  {
    breaks: 'nudge.error-skip-counts-nothing',
    model: 'nudge',
    actions: { closePrompt: (given) => ({ count: count(given) + 1, openPrompts: withoutPrompt(given) }) },
  },
  { breaks: 'nudge.required-ends-rightly', model: 'nudge', guards: { skipIsRefused: () => false } },
  { breaks: 'nudge.answered-once', model: 'nudge', guards: { promptIsUnknown: () => false } },
  {
    breaks: 'nudge.registering-ends-all',
    model: 'nudge',
    actions: { resolveAsRegistered: () => ({ openPrompts: [], count: 0 }) },
  },
  {
    breaks: 'nudge.snooze-has-begun',
    model: 'nudge',
    actions: { countSkip: (given) => ({ count: count(given) + 1, openPrompts: withoutPrompt(given) }) },
  },
  { breaks: 'nudge.prompted-has-prompt', model: 'nudge', guards: { anotherPromptIsOpen: () => true } },
  { breaks: 'sign-in.required-ends-rightly', model: 'sign-in', guards: { skipIsRefused: () => false } },
  {
    breaks: 'sign-in.error-skip-at-error-screen',
    model: 'sign-in',
    rewire: ({ states }) => Object.assign(states['required']?.on ?? {}, { 'errorScreen.skipped': 'signedIn' }),
  },
  {
    breaks: 'sign-in.registers-in-set-up',
    model: 'sign-in',
    rewire: ({ states }) => Object.assign(states['prompt']?.on ?? {}, { 'setup.completed': 'signedIn' }),
  },
  { breaks: 'sign-in.prompt-after-judgement', model: 'sign-in', guards: { promptIsSkippable: () => true } },
  {
    breaks: 'sign-in.interstitials-in-order',
    model: 'sign-in',
    actions: {
      rememberInterstitials: ({ event }) => ({ pending: [...((event['interstitials'] as string[]) ?? [])].reverse() }),
    },
  },
  { breaks: 'campaign.state-is-stored', model: 'campaign', guards: { leadsToDisabled: () => false } },
  { breaks: 'campaign.callers-may-write', model: 'campaign', guards: { updateIsRefused: () => false } },
  { breaks: 'campaign.managed-stays', model: 'campaign', guards: { updateIsRefused: () => false } },
  {
    breaks: 'campaign.roll-out-stores-nothing',
    model: 'campaign',
    actions: {
      setSwitches: ({ context }) => {
        const tenant = context['tenant'] as { readonly campaign: object };
        return { tenant: { ...tenant, campaign: { ...tenant.campaign, snoozeDurationInDays: 1 } } };
      },
    },
  },
  {
    breaks: 'passkey-eligibility.state-is-judged',
    model: 'passkey-eligibility',
    guards: { becomesLocalPasskey: () => false },
  },
  {
    breaks: 'passkey-eligibility.none-left-none-local',
    model: 'passkey-eligibility',
    guards: { becomesLocalPasskey: () => true },
  },
  {
    breaks: 'passkey-eligibility.policy-comes-first',
    model: 'passkey-eligibility',
    guards: { becomesNotAllowed: () => false },
  },
  { breaks: 'document.ready-is-processed', model: 'document', actions: { notePages: () => ({}) } },
  { breaks: 'document.created-has-no-rows', model: 'document', actions: { forgetPages: () => ({}) } },
  { breaks: 'document.visibility-is-another', model: 'document', guards: { isPublic: () => false } },
];

function getModel(name: string): Model {
  const model = models.get(name)?.();
  if (model === undefined) throw new TypeError(name);
  return model;
}

/** Returns the model with the fault of the canary. */
function createMutant({ model: name, guards = {}, actions = {}, rewire }: Canary): Model {
  const model = getModel(name);
  const replaced = Object.entries(actions).map(([action, change]) => [action, assign(change as never)]);
  let machine: AnyStateMachine = model.machine.provide({ guards, actions: Object.fromEntries(replaced) } as never);
  if (rewire !== undefined) {
    const config = structuredClone(model.machine.config) as unknown as Config;
    rewire(config);
    const { StateMachine } = { StateMachine: model.machine.constructor as new (...args: unknown[]) => AnyStateMachine };
    machine = new StateMachine(config, model.machine.implementations);
  }
  return {
    ...model,
    machine,
    ...(model.from === undefined ? {} : { from: machine.resolveState(model.from as never) as never }),
  };
}

const all = [...models.keys()].flatMap((name) => getModel(name).invariants ?? []);

describe('invariants of the machines', () => {
  test.for(nonEmpty(models.keys()))('R6: the invariants of %s hold', (name) => {
    const { invariants, violations } = exploreModel(getModel(name));
    expect(violations).toEqual([]);
    expect(invariants.length).toBeGreaterThan(2);
  });

  test('R6: every invariant has a canary, a unique id and a sentence', () => {
    expect([...new Set(canaries.map(({ breaks }) => breaks))].sort()).toEqual(all.map(({ id }) => id).sort());
    for (const { sentence } of nonEmpty(all)) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  test.for(canaries)('R6 canary: the mutant violates $breaks on a path that reproduces the violation', (canary) => {
    const mutant = createMutant(canary);
    const { violations } = exploreModel(mutant);
    const violation = violations.find(({ id }) => id === canary.breaks);
    expect(violation?.path.length).toBeGreaterThan(0);
    expect(breaksAt(mutant, canary.breaks, violation?.path ?? [])).toBe(true);
  });
});

/** Checks whether the end of a path violates an invariant. */
function breaksAt(model: Model, id: string, path: readonly unknown[]): boolean {
  const invariant = model.invariants?.find((one) => one.id === id) as Invariant<AnyStateMachine>;
  const step = createStepper(model.machine, model.input);
  const normalize = model.normalize ?? ((state: never) => state);
  let before = model.from ?? model.machine.resolveState(getFirst(model) as never);
  for (const [index, event] of path.entries()) {
    const after = step(before as never, event as never);
    if (index === path.length - 1) {
      const end = normalize(after as never, event as never);
      return invariant.of === 'edge'
        ? !invariant.holds({ before: before as never, event: event as never, after })
        : !invariant.holds(end);
    }
    before = normalize(after as never, event as never);
  }
  return false;
}

function getFirst({ machine, input }: Model): object {
  const { value, context } = machine.getInitialSnapshot({} as never, input as never);
  return { value, context };
}
