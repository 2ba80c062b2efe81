import type { ErrorRequestHandler, RequestHandler } from 'express';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import { errorTable, NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type FaultListener, reportFault } from '../faults.ts';
import { getSandbox } from '../resolve-sandbox.ts';
import { createReader, type Reader, toPageTenant } from './brand.ts';
import type { PageTenant, ServerPart } from './pages/layout.ts';
import { problemPage } from './pages/problem.page.ts';
import { sendPage } from './send-page.ts';
import { textsIn } from './texts/page-texts.ts';

/**
 * Creates the error handler of the pages. It renders a page with the problem, the suggested action, and the stable
 * error code.
 *
 * @param onFault - listener for unexpected errors
 */
export function pageErrors(
  onFault: FaultListener = () => undefined,
  part: ServerPart = 'sign-in',
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const known = asExpected(error);
    reportFault(onFault, request, known ?? error);
    if (response.headersSent) {
      next(error);
      return;
    }
    const { code, publicMessage: message, status, action, headers } = known ?? new NudgeLabError('internal-error');
    const sandbox = getSandbox(response) as Sandbox | undefined;
    const tenant = sandbox === undefined ? unknownTenant : createPageTenant(sandbox, createReader(request));
    const { title } = errorTable[code];
    sendPage(response, status, problemPage({ code, title, message, action, tenant, part }), { headers });
  };
}

/** Tenant of pages that belong to no sandbox. */
export const unknownTenant: PageTenant = {
  sandboxId: defaultSandboxId,
  texts: textsIn('en'),
  branding: null,
  frozenAt: null,
  brandStylesheet: null,
};

/** Returns the tenant of a sandbox. A failed or deleted sandbox has no branding. */
function createPageTenant(sandbox: Sandbox, reader: Reader): PageTenant {
  try {
    return toPageTenant(sandbox, reader);
  } catch {
    return { ...unknownTenant, sandboxId: sandbox.id };
  }
}

/** Handles requests that no other route handled. Throws `not-found`. */
export const pageNotFound: RequestHandler = () => {
  throw new NudgeLabError('not-found', { message: 'This page does not exist.' });
};

/** Converts failures, including those of Express, to expected errors. Returns `null` for a bug. */
function asExpected(error: unknown): NudgeLabError | null {
  if (error instanceof NudgeLabError) return error;
  const { status } = error as { readonly status?: unknown };
  if (error instanceof Error && typeof status === 'number' && status < 500) {
    return new NudgeLabError('bad-request', { message: 'The URL is malformed.', cause: error });
  }
  return null;
}
