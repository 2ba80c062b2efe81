import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { defaultLookup } from '../../../src/contract/lookup-defaults.ts';
import { NudgeLabError } from '../../../src/core/errors.ts';
import { passwordMatches } from '../../../src/core/secrets.ts';
import { planLookup } from '../../../src/sandbox/lookup/plan-lookup.ts';
import { nonEmpty } from '../../non-empty.ts';

const shipped = new URL('../../../fixtures/lookup/default.yaml', import.meta.url);

describe('default lookup service', () => {
  test('L5: a sandbox without a lookup description has the setup of the default fixture', () => {
    expect(planLookup(parse(readFileSync(shipped, 'utf8')), 1)).toEqual(defaultLookup);
  });

  test('L5: there are 23 and 11 tools with single lower-case words as ids, some of them in both lists', () => {
    const ids = (['email', 'username'] as const).map((type) => defaultLookup.tools[type].map(({ id }) => id));
    expect(ids.map((list) => new Set(list).size)).toEqual([23, 11]);
    expect(ids.flat().filter((id) => !/^[a-z]+$/.test(id))).toEqual([]);
    expect(ids[0]?.filter((id) => ids[1]?.includes(id))).toHaveLength(5);
  });

  test('L6: every account has the documented password', async () => {
    for (const { passwordHash } of nonEmpty(defaultLookup.accounts)) {
      expect(await passwordMatches('correct horse', passwordHash)).toBe(true);
      expect(await passwordMatches('correct horse ', passwordHash)).toBe(false);
    }
  });
});

describe('lookup description', () => {
  const account = { id: 'one', email: 'one@example.test', password: 'secret word' };

  test('L6: a plan contains no passwords, tokens, or queries, and planning it again changes nothing', () => {
    const plan = planLookup(
      {
        accounts: [account],
        tokens: [{ id: 'a', account: 'one', token: 'plain-token' }],
        known: [{ type: 'email', tool: 'quorvex', query: 'known@example.test' }],
      },
      7,
    );
    const text = JSON.stringify(plan);
    for (const secret of ['secret word', 'plain-token', 'known@example.test']) expect(text).not.toContain(secret);
    expect(planLookup(plan, 7)).toEqual(plan);
  });

  test.for([
    [{ accounts: [account, { ...account, id: 'two' }] }, 'lookup.accounts.1.email'],
    [{ tokens: [{ id: 'a', account: 'nobody', token: 'plain-token' }] }, 'lookup.tokens.0.account'],
    [{ known: [{ type: 'email', tool: 'yondrel', query: 'a@b' }] }, 'lookup.known.0.tool'],
    [{ accounts: [{ id: 'one', email: 'one@example.test' }] }, 'lookup.accounts.0.password'],
    [{ tools: { email: [{ id: 'all' }], username: [{ id: 'one' }] } }, 'lookup.tools.email.0.id'],
    [{ tools: { email: [{ id: 'two' }, { id: 'two' }], username: [{ id: 'one' }] } }, 'lookup.tools.email.1.id'],
    [{ setings: {} }, 'lookup'],
  ] as const)('bad-request: %j is rejected with location %s', ([given, place]) => {
    expect(() => planLookup(given, 1)).toThrow(
      expect.objectContaining({ code: 'bad-request', problems: [expect.objectContaining({ location: place })] }),
    );
  });

  test('bad-request: of many unknown accounts and tools, only the first ones get a suggestion', () => {
    const tokens = Array.from({ length: 50 }, (_, index) => ({
      id: `t${index}`,
      account: 'onn',
      token: `plain-token-${index}`,
    }));
    const known = Array.from({ length: 50 }, () => ({ type: 'email', tool: 'quorvx', query: 'a@b' }));
    for (const given of [{ accounts: [account], tokens }, { known }]) {
      let problems: readonly { readonly message: string }[] = [];
      try {
        planLookup(given, 1);
      } catch (error) {
        if (error instanceof NudgeLabError) ({ problems } = error);
      }
      expect(problems).toHaveLength(50);
      expect(problems.filter(({ message }) => message.includes('did you mean'))).toHaveLength(20);
    }
  });
});
