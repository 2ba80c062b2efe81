import { describe, expect, it } from 'vitest';
import { toFixture } from '../../src/cli/lookup/redact-answer.ts';

interface Known {
  readonly query: string;
  readonly tool: string;
  readonly type: string;
  readonly found: boolean;
  readonly username?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

type Made = {
  readonly known: readonly Known[];
  readonly tools?: Readonly<Record<string, readonly { readonly id: string }[]>>;
};

const made = (
  results: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  query = 'Ada@Example.test',
  type: 'email' | 'username' = 'email',
) => toFixture({ query, type, results }) as Made;
const getFields = (result: Readonly<Record<string, unknown>>) =>
  made({ wexlar: { found: true, ...result } }).known[0]?.fields;

describe('L10: fixtures from recorded lookups', () => {
  it('a person gets the same pseudonym regardless of letter case and surrounding blanks', () => {
    const [first, second, other] = [' ada@example.test ', 'ADA@example.test', 'ben@example.test'].map(
      (query) => made({ wexlar: { found: true } }, query).known[0]?.query,
    );
    expect(first).toMatch(/^person-[0-9a-z]{8}@example\.test$/i);
    expect([second, first === other]).toEqual([first, false]);
    expect(made({ wexlar: { found: true } }, 'ada', 'username').known[0]).toMatchObject({
      query: expect.stringMatching(/^person-[^@]{8}$/),
      type: 'username',
      tool: 'wexlar',
      found: true,
    });
  });

  it('an account counts as found only if the response contains `true`', () => {
    const { known } = made({ wexlar: { found: false }, plimbo: { found: 'true' }, krintle: {} });
    expect(known.map(({ tool, found }) => [tool, found])).toEqual([
      ['wexlar', false],
      ['plimbo', false],
      ['krintle', false],
    ]);
    expect(known.map((one) => 'fields' in one)).toEqual([false, false, false]);
  });

  it('a username is replaced by a derived pseudonym, and omitted if it equals the query', () => {
    const { known } = made(
      { wexlar: { username: 'lovelace' }, plimbo: { username: 'LOVELACE' }, krintle: { username: 'ada' } },
      'ada',
      'username',
    );
    const [one, other, own] = known.map(({ username }) => username);
    expect(one).toMatch(/^person-/);
    expect([other, own]).toEqual([one, undefined]);
    expect(made({ wexlar: { username: 7 } }).known[0]).not.toHaveProperty('username');
  });

  it.for([
    ['write to ada@example.test now', 'write to person@example.test now'],
    ['a@b', 'person@example.test'],
    ['see https://x.test/a?b=c', 'see https://example.test/'],
    ['see ftp+tls://x.test/a', 'see https://example.test/'],
    ['see www.x.test/ada', 'see https://example.test/'],
    ['from 10.0.12.255', 'from 192.0.2.1'],
    ['from fe80:0:0:0:1:2:3:4', 'from 2001:db8::1'],
    ['call +49 (30) 123-456', 'call 000'],
    ['call 030/12345678', 'call 000'],
    ['abcdefghijklmnopqrstuvwx', '[redacted]'],
    ['abcdefghijklmnopqrstuvw', 'abcdefghijklmnopqrstuvw'],
    ['born 1990-01', 'born 1990-01'],
    ['a plain sentence: nothing in it', 'a plain sentence: nothing in it'],
    ['12:30:45', '12:30:45'],
    ['version 1.2.3', 'version 1.2.3'],
  ] as const)('redacts the text "%s" to "%s"', ([bio, expected]) => {
    expect(getFields({ bio })).toEqual({ bio: expected });
  });

  it('personal and location fields get values derived from the originals, and other fields are kept', () => {
    const fields = getFields({
      name: 'Ada',
      full_name: 'Ada L',
      lastname: 'L',
      display_name: 'A',
      location: 'London',
      city: 'London',
      address: 'Street 1',
      phone: '1',
      birthday: 'May',
      nickname: 'ada',
      followers: 7,
      verified: true,
      nothing: null,
      list: ['x'],
      object: { a: 1 },
    });
    const aliases = [
      'name',
      'full_name',
      'lastname',
      'display_name',
      'location',
      'city',
      'address',
      'phone',
      'birthday',
    ];
    for (const name of aliases) expect([name, fields?.[name]]).toEqual([name, expect.stringMatching(/^person-/)]);
    expect(fields?.['location']).toBe(fields?.['city']);
    expect(Object.keys(fields ?? {}).toSorted()).toEqual(
      [...aliases, 'nickname', 'followers', 'verified', 'nothing'].toSorted(),
    );
    expect(fields).toMatchObject({ nickname: 'ada', followers: 7, verified: true, nothing: null });
  });

  it('secrets are redacted by their keys, and fields that the mock server provides are omitted', () => {
    expect(getFields({ api_key: 'x', apikey: 'x', session: 'x', key: 'x', hash: 'x', ip: 'x', token: 'x' })).toEqual(
      Object.fromEntries(
        ['api_key', 'apikey', 'session', 'key', 'hash', 'ip', 'token'].map((name) => [name, '[redacted]']),
      ),
    );
    expect(getFields({ profile_url: 'https://x', avatar: 'https://x', username: 'x', error: 'x' })).toBeUndefined();
    expect(getFields({ bio: 'I am Ada@Example.test indeed' })?.['bio']).not.toMatch(/ada/i);
  });

  it('an unknown tool is added with its fields, and `tools` is omitted if every tool is known', () => {
    expect(made({ wexlar: { found: true } })).not.toHaveProperty('tools');
    const { tools } = made({ newtool: { found: true, name: 'Ada', bio: 'x', odd: 1 } });
    expect(tools?.['email']?.at(-1)).toMatchObject({ id: 'newtool', fields: expect.arrayContaining(['name', 'bio']) });
    expect(tools?.['email']?.at(-1)).not.toMatchObject({ fields: expect.arrayContaining(['odd']) });
    expect(tools?.['username']?.some(({ id }) => id === 'newtool')).toBe(false);
    expect(tools?.['email']?.length).toBeGreaterThan(20);
  });
});
