import type { Request } from 'express';
import type { createdResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import { getBaseUrl } from '../../sandbox/sandboxes.ts';

const loopbackAddresses = /^(127\.0\.0\.1|\[::1\])(?=:|$)/;

/**
 * Returns the id and base URL of a sandbox. The base URL is the server URL, with `/s/{id}` for all but the default
 * sandbox. Loopback IP addresses are replaced by `localhost`, because cookies and passkeys belong to that name.
 *
 * @param request - request whose host is used if there is no public URL
 * @param id - id of the sandbox
 * @param publicUrl - public URL of the server, if configured
 */
export function createLocation(request: Request, id: string, publicUrl?: string): ResponseBody<typeof createdResponse> {
  const host = (request.headers.host ?? 'localhost').replace(loopbackAddresses, 'localhost');
  const server = publicUrl ?? `${request.protocol}://${host}`;
  return { id, baseUrl: getBaseUrl(server, id) };
}
