import type { Request } from 'express';
import type { AttemptInput } from '../../contract/context.schema.ts';
import { attemptOfQuery } from './attempt-query.ts';
import { observedDevice } from './observed-device.ts';

/** Headers of the first page that request client hints with subsequent requests. */
export const clientHintHeaders: Readonly<Record<string, string>> = {
  'Accept-CH': 'Sec-CH-UA, Sec-CH-UA-Mobile, Sec-CH-UA-Platform, Sec-CH-UA-Model',
};

/**
 * Returns the attempt facts that the first request of a sign-in reveals. Facts in the URL take precedence over the
 * device that the browser headers describe.
 *
 * @throws NudgeLabError `bad-request` with each invalid URL parameter and its allowed values
 */
export function observedAttempt(request: Pick<Request, 'originalUrl' | 'headers'>): AttemptInput {
  const { originalUrl } = request;
  const queryAt = originalUrl.indexOf('?');
  const device = observedDevice(request);
  return queryAt === -1 ? device : { ...device, ...attemptOfQuery(new URLSearchParams(originalUrl.slice(queryAt))) };
}
