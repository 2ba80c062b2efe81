import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { DocumentRequest } from '../../sandbox/documents/document-exchange.ts';
import { apiPath, documentPaths, filesPath } from '../../sandbox/documents/document-paths.ts';
import { writeBytesMax } from '../../sandbox/documents/document-requests.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { afterCommit } from '../after-commit.ts';
import { bodyBytes } from '../body-bytes.ts';
import { meetsLineFault } from '../connection-faults.ts';
import type { FaultListener } from '../faults.ts';
import { inOrder } from '../in-order.ts';
import { getSandbox, resolveSandbox } from '../resolve-sandbox.ts';
import { documentErrors, sendDocumentAnswer } from './document-answers.ts';
import { sendDocumentFile } from './document-files.ts';
import { getDocumentLocation } from './document-place.ts';

/**
 * Creates the router of the document records API and the files of its records. All errors below its paths have the
 * format of this API.
 *
 * @param onFault - listener for unexpected errors
 */
export function documentApi(sandboxes: Sandboxes, { onFault }: { readonly onFault?: FaultListener } = {}): Router {
  const router = Router({ mergeParams: true });
  const resolve = resolveSandbox(sandboxes);
  router.use(apiPath, inOrder(resolve, meetFaults, answerRequest));
  router.use(filesPath, resolve, meetFaults, sendDocumentFile);
  router.use([...documentPaths], documentErrors(onFault));
  return router;
}

const meetFaults: RequestHandler = (request, response, next) => {
  if (!meetsLineFault('document', { request, response, next })) next();
};

const answerRequest: RequestHandler = async (request, response) => {
  const sandbox = getSandbox(response);
  const answer = await afterCommit(sandbox, () => sandbox.documentRequests.ask(toDocumentRequest(request, response)));
  sendDocumentAnswer(request, response, answer);
};

/** Converts a request to the format of the sandbox. The router must have resolved the sandbox. */
function toDocumentRequest(request: Request, response: Response): DocumentRequest {
  const { method, originalUrl, headers, path } = request;
  const queryAt = originalUrl.indexOf('?');
  return {
    method,
    path: `${apiPath}${path}`,
    query: new URLSearchParams(queryAt === -1 ? '' : originalUrl.slice(queryAt + 1)),
    headers: {
      accept: headers.accept,
      authorization: headers.authorization,
      contentType: headers['content-type'],
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
    },
    readBody: () => bodyBytes(request, writeBytesMax),
    ...getDocumentLocation(request, getSandbox(response).id),
  };
}
