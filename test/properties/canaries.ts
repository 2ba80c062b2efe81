import { assign } from 'xstate';
import { nudgeMachine } from '../../machines/nudge.machine.ts';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import { signInMachine } from '../../machines/sign-in.machine.ts';
import type { GateId, Ruleset } from '../../machines/vocabulary.ts';
import type { AnyStateMachine } from '../../src/compiled/model.ts';
import { machineWith } from '../../src/generate/mutate/machine-sites.ts';
import { createBuiltInModel } from '../../src/properties/models/built-in-models.ts';
import type { ProductModel } from '../../src/properties/models/property-model.ts';

/** Replaces one machine of a built-in model. */
function withMachine(name: string, part: string, machine: unknown): ProductModel {
  const model = getModel(name);
  const parts = model.product.parts.map((one) =>
    one.name === part ? { ...one, machine: machine as AnyStateMachine, invariants: [] } : one,
  );
  return { ...model, product: { ...model.product, parts } };
}

/** Removes a gate from the ruleset of a built-in model. */
function withoutGate(name: string, gate: GateId): ProductModel {
  const ruleset: Ruleset = { ...seedRuleset, order: seedRuleset.order.filter((id) => id !== gate) };
  return getModel(name, ruleset);
}

/** Changes every event that one action of a built-in model sends; `null` removes it. */
function withEvent(name: string, action: string, change: object | null): ProductModel {
  const model = getModel(name);
  const actions = model.product.actions.map((one) => {
    if (one.name !== action) return one;
    const moves = one.moves.map((move) => ({
      ...move,
      event: (views: readonly unknown[]) => {
        const sent = move.event(views);
        return sent === null || change === null ? null : { ...sent, ...change };
      },
    }));
    return { ...one, moves };
  });
  return { ...model, product: { ...model.product, actions } };
}

function getModel(name: string, ruleset?: Ruleset): ProductModel {
  const model = createBuiltInModel(name, { ruleset });
  if (model === null) throw new RangeError(`No model ${name}.`);
  return model;
}

/** Lifecycle in which one named action does something else. */
function withAction(actions: object): ProductModel {
  return withMachine('lifecycle', 'nudge', nudgeMachine.provide({ actions } as never));
}

/** Lifecycle whose root reacts to an event by other transitions. */
function onEvent(event: string, transitions: unknown): ProductModel {
  return withMachine('lifecycle', 'nudge', machineWith(nudgeMachine, ['on', event], transitions));
}

const forgetCount = assign({ registered: null, count: 0 });

/** Faulty model in which each property of the specification fails, by the id of the property. */
export const canaries: ReadonlyMap<string, () => ProductModel> = new Map([
  ['no-prompt-while-snoozed', () => withoutGate('lifecycle', 'R5')],
  ['required-until-the-policy-changes', () => withAction({ forgetRegistration: forgetCount })],
  ['count-never-falls', () => withAction({ forgetRegistration: forgetCount })],
  [
    'prompt-counts-once',
    () => withAction({ countSkip: assign({ count: ({ context }) => (context as { count: number }).count + 1 }) }),
  ],
  [
    'no-snooze-beyond-the-limit',
    () => onEvent('prompt.skipped', [{ guard: 'promptIsUnknown' }, { target: '.snoozed', actions: 'countSkip' }]),
  ],
  ['required-after-three-snoozes', () => withEvent('lifecycle', 'signs in', { required: false })],
  [
    'skip-snoozes-or-is-rejected',
    () => onEvent('prompt.skipped', [{ guard: 'promptIsUnknown' }, { target: '.notPrompted', actions: 'closePrompt' }]),
  ],
  ['snooze-lasts-for-its-duration', () => withoutGate('lifecycle', 'R5')],
  ['prompt-expires', () => onEvent('time.passed', [])],
  ['pending-close-settles', () => onEvent('time.passed', [])],
  ['snooze-ends', () => withEvent('lifecycle', 'a day passes', null)],
  ['prompted-again', () => withEvent('lifecycle', 'a day passes', null)],
  [
    'error-screen-counts-nothing',
    () =>
      withAction({
        closePrompt: assign({ openPrompts: [], count: ({ context }) => (context as { count: number }).count + 1 }),
      }),
  ],
  ['registered-not-prompted', () => withoutGate('lifecycle', 'R10.1')],
  ['excluded-never-prompted', () => withoutGate('tenant', 'S2')],
  ['disabled-never-prompts', () => withoutGate('tenant', 'C1')],
  [
    'prompt-after-evaluation',
    () =>
      withMachine(
        'sign-in',
        'sign-in',
        machineWith(signInMachine, ['states', 'password', 'on', 'password.accepted'], { target: 'prompt' }),
      ),
  ],
  [
    'required-never-skipped',
    () =>
      withMachine(
        'sign-in',
        'sign-in',
        machineWith(signInMachine, ['states', 'required', 'on', 'prompt.skipped'], { target: 'prompt' }),
      ),
  ],
]);
