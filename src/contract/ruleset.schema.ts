import { z } from 'zod';
import {
  anyValue,
  code,
  conditionSchema,
  duration,
  factReference,
  instant,
  integer,
  label,
  name,
  operand,
  rulesetIdPattern,
  settingReference,
  text,
  zone,
} from './ruleset-values.schema.ts';

const factTypeNames = ['boolean', 'integer', 'enum', 'set', 'instant', 'duration', 'text'] as const;
const definition = z.strictObject({
  type: z.enum(factTypeNames).describe('Type of the value.'),
  values: z
    .array(z.string().min(1).max(128))
    .min(1)
    .max(256)
    .optional()
    .describe('Allowed values of an enum or a set.'),
  min: z.unknown().optional().describe('Smallest value of an integer, an instant or a duration.'),
  max: z.unknown().optional().describe('Largest value of an integer, an instant or a duration.'),
  default: z
    .unknown()
    .optional()
    .describe('Value where none is given; null, for unknown, only for instants and texts.'),
  title: z.string().max(300).optional().describe('Name for people.'),
});
const importedDefinition = definition.extend({
  import: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Column of sign-in logs with the fact; a dot leads into nested objects.'),
  map: z
    .record(z.string().max(256), z.unknown())
    .optional()
    .describe('Value of the fact for each text of the column; without it, the texts are the values.'),
});

/** Facts by owner. Only the facts of own campaigns are read from logs (OC50). */
const declareFacts = (group: z.ZodType<Record<string, z.output<typeof importedDefinition>>>) =>
  z
    .strictObject({
      tenant: group.optional().describe('Facts of the tenant.'),
      user: group.optional().describe('Facts of each user.'),
      attempt: group.optional().describe('Facts of each sign-in.'),
    })
    .optional()
    .describe('Facts besides those that every ruleset can read.');
export const campaignFacts = declareFacts(z.record(name, definition));
const parts = z.array(z.string().min(1)).min(1).max(16);

const effect = z.enum(['snooze', 'never', 'session', 'nothing']);
const answer = z.strictObject({
  label: label.optional().describe('Text of the button.'),
  effect: z
    .union([effect, z.array(effect).min(1).max(3)])
    .optional()
    .describe('What the answer stores: one effect, or a list such as [snooze, session].'),
  counts: z.boolean().optional().describe('Whether the answer raises the snooze count; true for snooze by default.'),
  for: duration.optional().describe('Duration that replaces the cadence for this answer.'),
  whenRequired: z
    .enum(['refused', 'offered'])
    .optional()
    .describe('What a required prompt does with the answer; refused by default.'),
});

/** Id of a gate. */
export const gateIdPattern = /^[A-Z][A-Za-z0-9.]{0,15}$/;
const gateId = z
  .string()
  .regex(gateIdPattern, {
    message: 'must be an id such as P1: an upper-case letter, then letters, digits or dots, at most 16 characters',
  })
  .describe('Id of the gate, such as P1.');

export const dataGateSchema = z.strictObject({
  id: gateId,
  summary: z.string().min(1).max(300).describe('What holds when the gate passes, as a sentence.'),
  when: conditionSchema.describe('Condition that has to hold. Otherwise the gate stops the prompt.'),
  stop: code.describe('Reason code of the stop.'),
  skipIf: conditionSchema.optional().describe('Condition under which the gate is not applicable.'),
  source: z.array(z.string().min(1).max(300)).optional().describe('Where the rule comes from.'),
});
const moduleGate = z.strictObject({
  id: gateId,
  module: z
    .string()
    .min(1)
    .max(512)
    .describe('Path of a *.gate.ts or *.gate.js file beside or below the ruleset, which is run.'),
  with: z.unknown().optional().describe('Value that the module receives, checked by its schema.'),
});
const placeGate = z.strictObject({
  place: z
    .enum(['X.trigger', 'X.rollout', 'X.done', 'X.window', 'X.never', 'X.session', 'X.cadence'])
    .describe('Generated gate that is evaluated at this position.'),
});

const resetEvent = z.union(
  [
    z.enum(['registered', 'removed', 'edition', 'control', 'browserCleared']),
    z.strictObject({ settingChanged: name.describe('Name of the setting.') }),
    z.strictObject({ newVersion: z.string().describe('Path of a fact that rises with each version.') }),
  ],
  {
    error: ({ input }) =>
      `${typeof input === 'string' ? JSON.stringify(input) : 'the value'} is no event; write registered, removed, edition, control, browserCleared, { settingChanged: NAME } or { newVersion: FACT }`,
  },
);

const percent = z.number().min(0).max(100).multipleOf(0.0001);

/** Schemas of the keys of a ruleset with the base `own`, which are read one by one. */
export const ownRulesetShape = {
  ruleset: z
    .string()
    .regex(rulesetIdPattern, {
      message: 'must be an id in lower case: letters, digits, dots and hyphens, at most 64 characters',
    })
    .describe('Id of the ruleset.'),
  version: z
    .string()
    .regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,64})?$/, {
      message: 'must be a semantic version such as 1.0.0',
    })
    .describe('Version of the file.'),
  format: z.literal(1).describe('Version of the format.'),
  title: z.string().min(1).max(300).describe('Title of the campaign.'),
  description: text.optional().describe('What the campaign is for.'),
  source: z.array(z.string().min(1).max(300)).max(64).optional().describe('Where the rules come from.'),
  base: z.string().optional().describe('`own`, or a built-in ruleset or base that this file changes.'),
  methods: z
    .record(
      name,
      z.strictObject({
        label: label.describe('Name of the method in texts.'),
        kind: z
          .enum(['passkey', 'app', 'totp', 'phone', 'email', 'password', 'terms', 'form'])
          .describe('What the setup consists of.'),
      }),
    )
    .describe('Methods that the prompt can ask for, by id.'),
  ask: name.optional().describe('Id of the method that the prompt asks for; the only one by default.'),
  settings: z.record(name, definition).optional().describe('Values that a tenant may change.'),
  facts: declareFacts(z.record(name, importedDefinition)).describe(
    'Facts besides those that every ruleset can read; import names the column of sign-in logs that has one.',
  ),
  trigger: z
    .strictObject({
      on: z
        .array(z.enum(['signIn', 'signUp', 'newSession']))
        .min(1)
        .optional()
        .describe('Kinds of sign-ins; [signIn] by default.'),
      factors: conditionSchema.optional().describe('Condition on the completed factors.'),
    })
    .optional()
    .describe('When the campaign prompts at all.'),
  gates: z
    .array(z.union([dataGateSchema, moduleGate, placeGate]))
    .max(128)
    .describe('Gates in the order of evaluation: the first one that stops is the reason.'),
  reasons: z
    .record(code, text)
    .optional()
    .describe('Sentence for each reason code; {saw.NAME} is a value that the gate read.'),
  done: conditionSchema.optional().describe('Condition under which the user has done what the prompt asks for.'),
  matrix: z
    .record(z.string(), z.record(z.string(), z.union([z.literal(0), z.literal(1)])))
    .optional()
    .describe('Passkey types by platform; 1 suppresses the prompt.'),
  completion: z
    .strictObject({
      set: z.record(z.string(), anyValue).optional().describe('Facts that become a value, or now.'),
      add: z.record(z.string(), anyValue).optional().describe('Sets of facts that gain a value.'),
    })
    .optional()
    .describe('What completing the setup changes, besides the registered method itself.'),
  answers: z
    .record(name, answer)
    .optional()
    .describe('Ways to turn the prompt down; close, expire and next are no buttons.'),
  ledger: z
    .strictObject({
      keys: z
        .array(parts)
        .min(1)
        .max(16)
        .optional()
        .describe('Keys under which answers are stored; [[user]] by default.'),
      ecosystems: z
        .record(name, z.array(z.string()).min(1))
        .optional()
        .describe('Operating systems of each ecosystem.'),
    })
    .optional()
    .describe('Under which keys answers are stored.'),
  cadence: z
    .strictObject({
      kind: z
        .enum(['everySignIn', 'fixed', 'growing', 'signIns', 'daily', 'once'])
        .optional()
        .describe('When users are prompted again; everySignIn by default.'),
      every: duration.optional().describe('Duration of the kind fixed.'),
      durations: z
        .array(duration)
        .min(1)
        .max(32)
        .optional()
        .describe('Durations of the kind growing; the last one stays.'),
      signIns: integer.optional().describe('Number of sign-ins of the kind signIns.'),
      anchor: z
        .enum(['answer', 'firstShown', 'lastShown'])
        .optional()
        .describe('Event from which the duration counts; answer by default.'),
      boundary: z
        .enum(['inclusive', 'exclusive'])
        .optional()
        .describe('Whether exactly the duration is enough; inclusive by default.'),
      measure: z
        .enum(['elapsed', 'calendar'])
        .optional()
        .describe('Whether a day is 24 hours or keeps the local time; elapsed by default.'),
      zone: zone.optional(),
    })
    .optional()
    .describe('When users are prompted again after an answer.'),
  limit: z
    .strictObject({
      of: integer.describe('Number at which the limit is reached.'),
      counts: z.enum(['snoozes', 'shown']).describe('What is counted.'),
      when: conditionSchema.optional().describe('Condition of the limit.'),
      // biome-ignore lint/suspicious/noThenProperty: the key of the format.
      then: z.enum(['required', 'never', 'blocked']).describe('What applies at the limit.'),
      after: z.enum(['wait', 'now']).describe('Whether the last snooze is waited for.'),
    })
    .optional()
    .describe('What applies after a number of snoozes or showings.'),
  lifetime: duration.optional().describe('Lifetime of an unanswered prompt; 15m by default.'),
  deadline: z
    .strictObject({
      ends: z
        .array(
          z.union([
            z.strictObject({ at: instant.describe('The end, as an instant.') }),
            z.strictObject({
              after: duration.describe('Duration after the event.'),
              since: z
                .unknown()
                .refine((value) => value !== undefined, { message: 'is missing' })
                .meta({ anyOf: [{ enum: ['created', 'firstShown'] }, settingReference, factReference] })
                .describe('The event: created, firstShown, or an instant as a fact or setting.'),
            }),
          ]),
        )
        .min(1)
        .max(16)
        .describe('Ends of the period. Unknown ones do not count.'),
      choose: z.enum(['earliest', 'latest']).optional().describe('Which end counts; earliest by default.'),
      opens: duration.optional().describe('How long before the end users are prompted.'),
      before: z
        .enum(['skippable', 'required', 'none'])
        .optional()
        .describe('What applies before the end; skippable by default.'),
      // biome-ignore lint/suspicious/noThenProperty: the key of the format.
      then: z
        .enum(['required', 'blocked', 'none'])
        .optional()
        .describe('What applies from the end on; required by default.'),
      boundary: z
        .enum(['inclusive', 'exclusive'])
        .optional()
        .describe('Whether the deadline is over at the end itself (inclusive, the default) or after it.'),
      measure: z
        .enum(['elapsed', 'date'])
        .optional()
        .describe('Whether instants or calendar days are compared; elapsed by default.'),
      zone: zone.optional(),
    })
    .optional()
    .describe('Until when users may turn the prompt down.'),
  requirement: z
    .strictObject({
      required: conditionSchema.optional().describe('Condition under which the prompt is required.'),
      blocked: conditionSchema.optional().describe('Condition under which the sign-in is refused.'),
    })
    .optional()
    .describe('Who has to do it, whatever was answered before.'),
  failure: z
    .strictObject({
      skip: z
        .enum(['signsIn', 'refused'])
        .optional()
        .describe('What skipping the error screen does; signsIn by default.'),
      stores: z
        .enum(['nothing', 'snooze'])
        .optional()
        .describe('What skipping the error screen stores; nothing by default.'),
    })
    .optional()
    .describe('What a failed setup leads to.'),
  resets: z
    .array(
      z.strictObject({
        on: resetEvent.describe('Event.'),
        clears: z
          .array(z.enum(['count', 'timer', 'never', 'session', 'shown']))
          .min(1)
          .describe('Parts of the ledger that the event clears.'),
        keys: z.array(parts).min(1).optional().describe('Keys that are cleared; all of them by default.'),
      }),
    )
    .max(32)
    .optional()
    .describe('Events that clear what was answered.'),
  rollout: z
    .strictObject({
      percent: operand({ type: 'number', minimum: 0, maximum: 100 })
        .optional()
        .describe('Share in percent; 100 by default, 0 with steps.'),
      by: z
        .enum(['user', 'tenant', 'device', 'browser', 'signIn'])
        .optional()
        .describe('Unit that is drawn; user by default.'),
      salt: z
        .string()
        .max(128)
        .nullable()
        .optional()
        .describe('Text before the unit in the hash; the id by default, null for the unit alone.'),
      steps: z
        .array(
          z.strictObject({
            from: z.string().describe('Start of the step.'),
            percent: percent.describe('Share in percent.'),
          }),
        )
        .max(64)
        .optional()
        .describe('Shares from a time on.'),
      variants: z
        .array(
          z.strictObject({
            id: name.describe('Id of the variant.'),
            share: z.number().min(0).max(1_000_000).describe('Weight of the variant.'),
            settings: z.record(name, z.unknown()).describe('Settings of the variant.'),
          }),
        )
        .max(32)
        .optional()
        .describe('Variants that change settings.'),
    })
    .optional()
    .describe('Share of users or sign-ins that the campaign reaches.'),
  screens: z
    .partialRecord(
      z.enum(['prompt', 'required', 'error', 'blocked']),
      z.strictObject({
        heading: label.optional().describe('Heading.'),
        text: text.optional().describe('Text.'),
        buttons: z.record(name, label).optional().describe('Labels of buttons: next, try, skip, or an answer.'),
      }),
    )
    .optional()
    .describe('Texts of the screens.'),
  editions: z
    .array(
      z.strictObject({
        from: z.string().describe('Start of the edition.'),
        id: z.string().min(1).max(64).optional().describe('Name of the edition; its date by default.'),
        source: z.array(z.string().min(1).max(300)).optional().describe('Where the change comes from.'),
        set: z.looseObject({}).describe('Merge patch over the rules before.'),
      }),
    )
    .max(64)
    .optional()
    .describe('Changes of the rules from a time on.'),
} as const;

/** Keys of a ruleset. */
export type RulesetKey = keyof typeof ownRulesetShape;

/** Schema of a ruleset file with the base `own`. */
export const ownRulesetSchema = z.strictObject(ownRulesetShape);

/** Ruleset as its shape was accepted. Operands and conditions are not parsed. */
export type WrittenRuleset = z.output<typeof ownRulesetSchema>;
