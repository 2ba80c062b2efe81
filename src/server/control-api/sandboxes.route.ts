import { Router } from 'express';
import { sandboxOperations } from '../../contract/control-operations.ts';
import type { createdResponse, ResponseBody, sandboxResponse } from '../../contract/control-responses.schema.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { getServerUrl, getTenantGuid } from '../../sandbox/tenant-identity.ts';
import { type RulesetService, refuseUnknownRuleset } from '../ruleset-service.ts';
import { createLocation } from './base-url.ts';
import { clockView } from './clock.route.ts';
import { sandboxInput } from './sandbox-input.ts';
import { type ParsedRequest, serve, serveSandbox } from './serve.ts';
import { SharedPlans } from './shared-plans.ts';

type Asks = Pick<ParsedRequest<never, never>, 'request' | 'response'>;

interface SandboxRouteOptions {
  /** Public base URL of the server, if configured. */
  readonly publicUrl?: string | undefined;
}

/** Creates the routes for the OpenAPI documents and sandboxes. */
export function sandboxRoutes(
  sandboxes: Sandboxes,
  rulesets: RulesetService,
  { publicUrl }: SandboxRouteOptions,
): Router {
  const router = Router();
  const ask = sandboxOperations;
  const plans = new SharedPlans();

  // Creating this document takes a tenth of the startup time, and few clients request it.
  serve(router, ask.getOpenapi, async () => (await import('../../contract/control-openapi.ts')).controlDocument);
  serve(
    router,
    ask.getDirectoryOpenapi,
    async () => (await import('../../contract/directory-api/directory-openapi.ts')).directoryDocument,
  );
  serve(router, ask.getPolicyOpenapi, async () => (await import('../../contract/policy-openapi.ts')).policyDocument);

  serve(router, ask.listSandboxes, async ({ query, request }) => {
    const { page, next } = createPage(await sandboxes.ids(), query.after, query.limit);
    return { sandboxes: page.map((id) => createLocation(request, id, publicUrl)), next };
  });

  serve(router, ask.createSandbox, async ({ body, ...asks }) => {
    if (body.ruleset !== undefined) await refuseUnknownRuleset(body.ruleset, rulesets);
    const { id } = await sandboxes.create(body.id, plans.plan(sandboxInput(body)));
    return created(asks, id);
  });

  serveSandbox(router, sandboxes, ask.getSandbox, (sandbox, { request }) => view(sandbox, request));

  serveSandbox(router, sandboxes, ask.deleteSandbox, (sandbox) => sandboxes.remove(sandbox.id));

  serveSandbox(router, sandboxes, ask.forkSandbox, async ({ id }, { body, ...asks }) => {
    return created(asks, (await sandboxes.fork(id, body.id)).id);
  });

  serveSandbox(router, sandboxes, ask.takeSnapshot, ({ id }, { body }) => sandboxes.snapshot(id, body.name));

  serveSandbox(router, sandboxes, ask.restoreSandbox, async ({ id }, { body, request }) => {
    return view(await sandboxes.restore(id, body.name), request);
  });

  serveSandbox(router, sandboxes, ask.resetSandbox, async ({ id }, { request }) => {
    return view(await sandboxes.reset(id), request);
  });

  function view(sandbox: Sandbox, request: Asks['request']): ResponseBody<typeof sandboxResponse> {
    const location = createLocation(request, sandbox.id, publicUrl);
    const { id, recorder } = sandbox;
    return {
      ...location,
      tenantUrl: `${getServerUrl(id, location.baseUrl)}/${getTenantGuid(id, recorder.state())}`,
      ruleset: sandbox.ruleset,
      seed: sandbox.seed,
      clock: clockView(sandbox),
      users: sandbox.directory.userCount(),
      entries: sandbox.entryCount,
    };
  }

  function created({ request, response }: Asks, id: string): ResponseBody<typeof createdResponse> {
    response.location(`${request.baseUrl}/sandboxes/${id}`);
    return createLocation(request, id, publicUrl);
  }

  return router;
}

/** Returns the rows after an id, and the cursor of the next page. */
function createPage(
  ids: readonly string[],
  after: string | undefined,
  limit: number,
): { readonly page: readonly string[]; readonly next: string | null } {
  const from = after === undefined ? 0 : ids.indexOf(after) + 1;
  const page = after !== undefined && from === 0 ? [] : ids.slice(from, from + limit);
  return { page, next: from + page.length < ids.length ? (page.at(-1) ?? null) : null };
}
