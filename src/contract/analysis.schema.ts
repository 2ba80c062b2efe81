import { z } from 'zod';
import { targetedMethods } from '../../machines/vocabulary.ts';
import { analysisSeedsMax } from '../core/limits.ts';
import { assumptions, comparisonSchema } from './comparison.schema.ts';
import { forecastSchema } from './forecast.schema.ts';

/** Forecasts and comparisons that a server makes while it goes on answering: what they take and what they tell. */

const count = z.int().min(0);

/** Switches of the rollout that a variant can turn on. */
const rolloutSwitches = ['method', 'snoozeDays', 'snoozeLimit', 'targeting'] as const;

/** Values of a sweep; what is left out stays as the description has it. */
const sweep = z.strictObject({
  snoozeDays: z.array(count).max(15).default([]),
  limited: z.array(z.boolean()).max(2).default([]),
  method: z.array(z.enum(targetedMethods)).max(2).default([]),
});

const forecastOrder = z.strictObject({
  kind: z.literal('forecast'),
  /** As `nudgelab schema forecast` describes it. */
  description: forecastSchema,
  /** With how many seeds; bands are told from two on. */
  seeds: z.int().min(1).max(analysisSeedsMax).default(1),
  sweep: sweep.optional(),
  sensitivity: z.boolean().default(false),
});

const variantOrder = z.strictObject({
  name: z.string().min(1).max(100),
  /** The body of the policy, a part of it such as a PATCH sends, or facts of a tenant. */
  policy: z.record(z.string(), z.unknown()).optional(),
  ruleset: z.string().optional(),
  rollout: z.array(z.enum(rolloutSwitches)).default([]),
});

const comparisonOrder = z.strictObject({
  kind: z.literal('comparison'),
  variants: z.array(variantOrder).min(1).max(4),
  assumedAction: z.enum(assumptions).default('skip'),
  /** The one user whose attempts are told, each with every gate. */
  user: z.string().min(1).optional(),
});

/** `POST analyses`. */
export const analysisRequest = z.discriminatedUnion('kind', [forecastOrder, comparisonOrder]);
export type AnalysisRequest = z.output<typeof analysisRequest>;
export type ForecastRequest = z.output<typeof forecastOrder>;
export type ComparisonRequest = z.output<typeof comparisonOrder>;

const analysisStates = ['queued', 'running', 'finished', 'failed', 'canceled'] as const;

/** An analysis and how far it has come. */
export const analysisResponse = z.strictObject({
  id: z.string(),
  kind: z.enum(['forecast', 'comparison']),
  state: z.enum(analysisStates),
  /** The part that is done, 0 to 1. */
  progress: z.number().min(0).max(1),
  /** Why it failed. */
  error: z
    .strictObject({
      code: z.string(),
      title: z.string(),
      message: z.string(),
      action: z.string(),
      problems: z.array(z.strictObject({ location: z.string(), message: z.string() })).readonly(),
    })
    .nullable(),
});

/** Analyses of a sandbox, the newest first. */
export const analysesResponse = z.strictObject({ analyses: z.array(analysisResponse) });

/** A user for whom a variant changes something, and at how many attempts. */
const changedUser = z.strictObject({
  variant: z.string(),
  user: z.string(),
  attempts: count,
  newlyPrompted: count,
  noLongerPrompted: count,
  newlyRequired: count,
});

/** What an analysis came to: the report as `nudgelab forecast --json` prints it, or the comparison with its users. */
export const analysisResultResponse = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('forecast'), report: z.looseObject({}) }),
  z.strictObject({
    kind: z.literal('comparison'),
    comparison: comparisonSchema,
    /** The first users who changed. */
    changedUsers: z.array(changedUser),
    /** Attempts of the one user who was asked for, with every gate; `null` without one. */
    timeline: z.array(z.looseObject({})).nullable(),
  }),
]);
export type AnalysisResult = z.output<typeof analysisResultResponse>;

/** A description of the sandbox as a forecast takes it, and what of it is no fact of the sandbox. */
export const forecastInputResponse = z.strictObject({ description: z.looseObject({}), notes: z.array(z.string()) });
