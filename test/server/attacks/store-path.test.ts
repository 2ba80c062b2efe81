import { dirname } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { NudgeLabError } from '../../../src/core/errors.ts';
import { SqliteStore } from '../../../src/journal/stores/sqlite.store.ts';
import { planSandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import type { Fault } from '../../../src/server/faults.ts';
import { startServer } from '../../../src/server/start.ts';
import { temporaryFolder } from '../../journal/temporary-folder.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

/** Requests that a client can send without a key or token. */
const requests: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/'],
  ['GET', '/sign-in'],
  ['POST', '/sign-in', 'username=ada@example.test'],
  ['POST', '/sign-in', 'username=nobody@example.test'],
  ['GET', '/security-info'],
  ['GET', '/try'],
  ['GET', '/phone/ada@example.test'],
  ['GET', '/lookup/tokens'],
  ['POST', '/lookup/tokens', 'action=sign-in&email=free@example.test&password=wrong'],
  ['GET', '/v1.0/policies/authenticationMethodsPolicy'],
  ['GET', '/api/v2/?tool=x&query=y'],
  ['GET', '/api/v1/document/'],
  ['GET', '/oauth2/authorize?client_id=test-public&response_type=code'],
  ['POST', '/oauth2/token', 'grant_type=client_credentials&client_id=test-web&client_secret=wrong'],
  ['POST', '/oauth2/register', '{}'],
  ['GET', '/oauth2/end_session'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/_control/v1/health'],
  ['GET', '/_control/v1/ready'],
];

it('store-failed: a full disk reveals no path to anonymous visitors, and is reported to the operator once', async () => {
  const folder = temporaryFolder();
  const path = `${folder}/kept.db`;
  const sandboxes = await Sandboxes.open(SqliteStore.open(path));
  await sandboxes.create('default', planSandbox({ users: [{ id: 'ada' }] }));
  const faults: Fault[] = [];
  const server = await startServer({ sandboxes, port: 0, onFault: (fault) => faults.push(fault) });
  onTestFinished(async () => {
    await server.close();
    // A failed store reports its failure again on close.
    await sandboxes.close().catch(() => undefined);
  });
  const full = vi.spyOn(StatementSync.prototype, 'run').mockImplementation(() => {
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  });
  try {
    let refused = 0;
    for (const _ of ['what fails first', 'what fails then']) {
      for (const [method, address, body] of requests) {
        const headers = body === '{}' ? { 'content-type': 'application/json' } : body === undefined ? {} : form;
        const response = await fetch(`${server.baseUrl}${address}`, {
          method,
          headers,
          redirect: 'manual',
          ...(body === undefined ? {} : { body }),
        });
        const text = await response.text();
        expect([address, text.includes('kept.db'), text.includes(dirname(path))]).toEqual([address, false, false]);
        if (response.status === 503) refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(5);
  } finally {
    full.mockRestore();
  }
  const storeFaults = faults.filter(({ error }) => error instanceof NudgeLabError && error.code === 'store-failed');
  expect(storeFaults.map(({ error }) => String(error).includes(path))).toEqual([true]);
});

it.each(['store-failed', 'store-corrupt', 'store-unavailable', 'store-locked', 'file-unreadable'] as const)(
  '%s: the message for visitors is the title',
  (code) => {
    const error = new NudgeLabError(code, { message: '/a/path/kept.db: it is broken.' });
    expect([error.publicMessage.includes('/a/path'), error.message.includes('/a/path')]).toEqual([false, true]);
  },
);

it('bad-request: other messages are unchanged', () => {
  const error = new NudgeLabError('bad-request', { problems: [{ location: 'id', message: 'it is taken' }] });
  expect(error.publicMessage).toBe(error.message);
});
