import type { Response } from 'express';
import { getDialect, getErrorArea } from '../contract/directory-api/dialect.ts';
import type { FaultyEndpoint } from '../contract/fault.schema.ts';
import { policyErrorBody } from '../contract/policy-error.ts';
import { errorTable } from '../core/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createApiHeaders } from './directory-api/api-headers.ts';
import { sendDocumentFailure } from './document-api/document-answers.ts';
import { createReader, toPageTenant } from './identity/brand.ts';
import { problemPage } from './identity/pages/problem.page.ts';
import { sendPage } from './identity/send-page.ts';
import { sendLookupFailure } from './lookup-api/lookup-answers.ts';
import { getCorsHeaders } from './oidc/cors.ts';
import { createSignInError } from './oidc/tenant-form/sign-in-errors.ts';
import { getAddressForm } from './oidc/tenant-form/tenant-pages.ts';
import { getSandbox } from './resolve-sandbox.ts';

/** Response of a fault that replaces the response of the endpoint. */
export interface FailureAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const tooManyRequests = 429;
const serviceUnavailable = 503;

/** Sends the response of a fault in the error format of its endpoint. The sandbox of the response must be set. */
export function sendFailure(endpoint: FaultyEndpoint, answer: FailureAnswer, response: Response): void {
  const sandbox = getSandbox(response);
  if (endpoint === 'lookup') sendLookupFailure(answer.status, formatMessage(answer.status), response, answer.headers);
  else if (endpoint === 'document')
    sendDocumentFailure(answer.status, formatMessage(answer.status), response, answer.headers);
  else if (endpoint === 'policy' || endpoint === 'directory') sendPolicyFailure(answer, sandbox, response);
  else if (pages.has(endpoint)) sendProblem(answer, sandbox, response);
  else sendOauthFailure(answer, response);
}

/** Endpoints whose failures are pages for users. */
const pages: ReadonlySet<FaultyEndpoint> = new Set(['sign-in', 'authorize', 'device-verification']);

function sendPolicyFailure(
  { status, headers }: FailureAnswer,
  { clock, directory }: Sandbox,
  response: Response,
): void {
  const { req: request } = response;
  const always = createApiHeaders(request);
  const error = { status, message: formatMessage(status), problems: [] };
  const { 'request-id': requestId, 'client-request-id': clientRequestId } = always;
  const body = policyErrorBody(error, {
    requestId,
    clientRequestId,
    dateMs: clock.nowMs(),
    dialect: getDialect(directory.settings()),
    area: getErrorArea(request.path),
  });
  response.status(status).set({ ...always, ...headers });
  response.json(body);
}

function sendProblem({ status, headers }: FailureAnswer, sandbox: Sandbox, response: Response): void {
  const code = status === tooManyRequests ? 'too-many-requests' : 'fault-injected';
  const document = problemPage({
    code,
    title: errorTable[code].title,
    message: formatMessage(status),
    action: errorTable[code].action,
    tenant: toPageTenant(sandbox, createReader(response.req)),
  });
  sendPage(response, status, document, { headers });
}

/** Sends a failure in the error format of OAuth 2.0, or of the tenant form (CL18). */
function sendOauthFailure({ status, headers }: FailureAnswer, response: Response): void {
  const error =
    status === tooManyRequests || status === serviceUnavailable ? 'temporarily_unavailable' : 'server_error';
  const description = formatMessage(status);
  response
    .status(status)
    .set({ ...headers, 'Cache-Control': 'no-store', ...getCorsHeaders(response) })
    .json(
      getAddressForm(response) === 'plain'
        ? { error, error_description: description }
        : createSignInError(
            { error, description, fault: null },
            { sandbox: getSandbox(response), request: response.req },
          ),
    );
}

function formatMessage(status: number): string {
  return status === tooManyRequests
    ? 'An injected fault of this sandbox rejects further requests. Retry after the time in Retry-After.'
    : 'An injected fault of this sandbox makes this endpoint fail.';
}
