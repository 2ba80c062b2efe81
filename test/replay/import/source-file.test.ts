import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectEncoding, sourceFile } from '../../../src/replay/import/source-file.ts';
import { newFolder, written } from './import-work.ts';

/** Prepares a file and returns its format, the text for the database, and the problems with their locations. */
async function ready(name: string, content: string | Uint8Array) {
  const path = written(name, content);
  const file = await sourceFile(path, basename(path), newFolder(), 3);
  return {
    kind: file.kind,
    encoding: file.encoding,
    text: readFileSync(file.path, 'utf8'),
    isCopy: file.path !== path,
    faults: file.faults.map(({ kind, count, places }) => [kind, count, ...places]),
    csv: file.csv === null ? null : { ...file.csv.form, columns: file.csv.columns, skipped: file.csv.linesSkipped },
  };
}

function utf16(text: string, { mark, isBig = false }: { mark: boolean; isBig?: boolean }): Buffer {
  const bytes = Buffer.from(`${mark ? '\uFEFF' : ''}${text}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
}

const comma = { delimiter: ',', mark: '"', lineEnd: '\n' };

describe('files to import', () => {
  it('UTF-8 with one row per line is unchanged', async () => {
    const text = '{"a":1}\n{"a":2}\n';
    expect(await ready('log.ndjson', text)).toEqual({
      kind: 'json',
      encoding: 'utf-8',
      text,
      isCopy: false,
      faults: [],
      csv: null,
    });
  });

  it.for([
    ['a list', '[{"a":1},\n {"a":2}]', '{"a":1}\n{"a":2}\n', []],
    ['a page', '{"value":[{"a":1}]}', '{"a":1}\n', []],
    ['a row on several lines', '{\n"a":1}', '{ "a":1}\n', []],
    [
      'a page with another behind it',
      '{"@odata.nextLink":"x","value":[{"a":1}]}',
      '{"a":1}\n',
      [['more-follow', 1, 'log.json, the end of a page']],
    ],
    ['a list that is cut off', '[{"a":1},\n{"a"', '{"a":1}\n', [['cut-off', 1, 'log.json, line 2 to the end']]],
    ['words in a list', '[{"a":1},\noops]', '{"a":1}\n', [['not-json', 1, 'log.json, line 2']]],
  ] as const)('%s becomes one row per line', async ([, text, rows, faults]) => {
    expect(await ready('log.json', text)).toMatchObject({ kind: 'json', text: rows, isCopy: true, faults });
  });

  it.for([
    ['half of the first lines are rows', '{"a":1}\nx\n', false],
    ['fewer than half of them are', '{"a":1}\nx\ny\n', true],
    ['a list is wrapped on each line', '{"value":[]}\n{"value":[]}\n', true],
    ['the last line of many is cut off', `${'{"a":1}\n'.repeat(30)}{"a"`, false],
    ['blank lines are between rows', '\n{"a":1}\n\n\n\n{"a":2}\n', false],
    ['rows come after twenty that are none', `{"a":1}\n${'x\n'.repeat(19)}${'{"a":1}\n'.repeat(60)}`, true],
  ] as const)('if %s, the file is rewritten: %s', async ([, text, isCopy]) => {
    expect((await ready('log.ndjson', text)).isCopy).toBe(isCopy);
  });

  it('lines are classified correctly beyond the initially inspected part of a file', async () => {
    const row = `{"a":"${'x'.repeat(40_000)}"}\n`;
    expect((await ready('log.ndjson', row.repeat(3))).isCopy).toBe(false);
    expect((await ready('log.ndjson', `{"value":[${row}]}`)).text).toBe(row);
  });

  it.for([
    ['UTF-16 with a mark', utf16('[{"a":"é"}]', { mark: true }), 'utf-16le'],
    ['UTF-16 without', utf16('[{"a":"é"}]', { mark: false }), 'utf-16le'],
    ['UTF-16 the other way with a mark', utf16('[{"a":"é"}]', { mark: true, isBig: true }), 'utf-16be'],
    ['UTF-16 the other way without', utf16('[{"a":"é"}]', { mark: false, isBig: true }), 'utf-16be'],
    ['UTF-8 with a mark', Buffer.from('\uFEFF[{"a":"é"}]'), 'utf-8'],
  ] as const)('%s is accepted', async ([, bytes, encoding]) => {
    expect(await ready('log.json', bytes)).toMatchObject({ encoding, text: '{"a":"é"}\n', faults: [] });
  });

  it('an invalid UTF-8 line is decoded as Windows-1252 and counted, and other lines are unaffected', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"é"}\n{"a":"'),
      Buffer.from([0xe9, 0x80]),
      Buffer.from('"}\n{"a":"ü"}\n{"a":"'),
      Buffer.from([0xfc]),
      Buffer.from('"}'),
    ]);
    expect(await ready('log.ndjson', bytes)).toMatchObject({
      text: '{"a":"é"}\n{"a":"é€"}\n{"a":"ü"}\n{"a":"ü"}',
      faults: [['not-utf8', 2, 'log.ndjson, line 2', 'log.ndjson, line 4']],
    });
  });

  it('characters and lines at the boundary of a 1 MiB chunk are read completely', async () => {
    const filler = `{"z":1}\n{"a":"${'x'.repeat(1_048_576 - 17)}`;
    const text = `${filler}éééé"}\n{"a":"é"}\n`;
    expect(await ready('log.ndjson', text)).toMatchObject({ isCopy: false, faults: [] });
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from('{"a":"'), Buffer.from([0xe9]), Buffer.from('"}\n')]);
    expect(await ready('log.ndjson', bytes)).toMatchObject({
      text: `${text}{"a":"é"}\n`,
      faults: [['not-utf8', 1, 'log.ndjson, line 4']],
    });
  });

  it('a line longer than a chunk is inspected as a whole', async () => {
    const [begin, rest] = ['{"a":"', `${'x'.repeat(1_100_000)}"}`];
    const bytes = Buffer.concat([Buffer.from(begin), Buffer.from([0xe9]), Buffer.from(rest)]);
    expect(await ready('log.json', bytes)).toMatchObject({
      text: `${begin}é${rest}\n`,
      faults: [['not-utf8', 1, 'log.json, line 1']],
    });
  });

  it.for([
    ['an empty file', 'log.json', ''],
    ['a ZIP', 'log.json', Buffer.from('504b03040000', 'hex')],
    ['a gzip', 'log.json', Buffer.from('1f8b0800', 'hex')],
    ['Zstandard', 'log.json', Buffer.from('28b52ffd00', 'hex')],
    ['text that is no JSON and is called so', 'log.JSON', 'a,b\n1,2\n'],
    ['Parquet without an end', 'log.parquet', 'PAR1 and more'],
    ['Parquet that is its mark alone', 'log.parquet', 'PAR1'],
  ] as const)('file-unreadable: %s is rejected', async ([, name, content]) => {
    await expect(ready(name, content)).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining(name),
    });
  });

  it('file-unreadable: a folder or a missing file is rejected', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'log.json'));
    for (const name of ['log.json', 'none.json']) {
      await expect(sourceFile(join(folder, name), name, folder, 1)).rejects.toMatchObject({ code: 'file-unreadable' });
    }
  });

  it('Parquet with a valid start and end is passed to the database', async () => {
    expect(await ready('log.any', 'PAR1PAR1')).toMatchObject({ kind: 'parquet', encoding: 'binary', isCopy: false });
  });

  it.for([
    ['', 'utf-8'],
    ['6100', 'utf-8'],
    ['61006200', 'utf-16le'],
    ['00610062', 'utf-16be'],
    ['61620063', 'utf-8'],
    ['61006263', 'utf-8'],
    ['00616263', 'utf-8'],
    ['fffe', 'utf-16le'],
    ['feff', 'utf-16be'],
    ['ff61', 'utf-8'],
    ['fe61', 'utf-8'],
  ] as const)('bytes that begin with %s are detected as %s', ([hex, encoding]) => {
    expect(detectEncoding(Buffer.from(hex, 'hex'))).toBe(encoding);
  });
});

describe('CSV files to import', () => {
  it.for([
    ['commas', 'a,b\n1,2\n', comma, ['a', 'b'], 1],
    ['semicolons', 'a;b,c;d\n1;2;3\n', { ...comma, delimiter: ';' }, ['a', 'b,c', 'd'], 1],
    ['tabs', 'a\tb\n1\t2\n', { ...comma, delimiter: '\t' }, ['a', 'b'], 1],
    ['bars', 'a|b\n1|2\n', { ...comma, delimiter: '|' }, ['a', 'b'], 1],
    ['lines of Windows', 'a,b\r\n1,2\r\n', { ...comma, lineEnd: '\r\n' }, ['a', 'b'], 1],
    ['a line that names what is between fields', 'sep=;\na;b\n1;2\n', { ...comma, delimiter: ';' }, ['a', 'b'], 2],
    ['such a line in quotes', '"sep=|"\r\na|b\r\n', { delimiter: '|', mark: '"', lineEnd: '\r\n' }, ['a', 'b'], 2],
    ['names in quotes', '"a ""x""","b\nc"\n1,2\n', comma, ['a "x"', 'bc'], 2],
    ['names that are empty or there before', 'a,,A, b \n1,2,3,4\n', comma, ['a', '_1', 'A_2', 'b'], 1],
    ['backslashes before quotes', 'a,b\n"{\\"x\\":1}",2\n', { ...comma, mark: '\\' }, ['a', 'b'], 1],
  ] as const)('%s', async ([, text, form, columns, skipped]) => {
    expect(await ready('log.csv', text)).toMatchObject({
      kind: 'csv',
      isCopy: false,
      faults: [],
      csv: { ...form, columns, skipped },
    });
  });

  it('malformed rows are skipped or completed and reported with their lines, and the others are unchanged', async () => {
    const text = [
      'a,b,c',
      '1,2,3',
      '4,5',
      '6,7,8,9',
      '10,11,12,,',
      '',
      '"13"x,14,15',
      '16,1"7,18',
      '"19\n20",21,"2""2"',
      '23,24',
    ].join('\n');
    expect(await ready('log.csv', text)).toEqual({
      kind: 'csv',
      encoding: 'utf-8',
      text: '1,2,3\n4,5,\n10,11,12\n16,"1""7",18\n"19\n20",21,"2""2"\n',
      isCopy: true,
      faults: [
        ['fewer-fields', 1, 'log.csv, line 3: 2 for 3 columns'],
        ['more-fields', 1, 'log.csv, line 4: 4 for 3 columns'],
        ['more-delimiters', 1, 'log.csv, line 5'],
        ['not-csv', 1, 'log.csv, line 7'],
        ['cut-off', 1, 'log.csv, line 11'],
      ],
      csv: { ...comma, columns: ['a', 'b', 'c'], skipped: 0 },
    });
  });

  it('lines with different line ends are all parsed and normalized', async () => {
    expect(await ready('log.csv', 'a;b\r\n1;2\n3;4\r\n5;6')).toMatchObject({
      text: '1;2\n3;4\n5;6\n',
      csv: { delimiter: ';', lineEnd: '\n', skipped: 0 },
      faults: [],
    });
  });

  it('for each type of problem five locations are listed and all are counted', async () => {
    const { faults } = await ready('log.csv', `a,b\n${'1\n'.repeat(7)}`);
    expect(faults).toEqual([
      ['fewer-fields', 7, ...[2, 3, 4, 5, 6].map((line) => `log.csv, line ${line}: 1 for 2 columns`)],
    ]);
  });
});
