import { z } from 'zod';
import { targetedMethods } from '../../machines/vocabulary.ts';
import { analysisSeedsMax, propertiesTextMax } from '../core/limits.ts';
import { assumptions, comparisonSchema } from './comparison.schema.ts';
import { forecastSchema } from './forecast.schema.ts';
import { ownForecastSchema } from './own-forecast.schema.ts';
import { errorSchema } from './problem.schema.ts';

/** Request and response schemas of the analyses that the server runs in the background. */

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

const ownForecastOrder = z.strictObject({
  kind: z.literal('ownForecast'),
  /** Forecast input of an own campaign, whose ruleset is the id of one of the server. */
  description: ownForecastSchema,
  /** Number of random seeds. Percentile bands need at least two. */
  seeds: z.int().min(1).max(analysisSeedsMax).default(1),
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

/** Machines whose properties the server can check; larger ones are left to the command line. */
const checkedMachines = [
  'lifecycle',
  'tenant',
  'nudge',
  'sign-in',
  'campaign',
  'passkey-eligibility',
  'document',
] as const;

const propertiesOrder = z.strictObject({
  kind: z.literal('properties'),
  machine: z.enum(checkedMachines).default('lifecycle'),
  /** Text of a properties file; those of the specification if it is absent. */
  text: z.string().max(propertiesTextMax).optional(),
});

/** Request body of `POST analyses`. */
export const analysisRequest = z.discriminatedUnion('kind', [
  forecastOrder,
  ownForecastOrder,
  comparisonOrder,
  propertiesOrder,
]);
export type AnalysisRequest = z.output<typeof analysisRequest>;
export type PropertiesRequest = z.output<typeof propertiesOrder>;
export type ForecastRequest = z.output<typeof forecastOrder>;
export type OwnForecastRequest = z.output<typeof ownForecastOrder>;
export type ComparisonRequest = z.output<typeof comparisonOrder>;

const analysisStates = ['queued', 'running', 'finished', 'failed', 'canceled'] as const;

/** Status and progress of an analysis. */
export const analysisResponse = z.strictObject({
  id: z.string(),
  kind: z.enum(['forecast', 'ownForecast', 'comparison', 'properties']),
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

const factValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Result of checking one property on all reachable states of a machine. */
const propertyResult = z.strictObject({
  id: z.string(),
  title: z.string(),
  covers: z.array(z.string()),
  verdict: z.enum(['proven', 'violated', 'vacuous']),
  kind: z.enum(['safety', 'liveness']),
  states: count,
  steps: count,
  automatonStates: count,
  visited: count,
  counterexample: z
    .strictObject({
      start: factValues,
      /** Number of steps before the part that repeats forever; `null` if the steps alone refute the property. */
      cycleFrom: count.nullable(),
      steps: z.array(
        z.strictObject({ action: z.string(), events: z.array(z.string()), facts: factValues, taken: z.boolean() }),
      ),
    })
    .nullable(),
});

/** Property that a user of the sandbox has violated. */
const propertyViolation = z.strictObject({
  property: z.string(),
  title: z.string(),
  covers: z.array(z.string()),
  userId: z.string(),
  at: z.string(),
  event: z.string().nullable(),
});

/**
 * Result of an analysis: the report of `nudgelab forecast --json`, the policy comparison with the affected users, or
 * the results of `nudgelab properties --json` with the violations in the journal of the sandbox.
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
  z.strictObject({
    kind: z.literal('properties'),
    machine: z.enum(checkedMachines),
    properties: z.array(propertyResult),
    /** First violations in the journal; `null` if no property can be watched there. */
    violations: z.array(propertyViolation).nullable(),
  }),
]);
export type AnalysisResult = z.output<typeof analysisResultResponse>;

/** Forecast input derived from the sandbox, with notes on values that are not sandbox facts. */
export const forecastInputResponse = z.strictObject({ description: z.looseObject({}), notes: z.array(z.string()) });
