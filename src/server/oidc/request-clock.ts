import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/**
 * Clock of a request, which can differ from that of the sandbox while the assertion of a client is verified. It has its
 * own module because the verification loads the provider, which servers without applications do not need.
 */
export interface RequestClock {
  shiftMs: number;
}

const localName = 'requestClock';

/** Returns the clock function of a request. */
export function createRequestClock(sandbox: Sandbox, response: Response): () => number {
  const clock: RequestClock = { shiftMs: 0 };
  response.locals[localName] = clock;
  return () => sandbox.clock.nowMs() + clock.shiftMs;
}

/** Returns the clock of a request. `null` if it has none. */
export function findRequestClock(response: ServerResponse | undefined): RequestClock | null {
  const { locals } = (response ?? {}) as { readonly locals?: Response['locals'] };
  return (locals?.[localName] as RequestClock | undefined) ?? null;
}
