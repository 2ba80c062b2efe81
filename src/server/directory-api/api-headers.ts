import type { IncomingMessage } from 'node:http';

/** Number of responses in this process. It serves as the request id, in the format that clients expect. */
let responses = 0;

const numberDigits = 12;

function nextRequestId(): string {
  responses += 1;
  return `00000000-0000-4000-8000-${responses.toString(16).padStart(numberDigits, '0')}`;
}

/** Maximum length of an id of the client that responses repeat, in characters. */
const clientRequestIdMax = 256;

const exposed =
  'ETag, Location, Preference-Applied, request-id, client-request-id, Retry-After, WWW-Authenticate, DPoP-Nonce';

/** Headers of every response of the policy API and the directory API. */
export interface ApiHeaders {
  readonly 'request-id': string;
  readonly 'client-request-id': string;
  readonly 'OData-Version': string;
  readonly 'Cache-Control': string;
  readonly 'Access-Control-Allow-Origin': string;
  readonly 'Access-Control-Expose-Headers': string;
}

/** Creates the headers of a response. The id of the client is repeated; without one, it is that of the response. */
export function createApiHeaders({ headers }: Pick<IncomingMessage, 'headers'>): ApiHeaders {
  const requestId = nextRequestId();
  const sent = headers['client-request-id'];
  return {
    'request-id': requestId,
    'client-request-id': typeof sent === 'string' && sent !== '' ? sent.slice(0, clientRequestIdMax) : requestId,
    'OData-Version': '4.0',
    'Cache-Control': 'no-cache',
    // Tokens are sent in a header and never by the browser itself, so pages of every origin may read responses.
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposed,
  };
}

/** Headers of a response to a preflight request, in addition to the methods. */
export const preflightHeaders = {
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, DPoP, ConsistencyLevel, Prefer, If-Match, If-None-Match, client-request-id, SdkVersion',
} as const;
