import { Router } from 'express';
import type { AnalysisRequest, ForecastRequest, OwnForecastRequest } from '../../contract/analysis.schema.ts';
import { analysisOperations } from '../../contract/analysis-operations.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import {
  analysisDaysMax,
  analysisEntriesMax,
  analysisUserDaysMax,
  analysisUsersMax,
  analysisVariantsMax,
} from '../../core/limits.ts';
import { hasOwnCampaign } from '../../journal/own-campaign-events.ts';
import { draftForecastInput } from '../../sandbox/forecast-input-draft.ts';
import { draftOwnForecastInput } from '../../sandbox/own-forecast-input.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { AnalysisRunner } from '../analysis-runner.ts';
import { AnalysisQueue } from './analysis-queue.ts';
import { serveSandbox } from './serve.ts';

/**
 * Creates the routes that start, read, and cancel forecasts and comparisons. `runner` is `null` if none is available.
 */
export function analysisRoutes(sandboxes: Sandboxes, runner: AnalysisRunner | null): Router {
  const router = Router();
  const ask = analysisOperations;
  const queue = new AnalysisQueue(
    runner,
    (sandbox) => sandboxes.has(sandbox.id) && sandboxes.get(sandbox.id) === sandbox,
  );

  serveSandbox(router, sandboxes, ask.getForecastInput, ({ recorder }) => {
    const state = recorder.state();
    return hasOwnCampaign(state) ? draftOwnForecastInput(state) : draftForecastInput(state);
  });
  serveSandbox(router, sandboxes, ask.listAnalyses, (sandbox) => ({ analyses: [...queue.list(sandbox)] }));
  serveSandbox(router, sandboxes, ask.startAnalysis, (sandbox, { body, request, response }) => {
    refuseTooLarge(sandbox, body);
    const analysis = queue.start(sandbox, body);
    response.location(`${request.originalUrl}/${analysis.id}`);
    return analysis;
  });
  serveSandbox(router, sandboxes, ask.getAnalysis, (sandbox, { params }) => queue.get(sandbox, params.analysis));
  serveSandbox(router, sandboxes, ask.getAnalysisResult, (sandbox, { params }) =>
    queue.result(sandbox, params.analysis),
  );
  serveSandbox(router, sandboxes, ask.cancelAnalysis, (sandbox, { params }) => queue.cancel(sandbox, params.analysis));
  serveSandbox(router, sandboxes, ask.deleteAnalysis, (sandbox, { params }) => queue.forget(sandbox, params.analysis));
  return router;
}

/** Throws `analysis-too-large` with every exceeded limit. */
function refuseTooLarge(sandbox: Sandbox, order: AnalysisRequest): void {
  const problems = isForecast(order) ? tooLarge(order) : tooLong(sandbox.entryCount);
  if (problems.length > 0) throw new NudgeLabError('analysis-too-large', { problems });
}

type Problems = readonly ValidationProblem[];

function isForecast(order: AnalysisRequest): order is ForecastRequest | OwnForecastRequest {
  return order.kind === 'forecast' || order.kind === 'ownForecast';
}

function tooLarge(order: ForecastRequest | OwnForecastRequest): Problems {
  const { seeds } = order;
  const { users, days } = order.description;
  const { sweep, sensitivity } = order.kind === 'forecast' ? order : { sweep: undefined, sensitivity: false };
  const variants =
    sweep === undefined
      ? 0
      : [sweep.snoozeDays, sweep.limited, sweep.method].reduce((n, { length }) => n * Math.max(1, length), 1);
  // A sensitivity analysis runs twice for each varied input: with a lower and with a higher value.
  const moved = sensitivity ? movedRuns : 0;
  const userDays = users * days * (seeds + variants + moved);
  const most = (place: string, what: string, value: number, max: number): Problems =>
    value <= max ? [] : [{ location: place, message: `${value} ${what} exceed the maximum of ${max}` }];
  return [
    ...most('body.description.users', 'users', users, analysisUsersMax),
    ...most('body.description.days', 'days', days, analysisDaysMax),
    ...most('body.sweep', 'policies', variants, analysisVariantsMax),
    ...most('body', 'user days over all runs', userDays, analysisUserDaysMax),
  ];
}

const movedRuns = 20;

function tooLong(entries: number): Problems {
  if (entries <= analysisEntriesMax) return [];
  return [{ location: 'journal', message: `the journal has ${entries} entries; the maximum is ${analysisEntriesMax}` }];
}
