import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ExportForm } from '../../../src/replay/import/export-forms.ts';
import { generateExport, madeUpSchema } from '../../../src/replay/import/synthetic-export.ts';
import { shippedFixturesFolder } from '../../../src/scenario/shipped.ts';
import { imported, newFolder, written } from './import-work.ts';

const madeUp = madeUpSchema.parse(parse(readFileSync(join(shippedFixturesFolder, 'imports', 'made-up.yaml'), 'utf8')));

const made = (form: ExportForm) => generateExport(madeUp, { rows: 3_000, seed: 5, form, out: newFolder() });

const row = (id: string, createdDateTime: unknown, more: object = {}) => ({
  id,
  createdDateTime,
  correlationId: id,
  userId: 'ann',
  status: { errorCode: 0 },
  ...more,
});

describe('the same rows in other formats', { timeout: 240_000 }, () => {
  it.each(['ndjson', 'csv'] as const)('an export as Parquet and as %s becomes the same attempts', async (form) => {
    const [first, second] = [await made('parquet'), await made(form)];
    const read = async ({ signIns, registrations }: typeof first) => imported({ signIns: [signIns], registrations });
    const [columns, texts] = [await read(first), await read(second)];
    expect(columns.attempts.length).toBe(1_800);
    expect(texts.attempts).toEqual(columns.attempts);
    expect(texts.users).toEqual(columns.users);
    expect(texts.manifest.report.unknownValues).toEqual(columns.manifest.report.unknownValues);
  });

  it('A6: rows a hundred years apart are grouped like those of one year', async () => {
    const { signIns } = await made('ndjson');
    const old = written('old.ndjson', `${JSON.stringify(row('old', '1970-01-05T09:00:00Z'))}\n`);
    const late = written('late.ndjson', `${JSON.stringify(row('late', '2090-01-05T09:00:00Z'))}\n`);
    const [alone, together] = [
      await imported({ signIns: [signIns] }),
      await imported({ signIns: [signIns, old, late] }),
    ];
    const strange = together.attempts.filter(({ user }) => user === 'ann');
    expect(strange.map(({ at }) => at)).toEqual(['1970-01-05T09:00:00.000Z', '2090-01-05T09:00:00.000Z']);
    expect(together.attempts.filter(({ user }) => user !== 'ann')).toEqual(alone.attempts);
  });

  it('rows without a location are identified by their ids or their users, up to five of them', async () => {
    const untimed = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => row(id, 'some day'));
    const nameless = {
      ...row('', '2026-01-05T09:00:00Z', { correlationId: '' }),
      id: null,
      userPrincipalName: 'ann@example.test',
    };
    const nobody = [
      row('h', '2026-01-05T09:00:00Z', { userId: ' ' }),
      row('i', '2026-01-05T09:00:00Z', { userId: '' }),
    ];
    const beyond = row('j', 1_767_571_200_000_000_000);
    const log = written('log.json', JSON.stringify([...untimed, nameless, ...nobody, beyond]));
    const { manifest, attempts } = await imported({ signIns: [log] });
    expect(attempts.map(({ user }) => user)).toEqual(['ann']);
    const { skipped, anomalies: odd, unknownValues } = manifest.report;
    expect(skipped).toEqual([
      { what: 'rows without a time', count: 8, places: ['row a', 'row b', 'row c', 'row d', 'row e'] },
      { what: 'rows without a user', count: 2, places: ['row h', 'row i'] },
    ]);
    expect(odd).toContainEqual({
      what: 'rows without a correlation id, each counted as a separate attempt',
      count: 1,
      places: ['a row of user ann@example.test'],
    });
    expect(unknownValues.filter(({ field }) => field === 'createdAt').map(({ what, count }) => [what, count])).toEqual([
      ['some day', 7],
      ['1767571200000000000', 1],
    ]);
  });
});
