import { z } from 'zod';
import { named, operation } from './control-operation.ts';

/** Response of a server that is running, with the number of its sandboxes. */
const healthResponse = z.strictObject({ status: z.literal('ok'), sandboxes: z.number().int().min(0) });

/** Response of a server that is ready. A server that is not ready returns an error. */
const readyResponse = z.strictObject({ status: z.literal('ready') });

/** Control API operations that monitoring systems call, often before all others. They need no other schemas. */
export const probeOperations = named({
  getHealth: operation('GET /health', {
    summary: 'Returns whether the server is running (health check).',
    reply: healthResponse,
  }),
  getReadiness: operation('GET /ready', {
    summary: 'Returns whether the server accepts requests (readiness check).',
    reply: readyResponse,
    errors: ['server-not-ready'],
  }),
});
