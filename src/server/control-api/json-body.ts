import { json, type RequestHandler } from 'express';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';
import { prototypeKey } from '../../core/merge-patch.ts';
import { bodyBytes } from '../document-api/body-bytes.ts';

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

const checkShape: RequestHandler = (request, _response, next) => {
  // A POST that says nothing may leave the body out; for other methods a missing body is a fault of its contract.
  if (request.body === undefined && request.method === 'POST') request.body = {};
  const problem = problemIn(request.body, 'body', bodyDepthMax);
  if (problem !== null) throw new NudgeLabError('bad-request', { problems: [problem] });
  next();
};

/** Reads bodies that are compressed, or in another encoding of Unicode. */
const readOther = json({ limit: apiBodyBytesMax, type: jsonTypes, strict: false });

const charsets = /;\s*charset\s*=([^;]*)/gi;
const unicode = /^"?utf-?8"?$/i;

/** Whether a media type names another encoding than UTF-8. */
function isOtherwiseEncoded(type: string): boolean {
  return [...type.matchAll(charsets)].some(([, charset = '']) => !unicode.test(charset.trim()));
}

/**
 * Reads a plain body itself, since the other reader answers a body that is too long only when all of it has come, which may be
 * never.
 */
const read: RequestHandler = async (request, response, next) => {
  const { 'content-encoding': coding = 'identity', 'content-type': type = '' } = request.headers;
  if (coding !== 'identity' || isOtherwiseEncoded(type)) {
    readOther(request, response, next);
    return;
  }
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if (length !== undefined || transfer !== undefined) request.body = parsed(await bodyBytes(request, apiBodyBytesMax));
  next();
};

function parsed(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be parsed';
    throw new NudgeLabError('bad-request', { message: `The body is not valid JSON: ${reason}.`, cause });
  }
}

/** Reads a JSON body. Passes `unsupported-media-type`, `payload-too-large` and `bad-request` on. */
export const jsonBody: RequestHandler[] = [requireJson, read, checkShape];

/**
 * What no body may have: more levels than any contract needs, or a key that an object would take for its prototype. Readers of
 * lists of names leave such a key out untold, so it is refused before any of them.
 */
function problemIn(value: unknown, place: string, levels: number): ValidationProblem | null {
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return { location: 'body', message: `is nested deeper than ${bodyDepthMax} levels` };
  if (Object.hasOwn(value, prototypeKey)) return { location: place, message: `no key may be called ${prototypeKey}` };
  for (const [key, held] of Object.entries(value)) {
    if (typeof held !== 'object' || held === null) continue;
    const problem = problemIn(held, `${place}.${key}`, levels - 1);
    if (problem !== null) return problem;
  }
  return null;
}
