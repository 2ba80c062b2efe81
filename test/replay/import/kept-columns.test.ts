import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import { type KeptColumn, listKeptColumns } from '../../../src/replay/import/kept-columns.ts';
import { Pseudonyms } from '../../../src/replay/import/pseudonyms.ts';
import { readOwn } from '../compare/own-history.ts';
import { imported, mapping, newFolder, written } from './import-work.ts';

const facts = (fact: string): { readonly facts: string } => ({ facts: `facts: { user: { ${fact} } }` });
const plan = (map: string) =>
  readOwn('oc50-kept', facts(`plan: { type: enum, values: [free, paid], default: free, import: sku, map: ${map} }`));

const kept: readonly KeptColumn[] = listKeptColumns([plan('{ F1: free, E5: paid }')]);

async function importText(name: string, text: string, columns = kept) {
  const result = await imported({ signIns: [written(name, text)] }, null, mapping, columns);
  const session = await DuckDbSession.open(newFolder());
  const texts = await session.rows(`SELECT kept0 FROM '${join(result.folder, 'attempts.parquet')}' ORDER BY t`);
  session.close();
  return { manifest: result.manifest, texts: texts.map(([text_]) => text_) };
}

const csv = (...rows: readonly string[]): string =>
  ['createdDateTime,userId,correlationId,note,sku', ...rows].join('\n');

describe('columns that an import keeps', () => {
  it('OC50 the attempts contain the text of the last row that has one, and the manifest names the columns', async () => {
    const text = csv(
      '2026-02-02T09:00:00Z,ada,c1,,F1',
      '2026-02-02T09:00:05Z,ada,c1,, E5 ',
      '2026-02-02T09:00:09Z,ada,c1,,',
      '2026-02-03T09:00:00Z,ada,c2,,',
    );
    const { manifest, texts } = await importText('log.csv', text);
    expect(texts).toEqual(['E5', null]);
    expect(manifest.keptColumns).toEqual(['sku']);
    expect(manifest.report.columns['rulesets.sku']).toBe('sku');
    expect(manifest.report.unusedColumns).toEqual(['note']);
  });

  it('OC50 an import without rulesets keeps no column', async () => {
    const { manifest } = await imported({ signIns: [written('log.csv', csv('2026-02-02T09:00:00Z,ada,c1,,F1'))] });
    expect(manifest).not.toHaveProperty('keptColumns');
    expect(manifest.report.unusedColumns).toEqual(['note', 'sku']);
  });

  it.each([
    ['csv', 'log.csv', csv('2026-02-02T09:00:00Z,ada,c1,"two\nlines",E5', '2026-02-03T09:00:00Z,ada,c2,,E9'), 4],
    ['csv with a separator line', 'log.csv', `sep=,\n${csv('2026-02-02T09:00:00Z,ada,c1,,"E9"')}`, 3],
    [
      'pages of JSON',
      'log.json',
      '{ "value": [\n  { "createdDateTime": "2026-02-02T09:00:00Z", "userId": "ada", "sku": "E5" },\n  {\n "createdDateTime": "2026-02-03T09:00:00Z", "userId": "ada",\n "sku": "E9" }\n] }',
      3,
    ],
    [
      'a row per line',
      'log.ndjson',
      '{"createdDateTime":"2026-02-02T09:00:00Z","userId":"ada","sku":"E5"}\n{"createdDateTime":"2026-02-03T09:00:00Z","userId":"ada","sku":"E9"}\n',
      2,
    ],
  ])(
    'log-value-invalid a text in %s is refused with file, line, column, value and what is allowed',
    async (_form, name, text, at) => {
      await expect(importText(name, text)).rejects.toMatchObject({
        code: 'log-value-invalid',
        problems: [
          {
            location: expect.stringMatching(new RegExp(`${name}:${at}$`)),
            message: expect.stringMatching(/column sku: "E9" .*F1, E5.*user\.facts\.plan of oc50-kept/),
          },
        ],
      });
    },
  );

  it('log-value-invalid a text in a Parquet file is refused with its row', async () => {
    const folder = newFolder();
    const session = await DuckDbSession.open(folder);
    const rows = `VALUES (TIMESTAMP '2026-02-02 09:00:00', 'ada', 'E5'), (TIMESTAMP '2026-02-03 09:00:00', 'ada', 'E9')`;
    const file = join(folder, 'log.parquet');
    await session.run(`COPY (SELECT * FROM (${rows}) r(createdDateTime, userId, sku)) TO '${file}' (FORMAT parquet)`);
    session.close();
    await expect(imported({ signIns: [file] }, null, mapping, kept)).rejects.toMatchObject({
      problems: [{ location: `${file}: row 2` }],
    });
  });

  it('log-value-invalid lists at most 20 texts and counts the others', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => `2026-02-02T09:00:00Z,ada,c${index},,X${10 + index}`);
    const failed = await importText('log.csv', csv(...rows)).catch((cause: unknown) => cause);
    const { problems } = failed as { problems: readonly { message: string }[] };
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)?.message).toMatch(/5 more/);
  });

  it('OC50 a column that no file has is reported with the most similar one', async () => {
    const columns = listKeptColumns([readOwn('oc50-typo', facts('x: { type: text, default: null, import: sky }'))]);
    const { manifest, texts } = await importText('log.csv', csv('2026-02-02T09:00:00Z,ada,c1,,E5'), columns);
    expect(texts).toEqual([null]);
    expect(manifest.report.columns['rulesets.sky']).toBeNull();
    expect(manifest.report.anomalies).toContainEqual(
      expect.objectContaining({ count: 1, places: [expect.stringContaining('"sku"')] }),
    );
  });

  it('OC50 a dot leads into nested objects', async () => {
    const columns = listKeptColumns([
      readOwn('oc50-nested', facts('x: { type: text, default: null, import: license.sku }')),
    ]);
    const text = '{"createdDateTime":"2026-02-02T09:00:00Z","userId":"ada","license":{"sku":"E5"}}\n';
    expect((await importText('log.ndjson', text, columns)).texts).toEqual(['E5']);
  });

  it('usage-invalid an import with pseudonyms keeps no column that names users', async () => {
    const named = 'x: { type: text, default: null, import: User Principal Name }';
    const columns = listKeptColumns([readOwn('oc50-names', facts(named))]);
    const files = { signIns: [written('log.csv', csv('2026-02-02T09:00:00Z,ada,c1,,E5'))] };
    const work = imported(files, new Pseudonyms(Buffer.alloc(32, 7)), mapping, columns);
    await expect(work).rejects.toMatchObject({
      code: 'usage-invalid',
      problems: [{ location: 'user.facts.x of oc50-names' }],
    });
  });
});
