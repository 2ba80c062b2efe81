import { z } from 'zod';
import { targetedMethods } from '../../machines/vocabulary.ts';
import { analysisSeedsMax } from '../core/limits.ts';
import { assumptions, comparisonSchema } from './comparison.schema.ts';
import { forecastSchema } from './forecast.schema.ts';
import { errorSchema } from './problem.schema.ts';

/** Request and response schemas of the forecasts and policy comparisons that the server runs in the background. */

const count = z.int().min(0);

/** Rollout switches that a variant can enable. */
const rolloutSwitches = ['method', 'snoozeDays', 'snoozeLimit', 'targeting'] as const;

/** Values of a sweep. Omitted settings keep their values from the forecast input. */
const sweep = z.strictObject({
  snoozeDays: z.array(count).max(15).default([]),
  limited: z.array(z.boolean()).max(2).default([]),
  method: z.array(z.enum(targetedMethods)).max(2).default([]),
});

const forecastOrder = z.strictObject({
  kind: z.literal('forecast'),
  /** Forecast input, as `nudgelab schema forecast` describes it. */
  description: forecastSchema,
  /** Number of random seeds. Percentile bands need at least two. */
  seeds: z.int().min(1).max(analysisSeedsMax).default(1),
  sweep: sweep.optional(),
  sensitivity: z.boolean().default(false),
});

const variantOrder = z.strictObject({
  name: z.string().min(1).max(100),
  /** Full policy, merge patch as for PATCH, or tenant facts. */
  policy: z.record(z.string(), z.unknown()).optional(),
  ruleset: z.string().optional(),
  rollout: z.array(z.enum(rolloutSwitches)).default([]),
});

const comparisonOrder = z.strictObject({
  kind: z.literal('comparison'),
  variants: z.array(variantOrder).min(1).max(4),
  assumedAction: z.enum(assumptions).default('skip'),
  /** User whose attempts are listed with the result of every gate. */
  user: z.string().min(1).optional(),
});

/** Request body of `POST analyses`. */
export const analysisRequest = z.discriminatedUnion('kind', [forecastOrder, comparisonOrder]);
export type AnalysisRequest = z.output<typeof analysisRequest>;
export type ForecastRequest = z.output<typeof forecastOrder>;
export type ComparisonRequest = z.output<typeof comparisonOrder>;

const analysisStates = ['queued', 'running', 'finished', 'failed', 'canceled'] as const;

/** Status and progress of an analysis. */
export const analysisResponse = z.strictObject({
  id: z.string(),
  kind: z.enum(['forecast', 'comparison']),
  state: z.enum(analysisStates),
  /** Completed fraction, from 0 to 1. */
  progress: z.number().min(0).max(1),
  /** Reason for the failure. */
  error: errorSchema.omit({ requestId: true }).nullable(),
});

/** Analyses of a sandbox, newest first. */
export const analysesResponse = z.strictObject({ analyses: z.array(analysisResponse) });

/** User whose verdicts change under a variant, with the number of affected attempts. */
const changedUser = z.strictObject({
  variant: z.string(),
  user: z.string(),
  attempts: count,
  newlyPrompted: count,
  noLongerPrompted: count,
  newlyRequired: count,
});

/**
 * Result of an analysis: the report of `nudgelab forecast --json`, or the policy comparison with the affected users.
 */
export const analysisResultResponse = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('forecast'), report: z.looseObject({}) }),
  z.strictObject({
    kind: z.literal('comparison'),
    comparison: comparisonSchema,
    /** First users whose verdicts changed. */
    changedUsers: z.array(changedUser),
    /** Attempts of the requested user with every gate. `null` if no user was requested. */
    timeline: z.array(z.looseObject({})).nullable(),
  }),
]);
export type AnalysisResult = z.output<typeof analysisResultResponse>;

/** Forecast input derived from the sandbox, with notes on values that are not sandbox facts. */
export const forecastInputResponse = z.strictObject({ description: z.looseObject({}), notes: z.array(z.string()) });
