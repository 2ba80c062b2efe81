import { z } from 'zod';
import { snoozeDaysMax, snoozeDaysMin } from '../../machines/campaign-limits.ts';
import { targetedMethods } from '../../machines/vocabulary.ts';

/** What an event of a log can mean for the lifecycle of a user. */
export const logEventKinds = [
  'prompt-skippable',
  'prompt-required',
  'not-prompted',
  'signed-in',
  'next-selected',
  'skipped',
  'skip-rejected',
  'skip-ignored',
  'closed',
  'resumed',
  'registered',
  'setup-failed',
  'error-skipped',
  'registered-elsewhere',
  'method-removed',
  'reset',
  'blocked',
] as const;
/** Kind of an event that the lifecycle of a user takes part in. */
export type LogEventKind = (typeof logEventKinds)[number];

/** Meanings of an event that are not a step of the lifecycle. */
export const otherEventKinds = ['policy-changed', 'user-removed', 'ignored'] as const;

/** Kinds that no value of a mapping means are unobservable, unless the mapping states `unobserved`. */
export const unobservedByDefault: readonly LogEventKind[] = ['next-selected', 'resumed'];

/** Units to which the times of a log can be rounded, in milliseconds. */
export const timeUnits = { millisecond: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export type TimeUnit = keyof typeof timeUnits;

/** Maximum number of missing events that a mapping can allow for each user. */
const missingMax = 8;

const field = z.string().min(1).max(300).describe('Name of the column, or path of the key such as user.id.');
const kind = z.enum([...logEventKinds, ...otherEventKinds]);
const meaning = z.union([kind, z.array(z.enum(logEventKinds)).min(1)]);

const policySettings = z.strictObject({
  enabled: z.boolean().optional().describe('Whether the campaign is enabled.'),
  days: z.int().min(snoozeDaysMin).max(snoozeDaysMax).optional().describe('Snooze duration in days (R8).'),
  limited: z.boolean().optional().describe('Whether snoozes are limited (R6).'),
});

const factPath = z
  .string()
  .regex(/^(attempt|user|tenant)\.[A-Za-z0-9.]+$/, 'must be the path of a fact, such as attempt.os');

const valuesOf = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Mapping of a log: `NAME.mapping.yaml`. */
export const conformanceMappingSchema = z.strictObject({
  user: field.describe('Column of the user.'),
  time: z.strictObject({
    field,
    format: z
      .string()
      .min(1)
      .max(64)
      .default('iso')
      .describe('iso, epoch-seconds, epoch-milliseconds, or a pattern of yyyy MM dd HH mm ss SSS, in UTC.'),
    rounded: z
      .enum(Object.keys(timeUnits) as [TimeUnit, ...TimeUnit[]])
      .default('millisecond')
      .describe('Unit to which the times are rounded.'),
    to: z.enum(['earlier', 'nearest']).default('earlier').describe('Direction of the rounding.'),
    toleranceSeconds: z.number().min(0).max(86_400).default(0).describe('Error of the clocks in either direction.'),
  }),
  order: z
    .enum(['file', 'time'])
    .default('file')
    .describe('Order of the rows of each user: that of the file, or that of their times, for which the log is sorted.'),
  event: z.strictObject({
    field,
    values: z.record(z.string(), meaning).describe('Meaning of each value; a list means one of several.'),
    others: z.enum(['reported', 'ignored']).default('reported').describe('What happens to values that are not listed.'),
  }),
  prompt: field.optional().describe('Column that identifies the prompt or the sign-in, for users with several tabs.'),
  facts: z
    .strictObject({
      count: field.optional().describe('Snooze count after the event (R7).'),
      left: field.optional().describe('Snoozes left after the event (R6).'),
      days: field.optional().describe('Snooze duration in days that was shown (R8).'),
      limited: field.optional().describe('Whether snoozes were limited (R6).'),
    })
    .prefault({}),
  answer: z
    .strictObject({ field, values: z.record(z.string(), z.string()).optional() })
    .optional()
    .describe('Column of the answer that turned the prompt down, with the id of each value, for an own ruleset.'),
  constants: z
    .record(factPath, z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]))
    .default({})
    .describe('Facts and settings of an own ruleset that hold for the whole log, by path.'),
  attempt: z
    .record(factPath, z.strictObject({ field, values: valuesOf.optional() }))
    .default({})
    .describe('Facts of the sign-in by path, such as attempt.mfa.method, for the gates of a ruleset.'),
  unobserved: z
    .array(z.enum(logEventKinds))
    .optional()
    .describe('Kinds of events that can happen without a row of the log.'),
  missing: z.int().min(0).max(missingMax).default(0).describe('Number of events that may be missing for each user.'),
  start: z.enum(['fresh', 'unknown']).default('fresh').describe('State of each user before its first event.'),
  method: z.enum(targetedMethods).default('vendorAuthenticator').describe('Method that the campaign targets.'),
  policy: policySettings
    .extend({
      enabled: z.union([z.boolean(), z.literal('provider-managed')]).default(true),
      changes: z
        .array(policySettings.extend({ at: z.string().describe('ISO 8601 instant.') }))
        .max(1_000)
        .default([])
        .describe('Later changes that the log does not contain, in the order of time.'),
    })
    .prefault({})
    .describe('Settings of the campaign at the start of the log.'),
  policyFields: z
    .strictObject({ enabled: field.optional(), days: field.optional(), limited: field.optional() })
    .prefault({})
    .describe('Columns of an event that means policy-changed.'),
});

/** Mapping of a log with its defaults. */
export type ConformanceMapping = z.output<typeof conformanceMappingSchema>;
export type PolicySettings = z.output<typeof policySettings>;
