import { describe, expect, it } from 'vitest';
import { jsonShape, rowLevelsMax } from '../../../src/replay/import/json-keys.ts';
import { written } from './import-work.ts';

const toShape = (text: string | Uint8Array) => jsonShape(written('rows.ndjson', text));

/** Creates a row with the given nesting depth. */
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('columns of a JSON lines file', () => {
  it.for([
    ['{"a":1,"b":2}\n{"a":3,"c":4}\n', ['a', 'b', 'c']],
    ['{"a":1}\n{"b":2}', ['a', 'b']],
    ['{"a":{"inner":1},"b":[{"x":1},{"y":2}],"c":3}\n', ['a', 'b', 'c']],
    ['{"a":"b","c":"d,\\"e\\":{","f":"\\\\"}\n', ['a', 'c', 'f']],
    ['{ "a" : 1 , "b" : "x" }\n', ['a', 'b']],
    ['{"a\\"b":1,"c\\u0064":2}\n', ['a"b', 'cd']],
    ['{"caf\u00e9":1}\n', ['café']],
    ['{"bad\\x":1}\n', ['bad\\x']],
    ['\n\n{"a":1}\n\n', ['a']],
    ['', ['id']],
    ['{}\n', ['id']],
  ] as const)('%j has the columns %j', async ([text, keys]) => {
    expect(await toShape(text)).toEqual({ keys, hasCutLines: false, deepLine: null });
  });

  it.for([
    ['{"a":1\n{"b":2}\n', ['a', 'b']],
    ['{"a":"x\n{"b":2}\n', ['a', 'b']],
    ['{"a":1,"nam\n{"b":2}\n', ['a', 'b']],
    ['{"a":[1\n{"b":2}\n', ['a', 'b']],
    ['{"a":1}}\n{"b":2}\n', ['a', 'b']],
  ] as const)('%j has a truncated line and the columns %j', async ([text, keys]) => {
    expect(await toShape(text)).toEqual({ keys, hasCutLines: true, deepLine: null });
  });

  it('a row at the nesting limit is accepted, and the first deeper one is reported by line', async () => {
    expect(await toShape(`{"b":1}\n${nested(rowLevelsMax)}\n`)).toMatchObject({ keys: ['b', 'a'], deepLine: null });
    for (const end of ['\n', '']) {
      const text = `{"b":1}\n\n${nested(rowLevelsMax + 1)}${end}`;
      expect(await toShape(text)).toMatchObject({ deepLine: 3 });
    }
    expect(await toShape(`${nested(rowLevelsMax + 1)}\n{"b":1}\n`)).toMatchObject({ deepLine: 1 });
  });

  it('rows at the boundary of a 1 MiB chunk are parsed, and lines are counted across chunks', async () => {
    const filler = `{"a":"${'x'.repeat(1_048_000)}"}\n`;
    const long = `${filler}{"b":"${'y'.repeat(1_000)}","c":1}\n{"d":2}\n`;
    expect(await toShape(long)).toEqual({ keys: ['a', 'b', 'c', 'd'], hasCutLines: false, deepLine: null });
    expect(await toShape(`${long}${nested(rowLevelsMax + 1)}\n`)).toMatchObject({ deepLine: 4 });
    expect(await toShape(`${long}${nested(rowLevelsMax + 1)}`)).toMatchObject({ deepLine: 4 });
  });
});
