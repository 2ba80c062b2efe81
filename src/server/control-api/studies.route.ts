import { Router } from 'express';
import type { ForecastOrder, StudyOrder } from '../../contract/study.schema.ts';
import { studyOperations } from '../../contract/study-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { studyDaysMax, studyEntriesMax, studyUserDaysMax, studyUsersMax, studyVariantsMax } from '../../core/limits.ts';
import { describeTenant } from '../../sandbox/described-tenant.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { StudyRunner } from '../study-runner.ts';
import { serveSandbox } from './serve.ts';
import { StudyDesk } from './study-desk.ts';

/** Forecasts and comparisons: begun, looked at, cancelled. Takes who makes them, `null` where nobody does. */
export function studyRoutes(sandboxes: Sandboxes, runner: StudyRunner | null): Router {
  const router = Router();
  const ask = studyOperations;
  const desk = new StudyDesk(runner, (sandbox) => sandboxes.has(sandbox.id) && sandboxes.get(sandbox.id) === sandbox);

  serveSandbox(router, sandboxes, ask.describeTenant, ({ recorder }) => describeTenant(recorder.state()));
  serveSandbox(router, sandboxes, ask.listStudies, (sandbox) => ({ studies: [...desk.list(sandbox)] }));
  serveSandbox(router, sandboxes, ask.startStudy, (sandbox, { body, request, response }) => {
    refuseTooLarge(sandbox, body);
    const study = desk.start(sandbox, body);
    response.location(`${request.originalUrl}/${study.id}`);
    return study;
  });
  serveSandbox(router, sandboxes, ask.getStudy, (sandbox, { params }) => desk.get(sandbox, params.study));
  serveSandbox(router, sandboxes, ask.getStudyResult, (sandbox, { params }) => desk.result(sandbox, params.study));
  serveSandbox(router, sandboxes, ask.cancelStudy, (sandbox, { params }) => desk.cancel(sandbox, params.study));
  serveSandbox(router, sandboxes, ask.deleteStudy, (sandbox, { params }) => desk.forget(sandbox, params.study));
  return router;
}

/** Throws `study-too-large` naming everything that is. */
function refuseTooLarge(sandbox: Sandbox, order: StudyOrder): void {
  const problems = order.kind === 'forecast' ? tooLarge(order) : tooLong(sandbox.entryCount);
  if (problems.length > 0) throw new NudgeLabError('study-too-large', { problems });
}

type Problems = readonly { readonly place: string; readonly message: string }[];

function tooLarge({ description: { users, days }, seeds, sweep, sensitivity }: ForecastOrder): Problems {
  const variants =
    sweep === undefined
      ? 0
      : [sweep.snoozeDays, sweep.limited, sweep.method].reduce((n, { length }) => n * Math.max(1, length), 1);
  // The inputs that a study of sensitivity moves, down and up.
  const moved = sensitivity ? movedRuns : 0;
  const userDays = users * days * (seeds + variants + moved);
  const most = (place: string, what: string, value: number, max: number): Problems =>
    value <= max ? [] : [{ place, message: `${value} ${what} are more than ${max}` }];
  return [
    ...most('body.description.users', 'users', users, studyUsersMax),
    ...most('body.description.days', 'days', days, studyDaysMax),
    ...most('body.sweep', 'policies', variants, studyVariantsMax),
    ...most('body', 'days of all users and runs together', userDays, studyUserDaysMax),
  ];
}

const movedRuns = 20;

function tooLong(entries: number): Problems {
  if (entries <= studyEntriesMax) return [];
  return [{ place: 'journal', message: `${entries} entries are more than ${studyEntriesMax}` }];
}
