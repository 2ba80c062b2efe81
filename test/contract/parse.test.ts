import { expect, it } from 'vitest';
import { clientSchema } from '../../src/contract/client.schema.ts';
import { parseOr } from '../../src/contract/parse.ts';

function listProblems(client: object): unknown {
  try {
    return parseOr('bad-request', clientSchema, client, 'client');
  } catch (error) {
    return (error as { readonly problems: unknown }).problems;
  }
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
