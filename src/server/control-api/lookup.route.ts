import { Router } from 'express';
import type { ResponseBody } from '../../contract/control-responses.schema.ts';
import { lookupTypes } from '../../contract/lookup.schema.ts';
import { lookupOperations } from '../../contract/lookup-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { serve, serveSandbox } from './serve.ts';

/** Creates the routes for the lookup service of a sandbox: its setup, its callers, and the logged calls. */
export function lookupRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  const ask = lookupOperations;

  serve(router, ask.getLookupOpenapi, async () => (await import('../../contract/lookup-openapi.ts')).lookupDocument);

  serveSandbox(router, sandboxes, ask.getLookup, (sandbox) => serviceView(sandbox));

  serveSandbox(router, sandboxes, ask.changeLookup, async (sandbox, { body }) => {
    await sandbox.lookup.administration.change(body);
    return serviceView(sandbox);
  });

  serveSandbox(router, sandboxes, ask.setLookupTool, ({ lookup }, { params, body }) => {
    return lookup.administration.enableTool(parseType(params.type), params.tool, body.enabled);
  });

  serveSandbox(router, sandboxes, ask.putLookupAccount, async ({ lookup }, { params, body }) => {
    const { passwordHash: _secret, ...account } = await lookup.administration.putAccount(params.account, body);
    return account;
  });

  serveSandbox(router, sandboxes, ask.issueLookupToken, ({ lookup }, { body }) =>
    lookup.administration.issueToken(body.account, body.name),
  );

  serveSandbox(router, sandboxes, ask.renameLookupToken, ({ lookup }, { params, body }) =>
    lookup.administration.renameToken(params.token, body.name),
  );

  serveSandbox(router, sandboxes, ask.revokeLookupToken, ({ lookup }, { params }) =>
    lookup.administration.revokeToken(params.token),
  );

  serveSandbox(router, sandboxes, ask.listLookupCalls, ({ lookup }) => callsView(lookup.administration.calls()));

  return router;
}

function serviceView({ lookup }: Sandbox): ResponseBody<typeof lookupOperations.getLookup.reply & object> {
  const { tools, settings, known } = lookup.service();
  return {
    tools: { email: tools.email.map(copied), username: tools.username.map(copied) },
    settings,
    accounts: lookup.administration.accounts().map(({ passwordHash: _secret, ...account }) => account),
    tokens: [...lookup.administration.tokens()],
    known: known.size,
  };
}

type Tool = ReturnType<Sandbox['lookup']['service']>['tools']['email'][number];

function copied({ fields, ...tool }: Tool): Omit<Tool, 'fields'> & { fields: [...Tool['fields']] } {
  return { ...tool, fields: [...fields] };
}

function callsView(
  callers: ReturnType<Sandbox['lookup']['administration']['calls']>,
): ResponseBody<typeof lookupOperations.listLookupCalls.reply & object> {
  const total: Record<string, number> = {};
  for (const { byTool } of callers) {
    for (const [tool, times] of Object.entries(byTool)) total[tool] = (total[tool] ?? 0) + times;
  }
  return { callers: callers.map(({ caller, byTool }) => ({ caller, byTool: { ...byTool } })), byTool: total };
}

function parseType(named: string): (typeof lookupTypes)[number] {
  const type = lookupTypes.find((known) => known === named);
  if (type !== undefined) return type;
  throw new NudgeLabError('not-found', { message: `The type of a tool must be one of ${lookupTypes.join(', ')}.` });
}
