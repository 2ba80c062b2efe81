import type { AddressInfo } from 'node:net';
import express from 'express';

/**
 * Reference server: one Express route that returns given bytes with Express’s own ETag. The arguments are the bytes
 * and, unless the route is the one of the policy, its path.
 */
const bytes = Buffer.from(process.argv[2] ?? '{}');
const app = express();
app.get(process.argv[3] ?? '/v1.0/policies/authenticationmethodspolicy', (_request, response) => {
  response.type('application/json').send(bytes);
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ baseUrl: `http://localhost:${port}` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
