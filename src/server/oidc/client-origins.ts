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

const loopbackOrigins = ['localhost', '127.0.0.1'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]);

/** Lists the origins of a client as sources of a Content-Security-Policy. */
export function listOrigins({ corsOrigins = [], redirectUris, anyLoopbackRedirect }: Origins): readonly string[] {
  const redirected = redirectUris.flatMap((address) => URL.parse(address)?.origin ?? []);
  const own = [...corsOrigins, ...redirected].filter((origin) => /^https?:/.test(origin));
  return [...new Set([...own, ...(anyLoopbackRedirect ? loopbackOrigins : [])])];
}

/** Returns `true` if an origin belongs to a client in the fixture of a sandbox. */
export function fixtureHasOrigin(sandbox: Sandbox, origin: string): boolean {
  return sandbox.recorder.state().clients.some((client) => hasOrigin(client, origin));
}

/** Returns `true` if frames of other sites may use the session, as the setting `cookies` says. */
export function sharesCookies(sandbox: Sandbox): boolean {
  return sandbox.recorder.state().settings.identity?.cookies !== 'lax';
}
