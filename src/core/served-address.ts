import { AsyncLocalStorage } from 'node:async_hooks';

/** Sandbox of a port, and the base URL under which that port serves it. */
export interface ServedAddress {
  readonly sandboxId: string;
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
}

/** Base URL at which a process serves all sandboxes, or one of them at a port of its own. */
export interface AnnouncedAddress {
  /** `null` if the address serves all sandboxes, each below its path. */
  readonly sandboxId: string | null;
  readonly baseUrl: string;
}

const addresses = new AsyncLocalStorage<ServedAddress>();

/** Runs a task for a request that reached the port of a sandbox, with all asynchronous work that it starts. */
export function servedAtAddress<T>(address: ServedAddress, task: () => T): T {
  return addresses.run(address, task);
}

/** Returns the base URL of a sandbox if the current request reached the port of that sandbox. */
export function findServedAddress(sandboxId: string): string | undefined {
  const address = addresses.getStore();
  return address?.sandboxId === sandboxId ? address.baseUrl : undefined;
}
