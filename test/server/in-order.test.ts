import type { Request, RequestHandler, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { inOrder } from '../../src/server/in-order.ts';
import { nonEmpty } from '../non-empty.ts';

/** Runs handlers, and returns their names in the order of the calls, with the value that ends them. */
async function run(...handlers: readonly RequestHandler[]): Promise<readonly unknown[]> {
  const calls: unknown[] = [];
  const noted = handlers.map((handle, at): RequestHandler => {
    return (request, response, next) => {
      calls.push(at);
      return handle(request, response, next);
    };
  });
  const ended = Promise.withResolvers<unknown>();
  inOrder(...noted)({} as Request, {} as Response, ended.resolve);
  const end = await ended.promise;
  return [...calls, end];
}

const pass: RequestHandler = (_request, _response, next) => next();
const passLater: RequestHandler = async (_request, _response, next) => {
  await Promise.resolve();
  next();
};
const failure = new Error('failed');

describe('handlers in order', () => {
  it('each handler follows the one before, also after asynchronous work', async () => {
    expect(await run(pass, passLater, pass)).toEqual([0, 1, 2, undefined]);
    expect(await run()).toEqual([undefined]);
  });

  it.each(
    nonEmpty<readonly [string, RequestHandler]>([
      ['an error', (_request, _response, next) => next(failure)],
      ['a rejected promise', () => Promise.reject(failure)],
      [
        'an error that is thrown',
        () => {
          throw failure;
        },
      ],
    ]),
  )('%s skips the rest, also behind a handler that waits', async (_what, fail) => {
    expect(await run(pass, fail, pass)).toEqual([0, 1, failure]);
    expect(await run(passLater, fail, pass)).toEqual([0, 1, failure]);
  });
});
