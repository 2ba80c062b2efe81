import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import express from 'express';

/**
 * Lower limit for the time of a durable request: one Express route that reads the body, commits it to SQLite as one
 * synced row, and responds. The first command-line argument is the path of the database.
 */
const database = new DatabaseSync(process.argv[2] ?? ':memory:');
database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS event (body TEXT)');
const insert = database.prepare('INSERT INTO event VALUES (?)');
const app = express();
app.patch(
  '/v1.0/policies/authenticationmethodspolicy',
  express.text({ type: 'application/json' }),
  (request, response) => {
    insert.run(String(request.body));
    response.status(204).end();
  },
);
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ baseUrl: `http://localhost:${port}` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
