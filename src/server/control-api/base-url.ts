import type { Request } from 'express';
import type { createdResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import { getBaseUrl } from '../../sandbox/sandboxes.ts';

const loopbackAddresses = /^(127\.0\.0\.1|\[::1\])(?=:|$)/;

/**
 * Where a sandbox answers: the server's address for the default one, `/s/{id}` below it for another. The address is the one
 * that was asked, by its name: cookies and passkeys belong to `localhost`, not to the number. Takes the address that the
 * server was told to go by, where there is one.
 */
export function createLocation(request: Request, id: string, publicUrl?: string): ResponseBody<typeof createdResponse> {
  const host = (request.headers.host ?? 'localhost').replace(loopbackAddresses, 'localhost');
  const server = publicUrl ?? `${request.protocol}://${host}`;
  return { id, baseUrl: getBaseUrl(server, id) };
}
