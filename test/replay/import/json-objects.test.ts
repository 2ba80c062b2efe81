import { describe, expect, it } from 'vitest';
import { type FoundObject, JsonObjects } from '../../../src/replay/import/json-objects.ts';

/** Lists the rows of a text that arrives in chunks of the given size, or the problems with their lines. */
function found(text: string, size = text.length) {
  const bytes = Buffer.from(text);
  const objects = new JsonObjects();
  const rows: FoundObject[] = [];
  for (let at = 0; at < bytes.length; at += size)
    rows.push(...objects.push(Buffer.from(bytes.subarray(at, at + size))));
  rows.push(...objects.end());
  return {
    rows: rows.map(({ line, bytes: row, problem }) => [line, problem ?? Buffer.from(row ?? []).toString()]),
    moreFollow: objects.moreFollow,
  };
}

/** Texts with their rows or problems, by line. */
const texts: readonly (readonly [string, string, readonly (readonly [number, string])[]])[] = [
  ['nothing', '', []],
  ['blanks alone', ' \n\t\r\n', []],
  ['an object', '{"a":1}', [[1, '{"a":1}']]],
  [
    'objects on lines',
    '{"a":1}\n{"a":2}\n\n{"a":3}',
    [
      [1, '{"a":1}'],
      [2, '{"a":2}'],
      [4, '{"a":3}'],
    ],
  ],
  [
    'objects without anything between',
    '{"a":1}{"a":2}',
    [
      [1, '{"a":1}'],
      [1, '{"a":2}'],
    ],
  ],
  [
    'a list',
    '[{"a":1},\n {"a":2}]',
    [
      [1, '{"a":1}'],
      [2, '{"a":2}'],
    ],
  ],
  ['an empty list', '[]', []],
  [
    'a page',
    '{"value":[{"a":1},\n{"a":2}]}',
    [
      [1, '{"a":1}'],
      [2, '{"a":2}'],
    ],
  ],
  ['an empty page', '{"value":[]}', []],
  [
    'pages',
    '{"value":[{"a":1}]}\n{"value":[{"a":2}]}',
    [
      [1, '{"a":1}'],
      [2, '{"a":2}'],
    ],
  ],
  ['a list of pages', '[{"value":[{"a":1}]}]', [[1, '{"value":[{"a":1}]}']]],
  ['a page with more than rows', '{"@odata.context":"x","value":[{"a":[1]}],"n":{"b":2}}', [[1, '{"a":[1]}']]],
  ['a list under another name', '{"values":[{"a":1}]}', [[1, '{"values":[{"a":1}]}']]],
  ['a list deeper in a row', '{"a":{"value":[{"b":1}]}}', [[1, '{"a":{"value":[{"b":1}]}}']]],
  ['a list of lists in a row', '{"a":[[{"b":1}]]}', [[1, '{"a":[[{"b":1}]]}']]],
  [
    'a list of lists',
    '[[{"a":1}],[{"a":2}]]',
    [
      [1, '{"a":1}'],
      [1, '{"a":2}'],
    ],
  ],
  [
    'line breaks inside of a row',
    '{"a":\r\n1,\n"b":2}\n{"c":3}',
    [
      [1, '{"a":  1, "b":2}'],
      [4, '{"c":3}'],
    ],
  ],
  [
    'brackets in texts',
    '{"a":"}{][","b":"\\"}"}\n{"a":"\\\\"}',
    [
      [1, '{"a":"}{][","b":"\\"}"}'],
      [2, '{"a":"\\\\"}'],
    ],
  ],
  ['a text that is the name of a list', '{"a":"value","b":[1]}', [[1, '{"a":"value","b":[1]}']]],
  [
    'letters of several bytes',
    '{"a":"é🙂"}{"b":"ü"}',
    [
      [1, '{"a":"é🙂"}'],
      [1, '{"b":"ü"}'],
    ],
  ],
  [
    'a word between rows',
    '{"a":1}\noops more\n{"a":2}',
    [
      [1, '{"a":1}'],
      [2, 'not-json'],
      [3, '{"a":2}'],
    ],
  ],
  [
    'words on lines',
    'one\ntwo',
    [
      [1, 'not-json'],
      [2, 'not-json'],
    ],
  ],
  [
    'words in a list',
    '[1, two,\n{"a":1},"x y",null]',
    [
      [1, 'not-json'],
      [1, 'not-json'],
      [2, '{"a":1}'],
      [2, 'not-json'],
      [2, 'not-json'],
    ],
  ],
  ['words in an object that wraps rows', '{"n":1,"value":[{"a":1}],"m":true}', [[1, '{"a":1}']]],
  [
    'a row that is cut off',
    '{"a":1}\n\n{"a":{"b"',
    [
      [1, '{"a":1}'],
      [3, 'cut-off'],
    ],
  ],
  [
    'a list that is cut off',
    '[{"a":1},\n',
    [
      [1, '{"a":1}'],
      [2, 'cut-off'],
    ],
  ],
  [
    'a page that is cut off',
    '{"value":[{"a":1}]\n',
    [
      [1, '{"a":1}'],
      [2, 'cut-off'],
    ],
  ],
  ['a text that is cut off', '{"a":"x\n', [[1, 'cut-off']]],
  [
    'a line break in a text',
    '{"a":"x\ny"}\n{"b":1}',
    [
      [1, '{"a":"x\ny"}'],
      [3, '{"b":1}'],
    ],
  ],
];

describe('rows of JSON text', () => {
  it.for(texts)('%s', ([, text, rows]) => {
    expect(found(text).rows).toEqual(rows);
  });

  it.for(texts)('%s: the result does not depend on chunk boundaries', ([, text, rows]) => {
    for (let size = 1; size < Math.max(2, Math.min(text.length, 9)); size += 1)
      expect([size, found(text, size).rows]).toEqual([size, rows]);
  });

  it.for([
    ['{"@odata.nextLink":"https://x","value":[{"a":1}]}', true],
    ['{"value":[{"a":1}],"@odata.nextlink":"https://x"}', true],
    ['{"value":[{"a":1}]}', false],
    ['{"value":[{"nextLink":"x"}]}', false],
    ['[{"nextLink":"x"}]', false],
    ['{"nextLinks":"x","value":[]}', false],
  ] as const)('%s reports that more pages follow: %s', ([text, moreFollow]) => {
    expect(found(text).moreFollow).toBe(moreFollow);
    expect(found(text, 3).moreFollow).toBe(moreFollow);
  });
});
