import type { IncomingMessage } from 'node:http';
import { computeHmac } from '../../core/hmac.ts';
import { randomId } from '../../core/ids.ts';
import { sameSecret } from '../../core/secrets.ts';

/** Header by which a server recognizes a request that another server of the same database has handed over. */
export const markHeader = 'nudgelab-handed-over';

const handedOver = new WeakSet<IncomingMessage>();

/** Returns `true` if another server of the same database has checked the request and handed it over. */
export function isHandedOver(request: IncomingMessage): boolean {
  return handedOver.has(request);
}

/** Parts of a request that its mark is valid for, and the URL of the server that it is handed to. */
export interface MarkedRequest {
  readonly target: string;
  readonly method: string;
  readonly url: string;
  readonly host: string;
}

/**
 * Creates the mark of a request: a random text and its HMAC with the request. No client knows the secret, so none can
 * forge a mark.
 */
export function createMark(secret: string, request: MarkedRequest, nonce: string = randomId()): string {
  const { target, method, url, host } = request;
  return `${nonce}.${computeHmac(secret, 'hand-over', nonce, target, method, url, host)}`;
}

/**
 * Recognizes a request that was handed over to the server at `target`, and removes its mark. Other marks are removed
 * without any effect.
 */
export function takeMark(secret: string, target: string, request: IncomingMessage): void {
  const given = request.headers[markHeader];
  if (given === undefined) return;
  delete request.headers[markHeader];
  if (typeof given !== 'string') return;
  const { method = '', url = '', headers } = request;
  const marked = { target, method, url, host: headers.host ?? '' };
  if (sameSecret(given, createMark(secret, marked, given.split('.', 1)[0]))) handedOver.add(request);
}
