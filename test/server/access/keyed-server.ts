import { MemoryStore } from '../../../src/journal/stores/memory.store.ts';
import { planSandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../../src/server/start.ts';

/** Control key of the servers in these tests. */
export const key = 'the-key-of-this-test-server';

/** Starts a server that requires a control key, with a default sandbox. */
export async function keyedServer(
  controlKey = key,
  options: Partial<ServerOptions> = {},
): Promise<{ readonly server: RunningServer; readonly sandboxes: Sandboxes }> {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  await sandboxes.create('default', planSandbox({ users: [{ id: 'ada' }] }));
  return { sandboxes, server: await startServer({ ...options, sandboxes, port: 0, controlKey }) };
}

/**
 * Submits the form of the sign-in page, and returns the response with its session cookie as a browser would send it.
 */
export async function signedIn(
  { baseUrl, port }: RunningServer,
  fields: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly response: Response; readonly cookie: string }> {
  const displayed = await fetch(`${baseUrl}/_console/sign-in`);
  const formCookie = displayed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const formToken = /name="formToken" value="([^"]+)"/.exec(await displayed.text())?.[1] ?? '';
  const response = await fetch(`${baseUrl}/_console/sign-in`, {
    method: 'POST',
    headers: { cookie: formCookie, ...headers },
    body: new URLSearchParams({ formToken, key, ...fields }),
    redirect: 'manual',
  });
  const cookie = response.headers.getSetCookie().find((sent) => sent.startsWith(`nudgelab-${port}-console=`));
  return { response, cookie: cookie?.split(';', 1)[0] ?? '' };
}
