import { json, type RequestHandler } from 'express';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';
import { prototypeKey } from '../../core/merge-patch.ts';
import { bodyBytes } from '../body-bytes.ts';

/** Maximum nesting depth of a body, over four times what any contract needs. Deeper bodies would exhaust the stack. */
const bodyDepthMax = 64;

const jsonTypes = ['json', '+json'];

const requireJson: RequestHandler = (request, _response, next) => {
  const { 'content-length': length, 'content-type': type = 'none', 'transfer-encoding': encoding } = request.headers;
  const isEmpty = encoding === undefined && Number(length ?? 0) === 0;
  if (!isEmpty && request.is(jsonTypes) === false) {
    const message = `The media type of the body is ${type}; send application/json.`;
    throw new NudgeLabError('unsupported-media-type', { message });
  }
  next();
};

const checkShape: RequestHandler = (request, _response, next) => {
  // A POST request may omit an empty body. For other methods, the contract rejects a missing body.
  if (request.body === undefined && request.method === 'POST') request.body = {};
  const problem = problemIn(request.body, 'body', bodyDepthMax);
  if (problem !== null) throw new NudgeLabError('bad-request', { problems: [problem] });
  next();
};

/** Reads bodies that are compressed or not encoded in UTF-8. */
const readOther = json({ limit: apiBodyBytesMax, type: jsonTypes, strict: false });

const charsets = /;\s*charset\s*=([^;]*)/gi;
const unicode = /^"?utf-?8"?$/i;

/** Returns `true` if a media type declares an encoding other than UTF-8. */
function isOtherwiseEncoded(type: string): boolean {
  return [...type.matchAll(charsets)].some(([, charset = '']) => !unicode.test(charset.trim()));
}

/**
 * Reads uncompressed UTF-8 bodies directly. The other reader responds to an oversized body only after all of it has
 * arrived, which may never happen.
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

const utf8 = new TextDecoder();

function parsed(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be parsed';
    throw new NudgeLabError('bad-request', { message: `The body is not valid JSON: ${reason}.`, cause });
  }
}

/** Handlers that read a JSON body. They fail with `unsupported-media-type`, `payload-too-large`, or `bad-request`. */
export const jsonBody: RequestHandler[] = [requireJson, read, checkShape];

/**
 * Finds the first forbidden structure in a body: excessive nesting, or a key that would set the prototype of an object.
 * Such a key is rejected before schemas for records can drop it silently.
 */
function problemIn(value: unknown, place: string, levels: number): ValidationProblem | null {
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return { location: 'body', message: `must not be nested deeper than ${bodyDepthMax} levels` };
  if (Object.hasOwn(value, prototypeKey)) return { location: place, message: `the key ${prototypeKey} is not allowed` };
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'object' || inner === null) continue;
    const problem = problemIn(inner, `${place}.${key}`, levels - 1);
    if (problem !== null) return problem;
  }
  return null;
}
