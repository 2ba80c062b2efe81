import { describe, expect, test } from 'vitest';
import { policyErrorBody, policyFailure } from '../../src/contract/policy-error.ts';
import { type ErrorCode, errorTable, NudgeLabError } from '../../src/core/errors.ts';
import { nonEmpty } from '../non-empty.ts';

const mark = { requestId: 'r-1', dateMs: 1_767_603_600_000 };
const innerError = { date: '2026-01-05T09:00:00.000Z', 'request-id': 'r-1', 'client-request-id': 'r-1' };

describe('error body of the policy API', () => {
  test.for<[ErrorCode, number, string]>([
    ['bad-request', 400, 'badRequest'],
    ['unauthenticated', 401, 'unauthenticated'],
    ['access-denied', 403, 'accessDenied'],
    ['not-found', 404, 'notFound'],
    ['sandbox-not-found', 404, 'notFound'],
    ['method-not-allowed', 405, 'methodNotAllowed'],
    ['sandbox-exists', 409, 'conflict'],
    ['precondition-failed', 412, 'preconditionFailed'],
    ['payload-too-large', 413, 'payloadTooLarge'],
    ['unsupported-media-type', 415, 'unsupportedMediaType'],
    ['too-many-requests', 429, 'tooManyRequests'],
    ['internal-error', 500, 'internalError'],
    ['journal-full', 503, 'serviceUnavailable'],
    ['store-failed', 503, 'serviceUnavailable'],
  ])('%s: returns %i with the code %s', ([code, status, wireCode]) => {
    const error = new NudgeLabError(code, { message: 'What happened.' });
    expect(error.status).toBe(status);
    expect(policyErrorBody(error, mark)).toEqual({ error: { code: wireCode, message: 'What happened.', innerError } });
  });

  test('internal-error: every error code has a code of the policy API', () => {
    for (const code of nonEmpty(Object.keys(errorTable) as ErrorCode[])) {
      expect(policyErrorBody(new NudgeLabError(code), mark).error.code).toMatch(/^[a-z][A-Za-z]+$/);
    }
  });

  test('bad-request: every problem is listed in the details', () => {
    const error = new NudgeLabError('bad-request', { problems: [{ location: 'a.b', message: '3 is not text' }] });
    expect(policyErrorBody(error, mark).error).toMatchObject({
      message: expect.stringContaining('a.b: 3 is not text'),
      details: [{ code: 'invalidValue', target: 'a.b', message: '3 is not text' }],
    });
  });

  test('too-many-requests: the response has the `Retry-After` header of the error or the default', () => {
    const error = new NudgeLabError('too-many-requests', { headers: { 'Retry-After': '7' } });
    expect(policyFailure(error, mark).headers).toEqual({ 'Retry-After': '7' });
    expect(policyFailure(new NudgeLabError('too-many-requests'), mark).headers).toEqual({ 'Retry-After': '1' });
  });

  test('unauthenticated: the response has the headers of the error, and its message ends with the suggested action', () => {
    const error = new NudgeLabError('unauthenticated', { headers: { 'WWW-Authenticate': 'Bearer' } });
    const message = `${error.message} ${error.action}`;
    expect(policyFailure(error, mark)).toEqual({
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer' },
      body: policyErrorBody({ status: 401, message, problems: [] }, mark),
    });
  });
});
