import { Router } from 'express';
import { directoryOperations } from '../../contract/control-operations.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { serveSandbox } from './serve.ts';

/** Creates the routes for the tenant facts and for the settings that no rule reads. */
export function tenantRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  const { getTenant, putTenant, patchTenant, getSettings, putSettings, patchSettings } = directoryOperations;

  serveSandbox(router, sandboxes, getTenant, ({ directory }) => directory.tenant());

  serveSandbox(router, sandboxes, putTenant, ({ directory }, { body: { settings, ...facts } }) =>
    directory.putTenant(facts, 'control-api', settings),
  );

  serveSandbox(router, sandboxes, patchTenant, ({ directory }, { body }) => directory.patchTenant(body, 'control-api'));

  serveSandbox(router, sandboxes, getSettings, ({ directory }) => directory.settings());

  serveSandbox(router, sandboxes, putSettings, ({ directory }, { body }) => directory.putSettings(body, 'control-api'));

  serveSandbox(router, sandboxes, patchSettings, ({ directory }, { body }) =>
    directory.patchSettings(body, 'control-api'),
  );

  return router;
}
