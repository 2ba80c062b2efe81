import { Router } from 'express';
import { sandboxOperations } from '../../contract/control-operations.ts';
import type { clockResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import { toInstant } from '../../core/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { instantMs } from './sandbox-input.ts';
import { serveSandbox } from './serve.ts';

/** Creates the routes that read, set, and advance the virtual clock. Every change is an event in the journal. */
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

/** Returns the clock of a sandbox in API format. */
export function clockView({ clock }: Sandbox): ResponseBody<typeof clockResponse> {
  return { now: toInstant(clock.nowMs()), running: clock.running() };
}
