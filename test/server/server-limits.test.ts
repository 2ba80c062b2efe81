import { Server } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  connectionsMax,
  headersTimeoutMs,
  lateRequestCheckMs,
  requestTimeoutMs,
  silentConnectionMs,
} from '../../src/core/limits.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { localCertificate } from '../../src/server/https-certificate.ts';
import { startServer } from '../../src/server/start.ts';
import { temporaryFolder } from '../journal/temporary-folder.ts';

test.for(['http', 'https'] as const)(
  'limits: a server of %s limits its connections, their idle time and the time to receive a request',
  async (protocol) => {
    const listen = vi.spyOn(Server.prototype, 'listen');
    const sandboxes = await Sandboxes.open(new MemoryStore());
    const tls = protocol === 'http' ? undefined : await localCertificate(temporaryFolder());
    const running = await startServer({ sandboxes, port: 0, ...(tls === undefined ? {} : { tls }) });
    onTestFinished(async () => {
      await running.close();
      await sandboxes.close();
    });
    expect(listen.mock.contexts).toEqual([
      expect.objectContaining({
        maxConnections: connectionsMax,
        timeout: silentConnectionMs,
        requestTimeout: requestTimeoutMs,
        headersTimeout: headersTimeoutMs,
      }),
    ]);
    expect([connectionsMax, silentConnectionMs, requestTimeoutMs, headersTimeoutMs, lateRequestCheckMs]).toEqual([
      16_384, 120_000, 30_000, 10_000, 2_000,
    ]);
  },
);
