import { type Request, Router } from 'express';
import { registeredMethods } from '../../../machines/vocabulary.ts';
import { directoryOperations } from '../../contract/control-operations.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { passkeyView, phoneView } from './factor-view.ts';
import { param, serveSandbox } from './serve.ts';
import { ledgerView, listedUser, userView } from './user-view.ts';

/** Users of a sandbox with their methods and ledgers, and what their next sign-in will be like. */
export function userRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  const ask = directoryOperations;

  serveSandbox(router, sandboxes, ask.listUsers, ({ directory }, { query: { limit, ...filter } }) => {
    const { users: rows, total, judged } = directory.userPage({ ...filter, limit: limit + 1 });
    const page = rows.slice(0, limit);
    // Whoever looks at many users is likely to search among them next.
    if (total > limit && filter.search === undefined) directory.prepareSearch().catch(() => undefined);
    return {
      users: page.map((user) => listedUser(user, directory.ledger(user.id))),
      next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      total,
      ...(filter.reason === undefined ? {} : { judged }),
    };
  });

  serveSandbox(router, sandboxes, ask.getPopulation, ({ directory }) => {
    const { nextPromptAtMs, ...population } = directory.population();
    return { ...population, nextPromptAt: nextPromptAtMs === null ? null : toInstant(nextPromptAtMs) };
  });

  serveSandbox(router, sandboxes, ask.getUser, ({ directory }, { request }) => userView(directory, userId(request)));

  serveSandbox(router, sandboxes, ask.putUser, async ({ directory }, { body, request, response }) => {
    const id = userId(request);
    const { ledger: _derived, ...facts } = body;
    const before = directory.userCount();
    await directory.putUser(id, facts);
    if (directory.userCount() > before) response.status(201).location(request.originalUrl);
    return userView(directory, id);
  });

  serveSandbox(router, sandboxes, ask.patchUser, async ({ directory }, { body, request }) => {
    const { ledger: _derived, ...patch } = body;
    await directory.patchUser(userId(request), patch);
    return userView(directory, userId(request));
  });

  serveSandbox(router, sandboxes, ask.deleteUser, ({ directory }, { request }) =>
    directory.removeUser(userId(request)),
  );

  serveSandbox(router, sandboxes, ask.putSnooze, async ({ directory }, { body, request }) =>
    ledgerView(await directory.setLedger(userId(request), body)),
  );

  serveSandbox(router, sandboxes, ask.removeMethod, async ({ directory }, { request }) => {
    await directory.removeMethod(userId(request), methodOf(request));
    return userView(directory, userId(request));
  });

  serveSandbox(router, sandboxes, ask.listPasskeys, ({ id, directory }, { request }) => ({
    passkeys: directory.passkeys(userId(request)).map((held) => passkeyView(id, userId(request), held)),
  }));

  serveSandbox(router, sandboxes, ask.getPhone, (sandbox, { request }) => phoneView(sandbox, userId(request)));

  serveSandbox(router, sandboxes, ask.settleUser, async ({ directory }, { request }) =>
    ledgerView(await directory.settleLeaves(userId(request))),
  );

  serveSandbox(router, sandboxes, ask.prepareSignIn, async ({ directory }, { body, request }) => {
    const user = userId(request);
    await directory.setNextSignIn(user, body);
    return { user, attempt: body };
  });

  return router;
}

function userId(request: Request): string {
  return param(request, 'user');
}

const removableMethods = [...registeredMethods, 'fido2'] as const;

/** The method that the path names. Throws `bad-request` with the names there are. */
function methodOf(request: Request): (typeof removableMethods)[number] {
  const named = param(request, 'method');
  const method = removableMethods.find((known) => known === named);
  if (method !== undefined) return method;
  throw new NudgeLabError('bad-request', {
    problems: [{ place: 'path.method', message: `"${named}" is not one of ${removableMethods.join(', ')}` }],
  });
}
