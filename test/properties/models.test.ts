import { describe, expect, it } from 'vitest';
import { assign, createMachine } from 'xstate';
import type { AnyStateMachine } from '../../src/compiled/model.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { models } from '../../src/generate/exploration/explorations.ts';
import { listEvents, listFacts } from '../../src/properties/check/check-names.ts';
import { checkProperties } from '../../src/properties/check/check-properties.ts';
import {
  always,
  defineProperty,
  event,
  eventually,
  fact,
  never,
  state,
  timePasses,
  unless,
  when,
} from '../../src/properties/language/formula-builder.ts';
import { createBuiltInModel } from '../../src/properties/models/built-in-models.ts';
import { machinePropertyModel } from '../../src/properties/models/machine-model.ts';
import { campaignModelNames, modelNames } from '../../src/properties/models/model-names.ts';
import type { PropertyModel } from '../../src/properties/models/property-model.ts';
import { checkFormula, explainVerdict } from './small-systems.ts';

function getModel(name: string): PropertyModel {
  const model = createBuiltInModel(name);
  if (model === null) throw new RangeError(name);
  return model;
}

/** A traffic light with a counter of its rounds, up to three. */
const light = createMachine({
  id: 'light',
  context: { rounds: 0 },
  initial: 'off',
  states: {
    off: { on: { switch: 'on' } },
    on: {
      initial: 'red',
      on: { switch: 'off' },
      states: {
        red: { on: { day: 'green' } },
        green: {
          on: { day: { target: 'red', actions: assign({ rounds: ({ context }) => Math.min(3, context.rounds + 1) }) } },
        },
      },
    },
  },
}) as unknown as AnyStateMachine;

describe('models of properties', () => {
  it('PR24: every built-in machine has a model with facts and events, and no other name has one', () => {
    expect(modelNames).toEqual([...campaignModelNames, ...models.keys()]);
    const sizes = modelNames.map((name) =>
      Math.min(listFacts(getModel(name)).length, listEvents(getModel(name)).length),
    );
    expect(Math.min(...sizes)).toBeGreaterThan(1);
    expect(createBuiltInModel('life-cycle')).toBeNull();
  });

  it('PR25: properties of the campaign, eligibility, document and nudge machines are decided', () => {
    const eligibility = getModel('passkey-eligibility');
    expect(listFacts(eligibility)).toContain('context.facts.user.passkeys.length');
    expect(explainVerdict(getModel('nudge'), never(fact('context.count').moreThan(0)))).toContain('prompt.skipped');
    expect(explainVerdict(getModel('document'), unless(fact('state').isNot('ready'), event('pages.processed')))).toBe(
      'proven',
    );
    expect(explainVerdict(getModel('document'), never(state('ready')))).toContain('pages.processed');
    expect(explainVerdict(getModel('campaign'), never(state('disabled')))).toContain('settings.updated');
    expect(checkFormula(eligibility, always(fact('state').isNot(''))).verdict).toBe('proven');
  });

  it('PR26: states of a machine of the user are named with dots, and its context is a fact', () => {
    const events = [{ type: 'switch' }, { type: 'day' }];
    const model = machinePropertyModel({ name: 'light', machine: light, events }, { event: 'day', stepMs: 86_400_000 });
    const toGreen = always(when(state('on.red'), eventually(state('on.green', 'off'), { days: 1 })));
    expect(explainVerdict(model, toGreen)).toBe('proven');
    expect(explainVerdict(model, always(when(state('on.red'), eventually(state('on.green')))), [timePasses()])).toBe(
      'switch | switch day switch',
    );
    expect(explainVerdict(model, never(fact('context.rounds').is(1)))).toBe('switch day day');
  });

  it('PR27: a machine with a delay or an invoked actor is refused, and the error names the state', () => {
    const delayed = createMachine({
      id: 'delayed',
      initial: 'open',
      states: { open: { after: { 1000: 'closed' } }, closed: { invoke: { src: 'load' } } },
    }) as unknown as AnyStateMachine;
    const model = machinePropertyModel({ name: 'delayed', machine: delayed, events: [{ type: 'go' }] });
    const property = defineProperty({ id: 'p', title: 'P', property: always(state('open')) });
    const check = (): unknown => checkProperties(model, [property]);
    expect(check).toThrow(NudgeLabError);
    expect(check).toThrow(/delayed\.open".*delayed transition[\s\S]*delayed\.closed".*invokes/);
  });
});
