import { json, type RequestHandler } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';

/** Levels of nesting in a body; no contract needs a quarter of them, and a deeper one would exhaust the stack. */
const bodyDepthMax = 64;

const jsonTypes = ['json', '+json'];

const requireJson: RequestHandler = (request, _response, next) => {
  const { 'content-length': length, 'content-type': type = 'none', 'transfer-encoding': encoding } = request.headers;
  const isEmpty = encoding === undefined && Number(length ?? 0) === 0;
  if (!isEmpty && request.is(jsonTypes) === false) {
    const message = `The body is of media type ${type}; application/json is read here.`;
    throw new NudgeLabError('unsupported-media-type', { message });
  }
  next();
};

const checkDepth: RequestHandler = (request, _response, next) => {
  // A POST that says nothing may leave the body out; for other methods a missing body is a fault of its contract.
  if (request.body === undefined && request.method === 'POST') request.body = {};
  if (isDeeperThan(bodyDepthMax, request.body)) {
    throw new NudgeLabError('bad-request', {
      problems: [{ place: 'body', message: `is nested deeper than ${bodyDepthMax} levels` }],
    });
  }
  next();
};

/** Reads a JSON body. Passes `unsupported-media-type`, `payload-too-large` and `bad-request` on. */
export const jsonBody: RequestHandler[] = [
  requireJson,
  json({ limit: apiBodyBytesMax, type: jsonTypes, strict: false }),
  checkDepth,
];

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((held) => isDeeperThan(levels - 1, held));
}
