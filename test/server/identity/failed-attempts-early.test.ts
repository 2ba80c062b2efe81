import { expect, test } from 'vitest';
import { userAttemptsMax } from '../../../src/core/limits.ts';
import { recordFailedAttempt } from '../../../src/server/identity/failed-attempts.ts';
import { oidcServer } from '../oidc/oidc-server.ts';

const guessed = { secret: 'client-secret', owner: 'job', isKnown: true } as const;

test('each attempt compares its secret once, whether it is right or wrong', async () => {
  const { sandbox } = await oidcServer();
  let compared = 0;
  const compare = (isRight: boolean) => () => {
    compared += 1;
    return isRight;
  };
  const results: unknown[] = [];
  for (const isRight of [true, false, true, true]) {
    results.push(await recordFailedAttempt(sandbox, guessed, compare(isRight)));
  }
  expect(results).toEqual([true, false, true, true]);
  expect(compared).toBe(4);
});

test('too-many-guesses: a correct secret is rejected if too many attempts failed while it was compared', async () => {
  const { sandbox } = await oidcServer();
  const comparison = Promise.withResolvers<boolean>();
  const first = recordFailedAttempt(sandbox, guessed, () => comparison.promise);
  for (let attempt = 0; attempt < userAttemptsMax; attempt += 1) {
    expect(await recordFailedAttempt(sandbox, guessed, () => false)).toBe(false);
  }
  comparison.resolve(true);
  expect(await first).toMatchObject({ waitSeconds: expect.any(Number) });
});
