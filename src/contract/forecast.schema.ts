import { z } from 'zod';
import { passkeyTypes, targetedMethods } from '../../machines/vocabulary.ts';
import { forecastAttemptsOfADayMax, forecastDaysMax, forecastUsersMax, forecastUserTypesMax } from '../core/limits.ts';
import { weekdays } from '../core/utc-calendar.ts';
import { attemptPatchSchema, tenantFactsSchema, userFactsSchema } from './facts.schema.ts';

/**
 * Ways to assign the simulated users to segments and user types: drawn by share for each random seed, or in proportion
 * to the shares, which gives the same users for every random seed.
 */
export const forecastAllocations = ['random', 'proportional'] as const;

/** Maximum deviation of a sum of shares from 1, so rounded thirds are valid. */
const shareTolerance = 1e-6;

export const probability = z.number().min(0).max(1);

/** Adds the check that all shares in a value add up to 1. `sharesOf` reads the shares from the value. */
export function withWholeShares<S extends z.ZodType>(
  schema: S,
  sharesOf: (value: z.output<S>) => readonly number[],
): S {
  return schema.superRefine((value, context) => {
    const sum = sharesOf(value as z.output<S>).reduce((total, share) => total + share, 0);
    if (Math.abs(sum - 1) <= shareTolerance) return;
    context.addIssue({
      code: 'custom',
      message: `the shares add up to ${Number(sum.toPrecision(7))}, but must add up to 1`,
    });
  });
}

/** Maximum number of alternatives in a list, other than user types. */
const alternativesMax = 1_000;

/** Creates a schema for a list of alternatives with shares. A single alternative may omit its share. */
export function alternatives<S extends z.ZodType<{ readonly share?: number | undefined }>>(
  schema: S,
  max = alternativesMax,
) {
  return withWholeShares(z.array(schema).min(1).max(max), (list) =>
    list.map(({ share }) => share ?? (list.length === 1 ? 1 : 0)),
  );
}

const share = probability.optional();

export const userKind = z.strictObject({
  share,
  ...userFactsSchema.pick({ type: true, groups: true, methods: true, mfaCapable: true, facts: true }).shape,
  passkeys: z.array(z.union([z.enum(passkeyTypes), userFactsSchema.shape.passkeys.unwrap().element])).default([]),
  /** Initial snooze record of the user: the count, and the days since the latest snooze began. */
  snooze: z
    .strictObject({
      count: z.int().min(0).max(1_000).default(0),
      daysAgo: z.number().min(0).max(3_660).nullable().default(null),
    })
    .prefault({}),
});

export const signInHabit = z.strictObject({
  /** Probability of at least one sign-in for each day of the week. */
  weekdays: z.strictObject(Object.fromEntries(weekdays.map((day) => [day, probability.default(0)]))),
  /** Shares of sign-in days with one attempt, two attempts, and so on. */
  perDay: withWholeShares(z.array(probability).min(1).max(forecastAttemptsOfADayMax), (shares) => shares).default([1]),
  /** Shares of attempts by hour of the day in UTC. Without them, every attempt is at exactly 09:00. */
  hours: withWholeShares(
    z.record(z.string().regex(/^([01]?\d|2[0-3])$/, 'must be an hour from 0 to 23'), probability),
    Object.values,
  )
    .nullable()
    .default(null),
});

export const platform = z.strictObject({
  share,
  ...attemptPatchSchema.pick({ os: true, browser: true, surface: true, deviceId: true }).shape,
  /** Passkey type that users create on this platform. Defaults to the usual type of the operating system. */
  passkey: z.enum(passkeyTypes).optional(),
});

export const circumstance = z.strictObject({
  share,
  ...attemptPatchSchema.pick({
    mfa: true,
    ssoSession: true,
    registeredThisSession: true,
    conditionalAccess: true,
    termsOfUse: true,
    customControls: true,
  }).shape,
});

const skippableAnswer = withWholeShares(
  z.strictObject({
    register: probability.default(0),
    skip: probability.default(0),
    close: probability.default(0),
    letExpire: probability.default(0),
    closeDuringSetup: probability.default(0),
  }),
  Object.values,
);

const requiredAnswer = withWholeShares(
  z.strictObject({
    register: probability.default(0),
    close: probability.default(0),
    letExpire: probability.default(0),
    closeDuringSetup: probability.default(0),
  }),
  Object.values,
);

const answers = z.strictObject({
  /** Probabilities of the actions at a skippable prompt, by prompt count. The last entry applies to all later prompts. */
  skippable: z.array(skippableAnswer).min(1).max(32),
  /** Probabilities of the actions at a required prompt, by prompt count. */
  required: z
    .array(requiredAnswer)
    .min(1)
    .max(32)
    .default([{ register: 1, close: 0, letExpire: 0, closeDuringSetup: 0 }]),
  /** Probability that a registration fails, by prompt count. */
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

/** Action probabilities for both methods together or for each method separately. */
const answersByMethod = z.union([
  answers,
  z.strictObject(
    Object.fromEntries(targetedMethods.map((method) => [method, answers])) as Record<
      (typeof targetedMethods)[number],
      typeof answers
    >,
  ),
]);

const behavior = {
  users: alternatives(userKind, forecastUserTypesMax),
  signIn: signInHabit,
  platforms: alternatives(platform),
  signInContexts: alternatives(circumstance),
  answers: answersByMethod,
};

const defaults = z.strictObject(behavior).partial();

/** Input of `nudgelab forecast`: a tenant described by probability distributions. */
export const forecastSchema = z
  .strictObject({
    name: z.string().min(1).max(200).default('tenant'),
    ruleset: z.string().default('seed'),
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
    tenant: tenantFactsSchema.prefault({}),
    /** Default behavior of all segments that do not override it. */
    defaults: defaults.prefault({}),
    segments: alternatives(defaults.extend({ name: z.string().min(1).max(200).optional(), share })).default([{}]),
  })
  .superRefine(({ defaults: shared, segments }, context) => {
    segments.forEach((segment, index) => {
      const missing = (['signIn', 'answers'] as const).filter(
        (key) => segment[key] === undefined && shared[key] === undefined,
      );
      if (missing.length === 0) return;
      context.addIssue({
        code: 'custom',
        path: ['segments', index],
        message: `has no ${missing.join(' and no ')}, and the defaults have none either`,
      });
    });
  });

export type ForecastDescription = z.output<typeof forecastSchema>;
/** Forecast input as users write it. Omitted values have defaults. */
export type ForecastInput = z.input<typeof forecastSchema>;
export type SignInPattern = z.output<typeof signInHabit>;
export type UserKind = z.output<typeof userKind>;
export type PlatformShare = z.output<typeof platform>;
export type CircumstanceShare = z.output<typeof circumstance>;
export type PromptAnswers = z.output<typeof answers>;
