import { z } from 'zod';
import { nudgeStates } from '../../machines/vocabulary.ts';
import { attemptInputSchema, sessionInputFields } from './context.schema.ts';
import { tenantFactsSchema, userFactsSchema } from './facts.schema.ts';
import { expectSchema, scenarioHeadSchema, stepSchemas } from './scenario.schema.ts';
import { pageNames } from './step-names.ts';

const name = z.string().min(1).max(128);
const values = z.record(z.string(), z.unknown());
const { nowMs: _clockDecides, network: _derived, ...attemptFields } = attemptInputSchema.shape;
const { next: promptReference, register, advance, setClock } = stepSchemas;

const attempt = { ...attemptFields, ...sessionInputFields };

const { type, groups, methods, passkeys, mfaCapable } = userFactsSchema.shape;
const userChange = z.strictObject({ type, groups, methods, passkeys, mfaCapable, facts: values }).partial().extend({
  type: type.unwrap().optional(),
  groups: groups.unwrap().optional(),
  methods: methods.unwrap().optional(),
  passkeys: passkeys.unwrap().optional(),
  mfaCapable: mfaCapable.unwrap().optional(),
});
const tenantChange = z.strictObject({ facts: values, settings: values }).partial();

/** Steps of scenarios with a ruleset file of the base `own`, by name. */
export const ownStepSchemas = {
  signIn: z.strictObject({
    user: name,
    as: name.optional().describe('Name of the tab (default: the user).'),
    ...attempt,
  }),
  explain: z.strictObject({ user: name, ...attempt }),
  next: promptReference,
  skip: z
    .strictObject({
      prompt: name.optional(),
      answer: name.optional().describe('Id of the answer; the first one by default.'),
    })
    .nullable()
    .prefault({}),
  closeBrowser: promptReference,
  abandon: promptReference,
  reload: promptReference,
  register,
  failRegistration: promptReference,
  skipError: promptReference,
  advance,
  setClock,
  setTenant: tenantChange,
  setUser: userChange.extend({ user: name }),
  removeMethod: z.strictObject({
    user: name,
    method: name.describe('A registered method, or fido2 for all passkeys.'),
  }),
  clearBrowser: z
    .strictObject({ user: name })
    .describe('The user clears the data of the browser of the latest sign-in.'),
  resetLedger: z
    .strictObject({ user: name })
    .describe(
      'An administrator clears what the answers of the user left: what the resets on `control` name, or everything.',
    ),
} as const;

/** Kind of a step of such a scenario. */
export type OwnStepKind = keyof typeof ownStepSchemas;

const { status, snoozes, snoozesLeft, nextPromptAt } = expectSchema.shape;
/** Expected results of a step of such a scenario. */
export const ownExpectSchema = z
  .strictObject({
    page: z.enum(pageNames),
    outcome: z.enum(['none', 'skippable', 'required', 'blocked']),
    reason: z.string().nullable(),
    answers: z.array(z.string()).describe('Ids of the answers that the prompt offers.'),
    deadlineAt: nextPromptAt.unwrap(),
    edition: z.string().nullable().describe('Edition of the ruleset that evaluated the sign-in.'),
    variant: z.string().nullable().describe('Variant of the rollout.'),
    state: z.enum(nudgeStates),
    status: status.unwrap(),
    snoozes: snoozes.unwrap(),
    snoozesLeft: snoozesLeft.unwrap(),
    nextPromptAt: nextPromptAt.unwrap(),
  })
  .partial()
  .refine((wanted) => Object.keys(wanted).length > 0, { message: 'must contain at least one expectation' });
/** Expectations of one step. */
export type OwnExpectation = z.output<typeof ownExpectSchema>;

const { id, subscription } = tenantFactsSchema.shape;

/** Scenario with a ruleset file, without its steps. */
export const ownScenarioHeadSchema = scenarioHeadSchema.omit({ given: true, seed: true, covers: true }).extend({
  ruleset: z.string(),
  given: z.strictObject({
    tenant: z
      .strictObject({ id, subscription, facts: values.default({}), settings: values.default({}) })
      .prefault({})
      .describe('Facts and settings of the tenant.'),
    users: z
      .record(
        name,
        z
          .strictObject({
            type,
            groups,
            methods,
            passkeys,
            mfaCapable,
            createdAt: z
              .string()
              .optional()
              .describe('Instant at which the account was created; the start by default.'),
            facts: values.default({}),
          })
          .prefault({}),
      )
      .describe('Users by id.'),
  }),
});
