import { named, operation } from './control-operation.ts';
import { healthResponse, readyResponse } from './probe-responses.schema.ts';

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
