import { json, type RequestHandler } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';

/** Levels of nesting in a body; no contract needs a quarter of them, and a deeper one would exhaust the stack. */
const bodyDepthMax = 64;

const jsonTypes = ['json', '+json'];

const requireJson: RequestHandler = (request, _response, next) => {
  if (request.is(jsonTypes) !== false) next();
  else {
    const given = request.headers['content-type'] ?? 'none';
    throw new NudgeLabError('unsupported-media-type', {
      message: `The body is of media type ${given}; application/json is read here.`,
    });
  }
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
export const jsonBody: readonly RequestHandler[] = [
  requireJson,
  json({ limit: apiBodyBytesMax, type: jsonTypes, strict: false }),
  checkDepth,
];

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((held) => isDeeperThan(levels - 1, held));
}
