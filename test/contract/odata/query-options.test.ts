import { describe, expect, test } from 'vitest';
import { type QueryConditions, readQueryOptions } from '../../../src/contract/odata/query-options.ts';
import type { QueryRow } from '../../../src/contract/odata/query-row.ts';
import { parseResourcePath } from '../../../src/contract/odata/resource-path.ts';
import { parseSearch } from '../../../src/contract/odata/search.ts';
import { NudgeLabError } from '../../../src/core/errors.ts';

const row: QueryRow = {
  page: { rows: 100, rowsMax: 999 },
  filter: { name: { type: 'string', operators: ['eq', 'ne', 'endswith'] } },
  orderby: ['name', 'created'],
  expand: ['members'],
  count: true,
  search: ['name'],
  isDirectory: true,
};
const type = { typeName: 'thing', properties: ['id', 'name', 'created'] };
const members = { typeName: 'member', properties: ['id', 'mail'] };
const eventual = { consistencyLevel: 'eventual', isStrict: true };

function read(query: string, conditions: QueryConditions = eventual) {
  return readQueryOptions(query, { row, type, expandable: { members } }, conditions);
}

/** Returns the locations of all problems of a query. */
function listProblems(query: string, conditions?: QueryConditions): readonly string[] {
  try {
    read(query, conditions);
  } catch (error) {
    if (error instanceof NudgeLabError) return error.problems.map(({ location }) => location);
  }
  return [];
}

describe('query options', () => {
  test('DIR20: names match in any case, with and without the dollar sign, and api-version has no effect', () => {
    const options = read('$SELECT=ID, Name&filter=name eq %27a%27&Top=5&api-version=beta&$count=TRUE');
    expect(options).toMatchObject({ select: ['id', 'name'], top: 5, count: true, filter: { path: 'name' } });
  });

  test.for<[string, readonly string[]]>([
    ['$format=json', ['$format']],
    ['$top=1&top=2', ['top']],
    ['$skip=1', ['$skip']],
    ['$top=0', ['$top']],
    ['$top=1000', ['$top']],
    ['$top=x', ['$top']],
    ['$count=yes', ['$count']],
    ['$select=nothing', ['$select']],
    ['$select=id,', ['$select']],
    ['$orderby=id', ['$orderby']],
    ['$orderby=name up', ['$orderby']],
    ['$orderby=name,created,name', ['$orderby']],
    ['$expand=owners', ['$expand']],
    ['$expand=members($select=shoe)', ['$expand']],
    ['$search=ada', ['$search']],
    ['$filter=name&$top=0&x=1', ['x', '$filter', '$top']],
  ])('DIR20: %s is rejected, and every problem is named', ([query, locations]) => {
    expect(listProblems(query)).toEqual(locations);
  });

  test('DIR21: * selects what a request without the option does, doubles count once, and an unknown name has the documented message', () => {
    expect(read('$select=*').select).toBeNull();
    expect(read('$select=name,NAME').select).toEqual(['name']);
    expect(() => read('$select=x')).toThrow(/^Could not find a property named 'x' on type 'thing'\.$/);
    expect(listProblems('$select=x')).toEqual(['$select']);
  });

  test('DIR27: two properties order rows, ascending by default', () => {
    expect(read('$orderby=Name desc, created').orderby).toEqual([
      { property: 'name', descending: true },
      { property: 'created', descending: false },
    ]);
  });

  test('DIR29: an expanded name can select properties', () => {
    expect(read('$expand=Members($select=id,mail)').expand).toEqual([{ name: 'members', select: ['id', 'mail'] }]);
    expect(read('$expand=members').expand).toEqual([{ name: 'members', select: null }]);
  });

  const plain = { isStrict: true };
  test.for<[string, QueryConditions, readonly string[]]>([
    ['$count=true', plain, ['$count']],
    ['', { ...plain, isCountOnly: true }, ['$count']],
    ["$filter=name ne 'a'", plain, ['$filter']],
    ["$filter=name ne 'a'", eventual, ['$filter']],
    ["$filter=name ne 'a'&$count=true", eventual, []],
    ["$filter=not (name eq 'a')&$count=true", eventual, []],
    ["$filter=endswith(name,'a')", plain, ['$filter']],
    ["$filter=name eq 'a'&$orderby=name", plain, ['$filter']],
    ["$filter=name eq 'a'", plain, []],
    ['$search="name:a"', plain, ['$search']],
    ['$search="name:a"', eventual, []],
    ["$filter=name ne 'a'", { isStrict: false }, []],
    ['$search="name:a"', { isStrict: false }, []],
    ['', { isStrict: true, consistencyLevel: 'strong' }, ['ConsistencyLevel']],
  ])('DIR26: %s under %j has the problems %j', ([query, conditions, locations]) => {
    expect(listProblems(query, conditions)).toEqual(locations);
  });
});

describe('searches', () => {
  test('DIR28: words are joined by AND and OR in capitals, and AND binds closer', () => {
    expect(parseSearch('"Name:ada LOVE" OR "name:b" AND "name:c"', ['name'])).toEqual([
      [{ property: 'name', words: ['ada', 'love'] }],
      [
        { property: 'name', words: ['b'] },
        { property: 'name', words: ['c'] },
      ],
    ]);
  });

  test.for(['', 'name:a', '"mail:a"', '"name:"', '"name:a" and "name:b"', '"name:a" AND'])(
    'DIR28: %s is rejected',
    (text) => {
      expect(() => parseSearch(text, ['name'])).toThrow('position');
    },
  );
});

describe('resource paths', () => {
  const texts = (path: string) => parseResourcePath(path)?.map(({ text }) => text) ?? null;

  test.for<[string, readonly string[] | null]>([
    ['', []],
    ['/', []],
    ['/users', ['users']],
    ['/users/', ['users']],
    ['/users/ada%23EXT%23', ['users', 'ada#EXT#']],
    ["/users('ada')", ['users', 'ada']],
    ["/users('O''Hara')/memberOf", ['users', "O'Hara", 'memberOf']],
    ['/users(ada)', ['users', 'ada']],
    ['/usersRegisteredByFeature()', ['usersRegisteredByFeature']],
    ['//', null],
    ['//users', null],
    ['/users//x', null],
    ['/users/%zz', null],
  ])('DIR2: %s has the segments %j', ([path, segments]) => {
    expect(texts(path)).toEqual(segments);
  });

  test('DIR2: named arguments belong to their segment', () => {
    const [segment] = parseResourcePath("/roles(roleTemplateId='x',other=5)") ?? [];
    expect([...(segment?.named ?? [])]).toEqual([
      ['roletemplateid', 'x'],
      ['other', '5'],
    ]);
  });
});
