import { describe, expect, test } from 'vitest';
import { parseFilter } from '../../../src/contract/odata/filter-parser.ts';
import type { FilterProperties } from '../../../src/contract/odata/filter-properties.ts';
import { filterComparisonsMax, filterDepthMax } from '../../../src/core/limits.ts';

const properties: FilterProperties = {
  displayName: { type: 'string', operators: ['eq', 'ne', 'in', 'startswith', 'contains'] },
  enabled: { type: 'boolean', operators: ['eq'] },
  'status/errorCode': { type: 'number', operators: ['eq', 'ge', 'lt'] },
  created: { type: 'time', operators: ['ge', 'le'] },
  kinds: { type: 'strings', operators: ['eq'] },
  targets: { type: 'objects', items: { id: { type: 'string', operators: ['eq'] } } },
};

const compare = (path: string, operator: string, value: unknown, isTime = false) => ({
  kind: 'compare',
  path,
  operator,
  value,
  isTime,
});

describe('filters', () => {
  test.for<[string, object]>([
    ["displayName eq 'Ada'", compare('displayName', 'eq', 'Ada')],
    ["DISPLAYNAME Eq 'O''Hara'", compare('displayName', 'eq', "O'Hara")],
    ['displayName eq null', compare('displayName', 'eq', null)],
    [
      'displayName eq 9B3E7A54-2f0d-4c1b-8e6f-5a4d3c2b1a00',
      compare('displayName', 'eq', '9B3E7A54-2f0d-4c1b-8e6f-5a4d3c2b1a00'),
    ],
    ['enabled eq TRUE', compare('enabled', 'eq', true)],
    ['Status/ErrorCode lt -1.5', compare('status/errorCode', 'lt', -1.5)],
    ['created ge 2026-01-05T09:00:00Z', compare('created', 'ge', 1_767_603_600_000, true)],
    ["created ge '2026-01-05T10:00:00+01:00'", compare('created', 'ge', 1_767_603_600_000, true)],
    ['created le 2026-01-05', compare('created', 'le', 1_767_571_200_000, true)],
    ["displayName in ('a', 'b')", { kind: 'in', path: 'displayName', values: ['a', 'b'], isTime: false }],
    ["StartsWith(displayName,'a')", { kind: 'text', test: 'startswith', path: 'displayName', value: 'a' }],
    ["kinds/any(k: k eq 'x')", { kind: 'any', path: 'kinds', test: compare('', 'eq', 'x') }],
    ["kinds/any(i:i eq 'x')", { kind: 'any', path: 'kinds', test: compare('', 'eq', 'x') }],
    ['kinds/any()', { kind: 'any', path: 'kinds', test: null }],
    ["targets/any(t: t/id eq 'x')", { kind: 'any', path: 'targets', test: compare('id', 'eq', 'x') }],
    ['not (enabled eq false)', { kind: 'not', term: compare('enabled', 'eq', false) }],
  ])('DIR25: %s is parsed', ([text, expected]) => {
    expect(parseFilter(text, properties)).toEqual(expected);
  });

  test('DIR25: and binds closer than or, and parentheses group', () => {
    const [a, b, c] = [1, 2, 3].map((value) => compare('status/errorCode', 'eq', value));
    const parse = (text: string) => parseFilter(text.replaceAll(/(\d)/g, 'status/errorCode eq $1'), properties);
    expect(parse('1 or 2 and 3')).toEqual({ kind: 'or', terms: [a, { kind: 'and', terms: [b, c] }] });
    expect(parse('(1 or 2) and 3')).toEqual({ kind: 'and', terms: [{ kind: 'or', terms: [a, b] }, c] });
    expect(parse('not 1 and 2')).toEqual({ kind: 'and', terms: [{ kind: 'not', term: a }, b] });
  });

  test.for<[string, string]>([
    ['', 'position 1:'],
    ["shoeSize eq '1'", 'position 1: the property "shoeSize" cannot be filtered; allowed: displayName'],
    ["displayName lt 'a'", 'lt is not supported for displayName; allowed: eq, ne, in, startswith, contains'],
    ["endswith(displayName,'a')", 'endswith is not supported for displayName'],
    ['displayName eq 1', 'position 16: "1" is not a text'],
    ['displayName eq abc', 'is not a text'],
    ["enabled eq 'true'", 'is not true or false'],
    ["status/errorCode eq '1'", 'is not a number'],
    ['created ge yesterday', 'is not a time'],
    ["displayName eq 'a", 'position 16: the text has no closing quote'],
    ["displayName eq 'a''", 'the text has no closing quote'],
    ["displayName eq 'a' displayName", 'position 20: "displayName" is not and, or, or the end'],
    ["(displayName eq 'a'", 'the end is not ")"'],
    ["kinds eq 'x'", 'kinds is a collection'],
    ["displayName/any(x: x eq 'a')", 'displayName is not a collection'],
    ["kinds/any(k: x eq 'a')", '"x" is not k, the variable of any'],
    ["targets/any(t: t/name eq 'x')", 'the property "name" cannot be filtered; allowed: id'],
    ['displayName', 'position 12: displayName needs one of the operators'],
    ['startswith(displayName,null)', 'startswith needs a text'],
  ])('DIR25: %s is rejected with the position', ([text, message]) => {
    expect(() => parseFilter(text, properties)).toThrow(message);
  });

  test('DIR25: the numbers of comparisons and of nested parts are limited', () => {
    const terms = (count: number) => Array.from({ length: count }, () => 'enabled eq true').join(' or ');
    expect(parseFilter(terms(filterComparisonsMax), properties)).toMatchObject({ kind: 'or' });
    expect(() => parseFilter(terms(filterComparisonsMax + 1), properties)).toThrow('more than 50 comparisons');
    const nested = (depth: number) => `${'('.repeat(depth)}enabled eq true${')'.repeat(depth)}`;
    expect(parseFilter(nested(filterDepthMax), properties)).toMatchObject({ kind: 'compare' });
    expect(() => parseFilter(nested(filterDepthMax + 1), properties)).toThrow('more than 15 nested parts');
    expect(() => parseFilter(`${'not '.repeat(filterDepthMax + 1)}enabled eq true`, properties)).toThrow('nested');
  });
});
