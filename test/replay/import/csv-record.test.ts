import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvCheck, type CsvForm, csvRecord } from '../../../src/replay/import/csv-record.ts';

const form: CsvForm = { delimiter: ',', mark: '"', lineEnd: '\n' };
const width = 2;

const text = fc
  .array(fc.constantFrom('a', 'b', ',', '"', '""', '\n', '\r\n', ' '), { maxLength: 25 })
  .map((parts) => parts.join(''));

function fits(pieces: readonly Uint8Array[]): boolean {
  const check = new CsvCheck(form, width, 1_000);
  return pieces.every((piece) => check.push(piece)) && check.end();
}

/** Lists the fields of every record by letter, and `null` for a line with malformed quotes. */
function records(bytes: Buffer): (readonly string[] | null)[] {
  const found: (readonly string[] | null)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { fields, next } = csvRecord(bytes, at, form, true);
    found.push(fields?.map(({ from, to }) => bytes.toString('utf8', from, to)) ?? null);
    at = next;
  }
  return found;
}

describe('CSV records', () => {
  it('chunk boundaries do not affect the validity of a file', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), (content, size) => {
        const bytes = Buffer.from(content);
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
          bytes.subarray(n * size, (n + 1) * size),
        );
        expect(fits(pieces)).toBe(fits([bytes]));
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });

  it('in a valid file, every record has one field per column, and the file ends where parsing ended', () => {
    let [fitting, read] = [0, 0];
    fc.assert(
      fc.property(text, (content) => {
        if (!fits([Buffer.from(content)])) return;
        fitting += 1;
        const lengths = [...records(Buffer.from(content))].map((fields) => fields?.length);
        read += lengths.length;
        expect(lengths.filter((length) => length !== width)).toEqual([]);
      }),
      { seed: 1, numRuns: 5_000 },
    );
    expect([fitting, read].map((count) => count > 20)).toEqual([true, true]);
  });

  it('a record without its end is incomplete at every byte', () => {
    const whole = Buffer.from('"a\nb","c""d"\r\nx,y');
    for (let end = 0; end < whole.indexOf('x'); end += 1) {
      expect(csvRecord(whole.subarray(0, end), 0, form, false).isUnfinished).toBe(true);
    }
    expect(csvRecord(whole, 0, form, false)).toMatchObject({ next: whole.indexOf('x'), lines: 2, isLast: false });
  });
});

/**
 * Returns a record: its fields, the characters around them, the following bytes, its lines, and whether it is the
 * last.
 */
function readRecord(text: string, used: Omit<CsvForm, 'lineEnd'> = form, isEnd = true, from = 0) {
  const bytes = Buffer.from(text);
  const { fields, next, lines, isUnfinished, isLast } = csvRecord(bytes, from, used, isEnd);
  if (isUnfinished) return 'unfinished';
  const cells = fields?.map((field) => bytes.toString('utf8', field.from, field.to)) ?? null;
  return [cells, bytes.toString('utf8', next), lines, isLast];
}

const [escaped, semicolons] = [
  { delimiter: ',', mark: '\\' },
  { delimiter: ';', mark: '"' },
] as const;

describe('single CSV record', () => {
  it.for([
    ['', form, [[''], '', 1, true]],
    ['a,b', form, [['a', 'b'], '', 1, true]],
    ['a,b\nc', form, [['a', 'b'], 'c', 1, false]],
    ['a,b\r\nc', form, [['a', 'b'], 'c', 1, false]],
    ['a,b\rc', form, [['a', 'b'], 'c', 1, false]],
    ['a,b\r', form, [['a', 'b'], '', 1, false]],
    [',\n', form, [['', ''], '', 1, false]],
    [' a , b \n', form, [[' a ', ' b '], '', 1, false]],
    ['a"b,c"\n', form, [['a"b', 'c"'], '', 1, false]],
    ['"a,b",c\nd', form, [['"a,b"', 'c'], 'd', 1, false]],
    [' "a" ,b\n', form, [['"a"', 'b'], '', 1, false]],
    ['"a"', form, [['"a"'], '', 1, true]],
    ['""\n', form, [['""'], '', 1, false]],
    ['"a""b",c\n', form, [['"a""b"', 'c'], '', 1, false]],
    ['"a\nb\n",c\nd', form, [['"a\nb\n"', 'c'], 'd', 3, false]],
    ['"a\\"b",c\n', escaped, [['"a\\"b"', 'c'], '', 1, false]],
    ['"a""b"\nc', escaped, [null, 'c', 1, false]],
    ['"a\\",c\nd', form, [['"a\\"', 'c'], 'd', 1, false]],
    ['a,b;c\n', semicolons, [['a,b', 'c'], '', 1, false]],
    ['"a"b,c\nd', form, [null, 'd', 1, false]],
    ['"a\nd', form, [null, 'd', 1, false]],
    ['"a', form, [null, '', 1, true]],
    ['x,"a"b', form, [null, '', 1, true]],
  ] as const)(
    '%j is parsed with its fields, the following bytes, its lines and whether it is the last',
    ([text, used, expected]) => {
      expect(readRecord(text, used)).toEqual(expected);
    },
  );

  it.for(['a,b', 'a,b\r', '"a"', '"a\n', '"a"x', '', '"a" '])('%j may continue in the next chunk', (text) => {
    expect(readRecord(text, form, false)).toBe('unfinished');
  });

  it.for([
    ['a,b\n', [['a', 'b'], '', 1, false]],
    ['a,b\r\n', [['a', 'b'], '', 1, false]],
    ['a,b\rc', [['a', 'b'], 'c', 1, false]],
    ['"a"x,b\nc', [null, 'c', 1, false]],
  ] as const)('%j is complete regardless of the next chunk', ([text, expected]) => {
    expect(readRecord(text, form, false)).toEqual(expected);
  });

  it('a record starts at the given offset', () => {
    expect(readRecord('a,b\n"c",d\ne', form, true, 4)).toEqual([['"c"', 'd'], 'e', 1, false]);
    expect(csvRecord(Buffer.from('a,"b"'), 0, form, true).fields?.map(({ isQuoted }) => isQuoted)).toEqual([
      false,
      true,
    ]);
    expect(csvRecord(Buffer.from('x\na'), 2, form, false)).toMatchObject({ next: 2, isUnfinished: true });
  });
});

describe('validation of a whole CSV file', () => {
  const windows: CsvForm = { ...form, lineEnd: '\r\n' };
  const backslashes: CsvForm = { ...form, mark: '\\' };
  const checked = (text: string, used: CsvForm, bytesMax = 1_000): boolean => {
    const check = new CsvCheck(used, width, bytesMax);
    return check.push(Buffer.from(text)) && check.end();
  };

  it.for([
    ['', form, true],
    ['a,b', form, true],
    ['a,b\nc,d\n', form, true],
    ['a,b\n,\n', form, true],
    ['"a","b"\n', form, true],
    ['"a","b"', form, true],
    ['a,', form, true],
    ['"a,\n""b","c"\n', form, true],
    ['a b,c d\n', form, true],
    ['a\n', form, false],
    ['a', form, false],
    ['a,b,c\n', form, false],
    ['a,b,c', form, false],
    ['a,b\n\nc,d\n', form, false],
    ['\na,b\n', form, false],
    ['a,b\r\n', form, false],
    ['a,b\rc,d', form, false],
    ['a"b,c\n', form, false],
    ['"a"b,c\n', form, false],
    ['"a" ,b\n', form, false],
    ['a,"b', form, false],
    ['"a\\"b",c\n', form, false],
    ['a,b\r\nc,d\r\n', windows, true],
    ['"a","b"\r\n', windows, true],
    ['"a\nb","\r\n"\r\n', windows, true],
    ['a,b\nc,d\r\n', windows, false],
    ['a,b\r', windows, false],
    ['a,b\rc,d\r\n', windows, false],
    ['\r\na,b\r\n', windows, false],
    ['"a\\"b",c\n', backslashes, true],
    ['"a\\\\",c\n', backslashes, true],
    ['"a""b",c\n', backslashes, false],
    ['a,"b\\', backslashes, false],
    ['a;b\n', { ...form, delimiter: ';' }, true],
    ['a,b\n', { ...form, delimiter: ';' }, false],
  ] as const)('%j matches the form %j: %s', ([text, used, fitsForm]) => {
    expect(checked(text, used)).toBe(fitsForm);
  });

  it('the size limit of a record applies within one chunk and across chunks', () => {
    for (const [text, isWithin] of [
      ['abc,def\n', true],
      ['abc,defg\n', false],
      ['abc,def', true],
      ['abc,defg', false],
      ['a,b\nabc,def\n', true],
      ['a,b\nabc,defg\n', false],
    ] as const) {
      expect([text, checked(text, form, 7)]).toEqual([text, isWithin]);
      const pieces = new CsvCheck(form, width, 7);
      expect([text, [...text].every((letter) => pieces.push(Buffer.from(letter))) && pieces.end()]).toEqual([
        text,
        isWithin,
      ]);
    }
  });
});
