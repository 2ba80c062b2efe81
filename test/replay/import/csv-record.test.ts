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

/** Fields by their letters, of every record; `null` for a line whose quotes do not fit. */
function records(bytes: Buffer): (readonly string[] | null)[] {
  const found: (readonly string[] | null)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { fields, next } = csvRecord(bytes, at, form, true);
    found.push(fields?.map(({ from, to }) => bytes.toString('utf8', from, to)) ?? null);
    at = next;
  }
  return found;
}

describe('records of CSV', () => {
  it('where chunks end changes nothing of whether a file fits', () => {
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

  it('a file that fits has as many fields in every record as there are columns, and ends where it was read to', () => {
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

  it('a record whose end has not come yet is unfinished, at every byte', () => {
    const whole = Buffer.from('"a\nb","c""d"\r\nx,y');
    for (let end = 0; end < whole.indexOf('x'); end += 1) {
      expect(csvRecord(whole.subarray(0, end), 0, form, false).isUnfinished).toBe(true);
    }
    expect(csvRecord(whole, 0, form, false)).toMatchObject({ next: whole.indexOf('x'), lines: 2, isLast: false });
  });
});
