import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';

/**
 * Reference server: one Express route that returns given bytes with Express’s own ETag. The arguments are the bytes,
 * or `@` and the name of a file that contains them, and the path of the route, by default that of the policy.
 */
const [given = '{}', path = '/v1.0/policies/authenticationmethodspolicy'] = process.argv.slice(2);
const bytes = given.startsWith('@') ? readFileSync(given.slice(1)) : Buffer.from(given);
const app = express();
app.get(path, (_request, response) => {
  response.type('application/json').send(bytes);
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ baseUrl: `http://localhost:${port}` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
