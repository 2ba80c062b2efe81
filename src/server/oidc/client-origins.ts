import type { Client } from '../../contract/client.schema.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { isLoopbackAddress } from './clients.ts';

/** The part of a client that its origins follow from. */
type Origins = Pick<Client, 'anyLoopbackRedirect'> & {
  readonly corsOrigins?: readonly string[] | undefined;
  readonly redirectUris: readonly string[];
};

/** Whether pages of an origin belong to a client: by name, by an address to redirect to, or by being on this machine. */
export function hasOrigin({ corsOrigins = [], redirectUris, anyLoopbackRedirect }: Origins, origin: string): boolean {
  return (
    corsOrigins.includes(origin) ||
    redirectUris.some((address) => URL.parse(address)?.origin === origin) ||
    (anyLoopbackRedirect && isLoopbackAddress(origin))
  );
}

/** Whether pages of an origin belong to a client of a sandbox's fixture. */
export function fixtureHasOrigin(sandbox: Sandbox, origin: string): boolean {
  return sandbox.recorder.state().clients.some((client) => hasOrigin(client, origin));
}
