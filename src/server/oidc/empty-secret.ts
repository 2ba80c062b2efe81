import type { IncomingMessage } from 'node:http';
import { readBody, withBody } from './replayed-body.ts';

const basic = /^basic ([\w+/]{1,8192}={0,2})$/i;

/**
 * Returns a request that names its client in the body, in place of a header `Authorization: Basic` with an empty
 * secret. Some libraries send this header for clients without a secret (RFC 6749, section 2.3.1: an empty secret may be
 * omitted), and the provider accepts only their `client_id`. Any other request is unchanged, also one whose body names
 * another client.
 *
 * @throws `payload-too-large` if the body has to be read and exceeds the limit.
 * @see CL40
 */
export async function withNamedClient(request: IncomingMessage): Promise<IncomingMessage> {
  const id = readClient(request.headers);
  if (id === null || request.method !== 'POST') return request;
  const body = await readBody(request);
  const form = new URLSearchParams(body.toString('utf8'));
  if (form.getAll('client_id').some((named) => named !== id)) return withBody(request, body);
  form.set('client_id', id);
  const named = withBody(request, Buffer.from(form.toString()));
  delete named.headers.authorization;
  return named;
}

/** Returns the client of a header with an empty secret. `null` for any other header or body. */
function readClient({ authorization = '', 'content-type': type = '' }: IncomingMessage['headers']): string | null {
  const [, encoded] = basic.exec(authorization) ?? [];
  if (encoded === undefined || !type.startsWith('application/x-www-form-urlencoded')) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colonAt = text.indexOf(':');
  if (colonAt < 1 || colonAt !== text.length - 1) return null;
  return new URLSearchParams(`id=${text.slice(0, colonAt)}`).get('id');
}
