import { Router } from 'express';
import { directoryOperations } from '../../contract/control-operations.ts';
import type { faultsResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import type { StoredFault } from '../../sandbox/fault-injector.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { serveSandbox } from './serve.ts';

/** Creates the routes that read and replace the faults of a sandbox. */
export function faultRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  const { getFaults, putFaults, clearFaults } = directoryOperations;

  serveSandbox(router, sandboxes, getFaults, ({ faults }) => faultsView(faults.list()));

  serveSandbox(router, sandboxes, putFaults, async ({ faults }, { body }) => faultsView(await faults.set(body.faults)));

  serveSandbox(router, sandboxes, clearFaults, ({ faults }) => faults.clear());

  return router;
}

function faultsView(faults: readonly StoredFault[]): ResponseBody<typeof faultsResponse> {
  return { faults: faults.map(({ fault }) => fault), occurrences: faults.map(({ occurrences }) => occurrences) };
}
