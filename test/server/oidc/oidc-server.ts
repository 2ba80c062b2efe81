import { onTestFinished } from 'vitest';
import { defaultSandboxId } from '../../../src/core/default-sandbox.ts';
import type { JournalStore } from '../../../src/journal/store.ts';
import { inMemory, planSandbox, type Sandbox, type SandboxInput } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import type { Fault } from '../../../src/server/faults.ts';
import type { Finding } from '../../../src/server/finding.ts';
import { type ServerOptions, startServer } from '../../../src/server/start.ts';

/** Server for applications, with the sandbox under test. */
export interface OidcServer {
  readonly sandboxes: Sandboxes;
  readonly sandbox: Sandbox;
  /** Base URL of the sandbox, which is its issuer. */
  readonly issuer: string;
  readonly serverUrl: string;
  /** Base URL of the sandbox's own port, if it has one. */
  readonly portUrl: string;
  readonly faults: readonly Fault[];
  readonly findings: readonly Finding[];
  close(): Promise<void>;
}

interface ServerSetup extends SandboxInput {
  readonly id?: string;
  readonly store?: JournalStore;
  readonly port?: number;
  readonly tls?: ServerOptions['tls'];
  readonly deliversLogout?: boolean;
  /** `true` gives the sandbox a port of its own. */
  readonly hasOwnPort?: boolean;
}

/** 2026-03-04T05:06:07.000Z. */
export const startMs = 1_772_600_767_000;

/** Tenant without prompts or interstitial pages: username, password and code only. */
const quietTenant = { campaign: { state: 'disabled' } };

/**
 * Starts a server with one sandbox and a frozen clock, unless the store contains it. The server stops after the
 * test.
 */
export async function oidcServer(setup: ServerSetup = {}): Promise<OidcServer> {
  const {
    id = defaultSandboxId,
    store = inMemory(),
    port = 0,
    tls,
    deliversLogout,
    hasOwnPort = false,
    ...input
  } = setup;
  const sandboxes = await Sandboxes.open(store);
  if (!sandboxes.has(id)) {
    await sandboxes.create(
      id,
      planSandbox({
        tenant: quietTenant,
        users: [{ id: 'ada', displayName: 'Ada' }, { id: 'ben' }],
        clock: { nowMs: startMs, running: false },
        ...input,
      }),
    );
  }
  const faults: Fault[] = [];
  const findings: Finding[] = [];
  const server = await startServer({
    sandboxes,
    port,
    tls,
    deliversLogout,
    boundPorts: hasOwnPort ? [{ sandboxId: id, port: 0 }] : [],
    onFault: (fault) => faults.push(fault),
    onFinding: (finding) => findings.push(finding),
  });
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await server.close();
    await sandboxes.close();
  };
  onTestFinished(close);
  const sandbox = sandboxes.get(id);
  const portUrl = server.boundUrls[0]?.baseUrl ?? '';
  return {
    sandboxes,
    sandbox,
    issuer: sandbox.tokens.issuer,
    serverUrl: server.baseUrl,
    portUrl,
    faults,
    findings,
    close,
  };
}
