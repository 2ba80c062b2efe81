import { Router } from 'express';
import { registeredMethods } from '../../../machines/vocabulary.ts';
import { directoryOperations } from '../../contract/control-operations.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { passkeyView, phoneView } from './factor-view.ts';
import { serveSandbox } from './serve.ts';
import { listedUser, userView } from './user-view.ts';

/** Creates the routes for users, their methods and nudge statuses, and the attempt facts of their next sign-in. */
export function userRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  const ask = directoryOperations;

  serveSandbox(router, sandboxes, ask.listUsers, ({ directory }, { query: { limit, ...filter } }) => {
    const { users: rows, total, evaluated } = directory.userPage({ ...filter, limit: limit + 1 });
    const page = rows.slice(0, limit);
    // Prepare the search index, because clients that list many users often search next.
    if (total > limit && filter.search === undefined) directory.prepareSearch().catch(() => undefined);
    return {
      users: page.map((user) => listedUser(user, directory.nudgeStatus(user.id))),
      next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      total,
      ...(filter.reason === undefined ? {} : { evaluated }),
    };
  });

  serveSandbox(router, sandboxes, ask.getUserSummary, ({ directory }) => {
    const { nextPromptAtMs, ...population } = directory.population();
    return { ...population, nextPromptAt: nextPromptAtMs === null ? null : toInstant(nextPromptAtMs) };
  });

  serveSandbox(router, sandboxes, ask.getUser, ({ directory }, { params }) => userView(directory, params.user));

  serveSandbox(router, sandboxes, ask.putUser, async ({ directory }, { body, params, request, response }) => {
    const id = params.user;
    const { nudgeStatus: _derived, ...facts } = body;
    const before = directory.userCount();
    await directory.putUser(id, facts);
    if (directory.userCount() > before) response.status(201).location(request.originalUrl);
    return userView(directory, id);
  });

  serveSandbox(router, sandboxes, ask.patchUser, async ({ directory }, { body, params }) => {
    const { nudgeStatus: _derived, ...patch } = body;
    await directory.patchUser(params.user, patch);
    return userView(directory, params.user);
  });

  serveSandbox(router, sandboxes, ask.deleteUser, ({ directory }, { params }) => directory.removeUser(params.user));

  serveSandbox(router, sandboxes, ask.putSnooze, async ({ directory }, { body, params }) =>
    directory.setSnooze(params.user, body),
  );

  serveSandbox(router, sandboxes, ask.clearBrowser, ({ directory }, { params }) => directory.clearBrowser(params.user));

  serveSandbox(router, sandboxes, ask.resetLedger, ({ directory }, { params }) => directory.resetLedger(params.user));

  serveSandbox(router, sandboxes, ask.removeMethod, async ({ directory }, { params }) => {
    await directory.removeMethod(params.user, parseMethod(params.method));
    return userView(directory, params.user);
  });

  serveSandbox(router, sandboxes, ask.listPasskeys, ({ id, directory }, { params }) => ({
    passkeys: directory.passkeys(params.user).map((passkey) => passkeyView(id, params.user, passkey)),
  }));

  serveSandbox(router, sandboxes, ask.getPhone, (sandbox, { params }) => phoneView(sandbox, params.user));

  serveSandbox(router, sandboxes, ask.settlePendingCloses, async ({ directory }, { params }) =>
    directory.settlePendingCloses(params.user),
  );

  serveSandbox(router, sandboxes, ask.prepareSignIn, async ({ directory }, { body, params }) => {
    const user = params.user;
    await directory.setNextSignIn(user, body);
    return { user, attempt: body };
  });

  return router;
}

const removableMethods = [...registeredMethods, 'fido2'] as const;

/** Parses the method in the path. Throws `bad-request` with the allowed methods. */
function parseMethod(named: string): (typeof removableMethods)[number] {
  const method = removableMethods.find((known) => known === named);
  if (method !== undefined) return method;
  throw new NudgeLabError('bad-request', {
    problems: [{ location: 'path.method', message: describeUnknownName(named, removableMethods) }],
  });
}
