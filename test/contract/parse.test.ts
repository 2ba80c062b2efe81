import { expect, it } from 'vitest';
import { z } from 'zod';
import { clientSchema } from '../../src/contract/client.schema.ts';
import { parseOr } from '../../src/contract/parse.ts';
import { NudgeLabError, type ValidationProblem } from '../../src/core/errors.ts';

function listProblems(client: object): unknown {
  return problemsIn(clientSchema, client, 'client');
}

function problemsIn(schema: z.ZodType, value: unknown, root: string): readonly ValidationProblem[] {
  try {
    parseOr('bad-request', schema, value, root);
  } catch (error) {
    if (error instanceof NudgeLabError) return error.problems;
  }
  return [];
}

it.each([
  [
    'a rule for an omitted value is stated',
    { id: 'web', kind: 'web', redirectUris: ['https://shop.example/'] },
    [
      {
        location: 'client.secret',
        message:
          'must be set for clients that authenticate with a secret, and omitted for authMethods [private_key_jwt]',
      },
    ],
  ],
  [
    'the value that breaks a rule is stated',
    { id: 'spa', kind: 'public', secret: 'x', authMethods: ['none'], redirectUris: ['https://shop.example/'] },
    [{ location: 'client.secret', message: '"x": must be omitted: a public client cannot keep a secret' }],
  ],
] as const)('bad-request: %s', (_claim, client, problems) => {
  expect(listProblems(client)).toEqual(problems);
});

it('bad-request: an error lists a thousand problems, and suggests a name for the first ones only', () => {
  const words = Array.from({ length: 1_200 }, () => 'sikp');
  const problems = problemsIn(z.array(z.enum(['skip', 'close'])), words, 'body');
  expect(problems).toHaveLength(1_001);
  expect(problems.filter(({ message }) => message.includes('did you mean "skip"'))).toHaveLength(20);
  expect(problems.at(-1)).toEqual({ location: 'body', message: 'has 200 more problems' });
});

it('bad-request: a problem lists a hundred unknown keys', () => {
  const given = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key-${index}`, 1]));
  const [problem, ...others] = problemsIn(z.strictObject({ skip: z.string().optional() }), given, 'body');
  expect([problem?.location, others]).toEqual(['body', []]);
  expect(problem?.message).toContain('"key-99" and 50 more; allowed: skip');
  expect(problem?.message).not.toContain('"key-100"');
});
