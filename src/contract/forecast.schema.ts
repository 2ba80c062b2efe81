import { z } from 'zod';
import { passkeyTypes, targetedMethods } from '../../machines/vocabulary.ts';
import { forecastAttemptsOfADayMax, forecastDaysMax, forecastUsersMax } from '../core/limits.ts';
import { attemptPatchSchema, tenantFactsSchema, userFactsSchema } from './facts.schema.ts';

/** The days of a week as descriptions write them, Monday first. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** How far shares may be from one together, so that thirds can be written. */
const shareTolerance = 1e-6;

const probability = z.number().min(0).max(1);

/** Shares of a whole that must come to one. Takes what is written and how to read the shares from it. */
function wholeOf<S extends z.ZodType>(schema: S, sharesOf: (value: z.output<S>) => readonly number[]): S {
  return schema.superRefine((value, context) => {
    const sum = sharesOf(value as z.output<S>).reduce((total, share) => total + share, 0);
    if (Math.abs(sum - 1) <= shareTolerance) return;
    context.addIssue({
      code: 'custom',
      message: `the shares come to ${Number(sum.toPrecision(7))}, and must come to 1`,
    });
  });
}

/** A list of alternatives of which each has a share; a single one may leave its share out. */
function alternatives<S extends z.ZodType<{ readonly share?: number | undefined }>>(schema: S) {
  return wholeOf(z.array(schema).min(1).max(1_000), (list) =>
    list.map(({ share }) => share ?? (list.length === 1 ? 1 : 0)),
  );
}

const share = probability.optional();

const userKind = z.strictObject({
  share,
  ...userFactsSchema.pick({ type: true, groups: true, methods: true, mfaCapable: true }).shape,
  passkeys: z.array(z.union([z.enum(passkeyTypes), userFactsSchema.shape.passkeys.unwrap().element])).default([]),
  /** Where the user stands before the first day: the count, and how many days ago the latest snooze began. */
  snooze: z
    .strictObject({
      count: z.int().min(0).max(1_000).default(0),
      daysAgo: z.number().min(0).max(3_660).nullable().default(null),
    })
    .prefault({}),
});

const signInHabit = z.strictObject({
  /** For each day of the week, how likely a user signs in on it at all. */
  weekdays: z.strictObject(Object.fromEntries(weekdays.map((day) => [day, probability.default(0)]))),
  /** Of the days with a sign-in, the share of those with one attempt, with two, and so on. */
  perDay: wholeOf(z.array(probability).min(1).max(forecastAttemptsOfADayMax), (shares) => shares).default([1]),
  /** Shares of the hours of the day, in UTC. Without them every attempt is at 09:00 sharp. */
  hours: wholeOf(z.record(z.string().regex(/^([01]?\d|2[0-3])$/, 'an hour is 0 to 23'), probability), Object.values)
    .nullable()
    .default(null),
});

const platform = z.strictObject({
  share,
  ...attemptPatchSchema.pick({ os: true, browser: true, surface: true, deviceId: true }).shape,
  /** The kind of passkey that a user makes here; default: the usual one of the operating system. */
  passkey: z.enum(passkeyTypes).optional(),
});

const circumstance = z.strictObject({
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

const skippableAnswer = wholeOf(
  z.strictObject({
    register: probability.default(0),
    skip: probability.default(0),
    close: probability.default(0),
    letExpire: probability.default(0),
    closeDuringSetup: probability.default(0),
  }),
  Object.values,
);

const requiredAnswer = wholeOf(
  z.strictObject({
    register: probability.default(0),
    close: probability.default(0),
    letExpire: probability.default(0),
    closeDuringSetup: probability.default(0),
  }),
  Object.values,
);

const answers = z.strictObject({
  /** What users do at a prompt with a skip, by how often they were asked: the last entry holds from then on. */
  skippable: z.array(skippableAnswer).min(1).max(32),
  /** The same where registration is required. */
  required: z
    .array(requiredAnswer)
    .min(1)
    .max(32)
    .default([{ register: 1, close: 0, letExpire: 0, closeDuringSetup: 0 }]),
  /** How likely a registration fails, by how often the user was asked. */
  failure: z.array(probability).min(1).max(32).default([0]),
  /** What follows the error screen. A retry happens once in a sign-in. */
  onFailure: wholeOf(
    z.strictObject({
      retry: probability.default(0),
      skip: probability.default(0),
      close: probability.default(0),
    }),
    Object.values,
  ).default({ retry: 0, skip: 1, close: 0 }),
});

/** Answers, the same for both methods or one for each. */
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
  users: alternatives(userKind),
  signIn: signInHabit,
  platforms: alternatives(platform),
  signInContexts: alternatives(circumstance),
  answers: answersByMethod,
};

const defaults = z.strictObject(behavior).partial();

/** A tenant described by distributions: what `nudgelab forecast` reads. */
export const forecastSchema = z
  .strictObject({
    name: z.string().min(1).max(200).default('tenant'),
    ruleset: z.string().default('seed'),
    /** The first day; the days of the week follow from it. */
    start: z.iso.date().default('2026-01-05'),
    days: z.int().min(1).max(forecastDaysMax).default(90),
    users: z.int().min(1).max(forecastUsersMax).default(10_000),
    seed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(1),
    tenant: tenantFactsSchema.prefault({}),
    /** What holds for every segment that does not say otherwise. */
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
        message: `says nothing of ${missing.join(' and ')}, and neither do the defaults`,
      });
    });
  });

export type ForecastDescription = z.output<typeof forecastSchema>;
/** The description of a tenant as it may be written: what is left out has its default. */
export type ForecastInput = z.input<typeof forecastSchema>;
export type SignInPattern = z.output<typeof signInHabit>;
export type UserKind = z.output<typeof userKind>;
export type PlatformShare = z.output<typeof platform>;
export type CircumstanceShare = z.output<typeof circumstance>;
export type PromptAnswers = z.output<typeof answers>;
