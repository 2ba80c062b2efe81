import { z } from 'zod';
import { givenSchema } from './scenario.schema.ts';
import { pageNames } from './step-names.ts';

/** Values of a step that a learner can observe in addition to its page. */
export const observedKeys = ['outcome', 'state', 'snoozesLeft', 'snoozes'] as const;
export type ObservedKey = (typeof observedKeys)[number];

/** Kinds of steps that an input can have: those whose effect the state of one user contains. */
export const learnableSteps = [
  'signIn',
  'next',
  'skip',
  'register',
  'failRegistration',
  'skipError',
  'closeBrowser',
  'reload',
  'advance',
  'setUser',
  'setTenant',
  'removeMethod',
] as const;
export type LearnableStep = (typeof learnableSteps)[number];

/** Maximum number of inputs. */
const inputsMax = 40;

const input = z.strictObject({
  name: z.string().min(1).max(100).describe('Name of the input in the learned machine.'),
  step: z.looseObject({}).meta({
    type: 'object',
    description: `The step, as in a scenario. One of: ${learnableSteps.join(', ')}.`,
    minProperties: 1,
    maxProperties: 1,
  }),
  pages: z
    .array(z.enum(['none', ...pageNames]))
    .min(1)
    .optional()
    .describe('Pages on which the step is taken; `none` is no page. Default: those on which the step has an effect.'),
});

/** File of a learning alphabet: `NAME.alphabet.yaml`. */
export const alphabetSchema = z.strictObject({
  ruleset: z.string().min(1).max(300).optional().describe('Id of the ruleset. Default: seed.'),
  given: givenSchema.describe('Initial state, as in a scenario, with exactly one user.'),
  observe: z
    .array(z.enum(observedKeys))
    .default(['outcome', 'state', 'snoozesLeft'])
    .describe('Values that are observed after each step, in addition to the page.'),
  inputs: z.array(input).min(1).max(inputsMax).describe('The inputs of the learned machine.'),
});
