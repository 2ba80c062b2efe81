import { z } from 'zod';
import { forecastDaysMax, forecastUsersMax, forecastUserTypesMax } from '../core/limits.ts';
import { tenantFactsSchema } from './facts.schema.ts';
import {
  alternatives,
  circumstance,
  forecastAllocations,
  platform,
  probability,
  signInHabit,
  userKind,
  withWholeShares,
} from './forecast.schema.ts';

/** Maximum number of devices and browsers of one user (OC51). */
const devicesMax = 8;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const values = z.record(z.string(), z.union([scalar, z.array(z.string())]));

/** A value of a fact for all users, or the shares of its values. */
const factShares = z.record(
  z.string(),
  z.union([scalar, z.array(z.string()), withWholeShares(z.record(z.string(), probability), Object.values)]),
);

const { snooze: _ledger, ...userFields } = userKind.shape;
const ownUserKind = z.strictObject({
  ...userFields,
  /** Age of the account on the first day. */
  createdDaysAgo: z.number().min(0).max(36_600).default(365),
});

const ownContext = circumstance.extend({
  kind: z.enum(['signIn', 'signUp', 'newSession']).default('signIn'),
  session: z.enum(['new', 'same']).default('new'),
});

const actions = withWholeShares(z.record(z.string(), probability), Object.values);

const ownAnswers = z.strictObject({
  /** Probabilities of the answers of the ruleset, and of register, close, letExpire and closeDuringSetup. */
  skippable: z
    .array(actions)
    .min(1)
    .max(32)
    .default([{ register: 1 }]),
  /** Probabilities at a required prompt: only answers that it offers. */
  required: z
    .array(actions)
    .min(1)
    .max(32)
    .default([{ register: 1 }]),
  /** Probability that a setup fails, by prompt count. */
  failure: z.array(probability).min(1).max(32).default([0]),
  /** Probabilities of the actions at the error screen. A user retries at most once per sign-in. */
  onFailure: withWholeShares(
    z.strictObject({
      retry: probability.default(0),
      skip: probability.default(0),
      close: probability.default(0),
    }),
    Object.values,
  ).default({ retry: 0, skip: 1, close: 0 }),
});

const ownBehavior = {
  users: alternatives(ownUserKind, forecastUserTypesMax),
  facts: factShares,
  signIn: signInHabit,
  devices: alternatives(platform, devicesMax),
  signInContexts: alternatives(ownContext),
  answers: ownAnswers,
};

const ownDefaults = z.strictObject(ownBehavior).partial();
const { id, subscription } = tenantFactsSchema.shape;

/** Input of `nudgelab forecast` for a ruleset with the base `own`. */
export const ownForecastSchema = z
  .strictObject({
    name: z.string().min(1).max(200).default('tenant'),
    /** Ruleset file, relative to the description. */
    ruleset: z.string().min(1),
    /** First day of the forecast, which also determines the days of the week. */
    start: z.iso.date().default('2026-01-05'),
    days: z.int().min(1).max(forecastDaysMax).default(90),
    users: z.int().min(1).max(forecastUsersMax).default(10_000),
    allocation: z.enum(forecastAllocations).default('random'),
    seed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(1),
    tenant: z.strictObject({ id, subscription, facts: values.default({}), settings: values.default({}) }).prefault({}),
    /** Default behavior of all segments that do not override it. */
    defaults: ownDefaults.prefault({}),
    segments: alternatives(
      ownDefaults.extend({ name: z.string().min(1).max(200).optional(), share: probability.optional() }),
    ).default([{}]),
  })
  .superRefine(({ defaults: shared, segments }, context) => {
    segments.forEach((segment, index) => {
      if (segment.signIn !== undefined || shared.signIn !== undefined) return;
      const message = 'has no signIn, and the defaults have none either';
      context.addIssue({ code: 'custom', path: ['segments', index], message });
    });
  });

export type OwnForecastDescription = z.output<typeof ownForecastSchema>;
/** Input of a forecast of an own ruleset as users write it. */
export type OwnForecastInput = z.input<typeof ownForecastSchema>;
export type OwnPromptAnswers = z.output<typeof ownAnswers>;
export type OwnFactShares = z.output<typeof factShares>;
