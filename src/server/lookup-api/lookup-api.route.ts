import { type RequestHandler, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { afterCommit } from '../after-commit.ts';
import { meetsLineFault } from '../connection-faults.ts';
import { leaveSandbox } from '../enter-sandbox.ts';
import type { FaultListener } from '../faults.ts';
import { inOrder } from '../in-order.ts';
import { noteLookup } from '../request-log.ts';
import { getSandbox, resolveSandbox } from '../resolve-sandbox.ts';
import { lookupErrors, sendLookupAnswer } from './lookup-answers.ts';
import { lookupPath } from './lookup-paths.ts';

/**
 * Creates the router of the lookup API: a single path, configured entirely by its query (L1). All errors below the path
 * have the format of this API.
 *
 * @param onFault - listener for unexpected errors
 */
export function lookupApi(sandboxes: Sandboxes, { onFault }: { readonly onFault?: FaultListener } = {}): Router {
  const router = Router({ mergeParams: true });
  const resolve = resolveSandbox(sandboxes);
  router.all(lookupPath, inOrder(resolve, meetFaults, answer));
  router.use(lookupPath, resolve, refusePath);
  router.use(lookupPath, lookupErrors(onFault));
  return router;
}

const meetFaults: RequestHandler = (request, response, next) => {
  if (!meetsLineFault('lookup', { request, response, next })) next();
};

const answer: RequestHandler = async (request, response) => {
  const sandbox = getSandbox(response);
  const { method, originalUrl, headers } = request;
  const queryAt = originalUrl.indexOf('?');
  const query = queryAt === -1 ? '' : originalUrl.slice(queryAt + 1);
  const answered = await afterCommit(sandbox, () =>
    sandbox.lookup.ask({ method, query, authorization: headers.authorization }),
  );
  if (answered.requestedTool !== null) noteLookup(response, answered.requestedTool);
  // A fault can delay the response, which must not block other requests of the sandbox.
  leaveSandbox(response);
  sendLookupAnswer(response, answered);
};

const refusePath: RequestHandler = () => {
  throw new NudgeLabError('not-found', {
    message: `The path does not exist; the only endpoint of this API is ${lookupPath}/.`,
  });
};
