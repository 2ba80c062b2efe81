import type { Client } from '../../contract/client.schema.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { isLoopbackAddress } from './clients.ts';

/** Client properties that determine its origins. */
type Origins = Pick<Client, 'anyLoopbackRedirect'> & {
  readonly corsOrigins?: readonly string[] | undefined;
  readonly redirectUris: readonly string[];
};

/**
 * Returns `true` if an origin belongs to a client: by name, by a redirect URI, or because it is on the local machine.
 */
export function hasOrigin({ corsOrigins = [], redirectUris, anyLoopbackRedirect }: Origins, origin: string): boolean {
  return (
    corsOrigins.includes(origin) ||
    redirectUris.some((address) => URL.parse(address)?.origin === origin) ||
    (anyLoopbackRedirect && isLoopbackAddress(origin))
  );
}

/** Returns `true` if an origin belongs to a client in the fixture of a sandbox. */
export function fixtureHasOrigin(sandbox: Sandbox, origin: string): boolean {
  return sandbox.recorder.state().clients.some((client) => hasOrigin(client, origin));
}
