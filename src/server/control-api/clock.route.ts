import { Router } from 'express';
import { sandboxOperations } from '../../contract/control-operations.ts';
import type { clockResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import { toInstant } from '../../core/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { instantMs } from './sandbox-input.ts';
import { serveSandbox } from './serve.ts';

/** The virtual clock of a sandbox: read, set and advanced; every change is an input of its journal. */
export function clockRoutes(sandboxes: Sandboxes): Router {
  const router = Router();
  const { getClock, putClock, advanceClock } = sandboxOperations;

  serveSandbox(router, sandboxes, getClock, clockView);

  serveSandbox(router, sandboxes, putClock, async (sandbox, { body: { now, running } }) => {
    await sandbox.clock.set({
      ...(now === undefined ? {} : { nowMs: instantMs(now, 'body.now') }),
      ...(running === undefined ? {} : { running }),
    });
    return clockView(sandbox);
  });

  serveSandbox(router, sandboxes, advanceClock, async (sandbox, { body }) => {
    await sandbox.clock.advance(body);
    return clockView(sandbox);
  });

  return router;
}

/** The clock of a sandbox as the API shows it. */
export function clockView({ clock }: Sandbox): ResponseBody<typeof clockResponse> {
  return { now: toInstant(clock.nowMs()), running: clock.running() };
}
