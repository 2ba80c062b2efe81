import type { IncomingMessage } from 'node:http';
import { defaultSandboxId } from '../core/default-sandbox.ts';
import { parseTenantAddress, userinfoPath } from './oidc/tenant-form/tenant-addresses.ts';

/** Sandbox with a port of its own, at whose root it lies (DIR3). */
export interface BoundPort {
  readonly sandboxId: string;
  /** Port to listen on. 0 selects any free port. */
  readonly port: number;
}

/** Sandboxes of requests whose path had no prefix, because their port determines the sandbox. */
const boundSandboxes = new WeakMap<IncomingMessage, string>();

/** Paths that are the same for all sandboxes, or that name their sandbox. */
const withoutPrefix = /^\/(?:_|s\/)/i;

/**
 * Adds the prefix of a sandbox to the path of a request that reached its own port. Paths with a prefix, the control API
 * and shared files are the same on every port.
 */
export function routeToSandbox(request: IncomingMessage, sandboxId: string): void {
  const { url = '/' } = request;
  if (!url.startsWith('/') || withoutPrefix.test(url)) return;
  boundSandboxes.set(request, sandboxId);
  const [path = ''] = url.split('?', 1);
  // The tenant form has no prefix: it selects its sandbox by the tenant and the port.
  if (path === userinfoPath || parseTenantAddress(path) !== null) return;
  if (sandboxId !== defaultSandboxId) request.url = `/s/${sandboxId}${url}`;
}

/** Returns the sandbox of the port that a request without a prefix reached, or `undefined` on the main port. */
export function findBoundSandbox(request: IncomingMessage): string | undefined {
  return boundSandboxes.get(request);
}
