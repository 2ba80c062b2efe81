import { describe, expect, it } from 'vitest';
import { readRows } from '../../src/conformance/log/log-rows.ts';
import { peekBytes } from '../../src/conformance/log/peek-bytes.ts';
import { readMappingText } from '../../src/conformance/log/read-mapping.ts';
import type { LogEntry } from '../../src/conformance/model/log-event.ts';
import type { NudgeLabError } from '../../src/core/errors.ts';

const mapping = readMappingText(
  'log.mapping.yaml',
  `user: user.id
time: { field: at }
event: { field: what, values: { ask: prompt-skippable, skip: skipped, gone: user-removed, noise: ignored } }
facts: { count: count, limited: limited }
`,
);

async function* chunked(text: string, size: number): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(text: string, size = 7) {
  const { batches, rest } = readRows(await peekBytes(chunked(text, size)), 'log', mapping);
  const entries: LogEntry[] = [];
  for await (const batch of batches) entries.push(...batch);
  return { entries, ...rest() };
}

async function getProblem(text: string): Promise<unknown> {
  try {
    await read(text, 100_000);
  } catch (error) {
    const { code, problems, message } = error as NudgeLabError;
    return [code, problems[0]?.location ?? '', problems[0]?.message ?? message];
  }
  return null;
}

const row = { user: { id: 'ada' }, at: '2026-03-01T09:00:00Z', what: 'ask' };
const csvHead = 'user.id;at;what;count;limited\n';

describe('logs', () => {
  it('R5: JSON Lines, a JSON list, JSON pages and CSV give the same entries, in chunks of any size', async () => {
    const rows = [
      row,
      { ...row, what: 'skip', count: 1, limited: true },
      { ...row, what: 'noise' },
      { ...row, what: 'huh' },
    ];
    const lines = rows.map((one) => JSON.stringify(one)).join('\n');
    const csv = `\ufeff${csvHead}"ada";2026-03-01T09:00:00Z;ask;;\r\nada;2026-03-01T09:00:00Z;skip;1;on\r\nada;2026-03-01T09:00:00Z;noise;;\nada;2026-03-01T09:00:00Z;huh;;\n`;
    const texts = [lines, `${lines}\n\n`, JSON.stringify(rows), JSON.stringify({ value: rows }), csv];
    for (const text of texts) {
      for (const size of [40, 100_000]) {
        const { entries, unmapped, ignored } = await read(text, size);
        expect(
          entries.map((entry) =>
            entry.type === 'user' ? [entry.user, entry.kinds, entry.facts.count, entry.facts.limited] : null,
          ),
        ).toEqual([
          ['ada', ['prompt-skippable'], null, null],
          ['ada', ['skipped'], 1, true],
        ]);
        expect([Object.fromEntries(unmapped), ignored]).toEqual([{ huh: 1 }, 1]);
      }
    }
  });

  it('A3: a removed user starts again', async () => {
    const { entries } = await read(JSON.stringify({ ...row, what: 'gone' }), 1_000);
    expect(entries).toEqual([{ type: 'removed', user: 'ada', lo: Date.UTC(2026, 2, 1, 9) }]);
  });

  it.each([
    ['a row that is not JSON', `${JSON.stringify(row)}\n{"user":`, 'log:2', 'the row is not JSON'],
    ['a row that is a list', `${JSON.stringify(row)}\n[1]`, 'log:2', 'the row is not a JSON object'],
    [
      'a list that is cut off',
      `[${JSON.stringify(row)},\n{"user":`,
      'log:2',
      'the row is cut off: the file ends within the row',
    ],
    ['a missing user', JSON.stringify({ ...row, user: {} }), 'log:1', 'user.id: the user is missing'],
    ['a wrong time', JSON.stringify({ ...row, at: 'noon' }), 'log:1', 'at: "noon" is not a time of the format iso'],
    [
      'a wrong count',
      JSON.stringify({ ...row, count: -1 }),
      'log:1',
      'facts.count: -1 is not a whole number of at least 0',
    ],
    [
      'a wrong flag',
      JSON.stringify({ ...row, limited: 'maybe' }),
      'log:1',
      'facts.limited: "maybe" is not true or false',
    ],
    [
      'a short CSV row',
      `${csvHead}ada;2026-03-01T09:00:00Z\n`,
      'log:2',
      'the row has 2 fields, and there are 5 columns',
    ],
    ['open quotes', `${csvHead}"ada;2026-03-01T09:00:00Z;ask;;\n`, 'log:2', 'the row has quotes that are not closed'],
  ])('log-invalid: %s has its line', async (_what, text, location, message) => {
    expect(await getProblem(text)).toEqual(['log-invalid', location, message]);
  });

  it('log-invalid: a CSV file without a mapped column names its columns and the nearest one', async () => {
    const [code, location, message] = (await getProblem('user.id;att;what;count;limited\n')) as readonly string[];
    expect([code, location]).toEqual(['log-invalid', 'log:1']);
    expect(message).toContain('its columns are user.id, att, what, count, limited; did you mean "att"?');
  });

  it('file-unreadable: an empty file is no log', async () => {
    expect(await getProblem('')).toEqual(['file-unreadable', '', expect.stringContaining('empty')]);
  });
});
