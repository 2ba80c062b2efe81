import type { Request } from 'express';
import type { AttemptInput } from '../../contract/context.schema.ts';
import { attemptOfQuery } from './attempt-query.ts';
import { observedDevice } from './observed-device.ts';

/** Asks a browser to send its client hints with the requests that follow; a header of the first page. */
export const clientHintHeaders: Readonly<Record<string, string>> = {
  'Accept-CH': 'Sec-CH-UA, Sec-CH-UA-Mobile, Sec-CH-UA-Platform, Sec-CH-UA-Model',
};

/**
 * What is known of an attempt from the request that begins it: what its address says, and where that says nothing, what the
 * browser tells of its device. Throws `bad-request` naming each parameter of the address that is wrong, and what is allowed.
 */
export function observedAttempt(request: Pick<Request, 'originalUrl' | 'headers'>): AttemptInput {
  const { originalUrl } = request;
  const queryAt = originalUrl.indexOf('?');
  const device = observedDevice(request);
  return queryAt === -1 ? device : { ...device, ...attemptOfQuery(new URLSearchParams(originalUrl.slice(queryAt))) };
}
