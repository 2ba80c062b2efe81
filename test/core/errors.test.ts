import { describe, expect, test } from 'vitest';
import { type ErrorCode, errorTable, NudgeLabError } from '../../src/core/errors.ts';
import { nonEmpty } from '../non-empty.ts';

/** Statuses and exit codes that clients of the policy API and the pages rely on. Written by hand. */
const promised: readonly (readonly [ErrorCode, number, 1 | 2 | 3])[] = [
  ['bad-request', 400, 2],
  ['unauthenticated', 401, 2],
  ['access-denied', 403, 2],
  ['not-found', 404, 2],
  ['sandbox-not-found', 404, 2],
  ['method-not-allowed', 405, 2],
  ['skip-not-allowed', 409, 1],
  ['prompt-expired', 409, 1],
  ['unexpected-screen', 409, 1],
  ['precondition-failed', 412, 2],
  ['payload-too-large', 413, 2],
  ['unsupported-media-type', 415, 2],
  ['too-many-requests', 429, 1],
  ['internal-error', 500, 3],
  ['journal-full', 503, 3],
  ['store-failed', 503, 3],
  ['scenario-invalid', 400, 2],
  ['facts-invalid', 400, 2],
];

const codes = Object.keys(errorTable) as ErrorCode[];

describe('error table', () => {
  test.for(promised)('%s: has the status %i and the exit code %i', ([code, status, exitCode]) => {
    const error = new NudgeLabError(code);
    expect([error.code, error.status, error.exitCode]).toEqual([code, status, exitCode]);
  });

  test.for(nonEmpty(codes))('%s: has a title, a suggested action, a status and an exit code', (code) => {
    const { title, action, status, exitCode } = errorTable[code];
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(action).toMatch(/^[A-Z].*[.]$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect([1, 2, 3]).toContain(exitCode);
  });
});

describe('errors', () => {
  test('bad-request: the default message contains the title and every problem with its location', () => {
    const problems = [
      { location: 'campaign.state', message: 'one of three is wanted' },
      { location: 'campaign.days', message: '15 is more than 14' },
    ];
    const error = new NudgeLabError('bad-request', { problems });
    expect(error.problems).toEqual(problems);
    for (const { location: place, message } of problems) expect(error.message).toContain(`${place}: ${message}`);
    expect(new NudgeLabError('bad-request').message).toBe(`${errorTable['bad-request'].title}.`);
  });

  test('too-many-requests: an error has a message, headers, a cause and a suggested action', () => {
    const cause = new Error('too fast');
    const error = new NudgeLabError('too-many-requests', { message: 'Wait.', headers: { 'Retry-After': '1' }, cause });
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.message, error.headers, error.cause, error.action]).toEqual([
      'NudgeLabError',
      'Wait.',
      { 'Retry-After': '1' },
      cause,
      errorTable['too-many-requests'].action,
    ]);
  });
});
