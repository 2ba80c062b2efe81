import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { enterSandbox } from '../../src/server/enter-sandbox.ts';

/**
 * A request to one of several processes. The parameters are the path, the effect of entering a sandbox, and whether the
 * client has disconnected.
 */
async function enter(path: string, fail: Error | null = null, closed = false) {
  const entered: string[] = [];
  let left = 0;
  const sandboxes = {
    shared: true,
    enter: async (sandboxId: string) => {
      if (fail !== null) throw fail;
      entered.push(sandboxId);
      return {
        sandboxId,
        leave: () => {
          left += 1;
        },
      };
    },
  };
  const response = Object.assign(new EventEmitter(), { locals: {}, closed });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  enterSandbox(sandboxes as never)({ path } as never, response as never, resolve);
  return { error: await promise, entered, close: () => response.emit('close'), left: () => left };
}

test.for([
  ['/sign-in', ['default']],
  ['/s/demo/sign-in', ['demo']],
  ['/S/demo', ['demo']],
  ['/s/a%20b/sign-in', ['a b']],
  ['/s/%E0/sign-in', ['%E0']],
  ['/_control/v1/health', []],
] as const)('sandbox-not-found: a request to %s enters %j and leaves when its response closes', async ([path, ids]) => {
  const { error, entered, close, left } = await enter(path);
  expect([error, entered, left()]).toEqual([undefined, ids, 0]);
  close();
  expect(left()).toBe(ids.length);
});

test('sandbox-not-found: a client that has disconnected leaves the sandbox immediately', async () => {
  const { entered, left } = await enter('/sign-in', null, true);
  expect([entered, left()]).toEqual([['default'], 1]);
});

test.for([
  ['sandbox-not-found', false],
  ['store-unavailable', true],
  ['store-corrupt', true],
] as const)('%s: the error of entering is passed on: %s', async ([code, isPassedOn]) => {
  const fault = new NudgeLabError(code);
  expect((await enter('/sign-in', fault)).error).toBe(isPassedOn ? fault : undefined);
});
