import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { exportForms } from '../../../src/replay/import/export-forms.ts';
import { generateExport, madeUpSchema } from '../../../src/replay/import/synthetic-export.ts';
import { nonEmpty } from '../../non-empty.ts';
import { imported, newFolder, written } from './import-work.ts';

const log = written(
  'log.json',
  JSON.stringify(
    ['ann', 'bea'].map((userId) => ({
      id: userId,
      userId,
      userPrincipalName: `${userId}@example.test`,
      createdDateTime: '2026-01-05T09:00:00Z',
      status: { errorCode: 0 },
    })),
  ),
);
const report = (rows: readonly object[]) => written('registrations.json', JSON.stringify(rows));

describe('registration report of an import', () => {
  it('file-unreadable: a report without a user column is rejected', async () => {
    const nameless = report([{ isMfaCapable: true, methodsRegistered: ['mobilePhone'] }]);
    await expect(imported({ signIns: [log], registrations: nameless })).rejects.toMatchObject({
      code: 'file-unreadable',
    });
  });

  it('the latest row of a user applies, ids match in any letter case, and users without sign-ins are included', async () => {
    const { users, manifest } = await imported({
      signIns: [log],
      registrations: report([
        {
          id: 'ANN',
          isMfaCapable: 'true',
          methodsRegistered: ['officePhone'],
          lastUpdatedDateTime: '2026-01-03T00:00:00Z',
        },
        {
          id: 'ann',
          isMfaCapable: 'no',
          methodsRegistered: ['mobilePhone'],
          lastUpdatedDateTime: '2026-01-02T00:00:00Z',
        },
        { id: 'bea', userType: 'Guest', methodsRegistered: ['fido2', 'telepathy'] },
        { userPrincipalName: 'cai@example.test', userType: 'member', methodsRegistered: [] },
        { isMfaCapable: true },
      ]),
    });
    expect(
      users.map(({ id, guest, capable, passkeys, known }) => [
        String(id).toLowerCase(),
        guest === true,
        capable,
        passkeys,
        known,
      ]),
    ).toMatchObject([
      ['ann', false, true, '', true],
      ['bea', true, true, 'security-key', true],
      ['cai@example.test', false, true, '', true],
    ]);
    const { report: counted } = manifest;
    expect(counted.registrations).toBe(5);
    expect(counted.skipped.map(({ count }) => count)).toContain(1);
    expect(counted.anomalies.map(({ count, places }) => [count, ...places].join(' ').toLowerCase())).toContain(
      '1 user ann',
    );
    expect(counted.unknownValues.map(({ what }) => what)).toContain('telepathy');
  });

  it.for([
    [
      'only the user principal name',
      'the user who has it',
      [{ userPrincipalName: 'ANN@example.test' }],
      ['ann true', 'bea false'],
    ],
    ['only the id', 'the user who has it', [{ id: 'BEA' }], ['ann false', 'bea true']],
    [
      'the user principal name with another id',
      'only the user with that id',
      [{ id: 'eve', userPrincipalName: 'ann@example.test' }],
      ['ann false', 'bea false', 'eve true'],
    ],
    [
      'an id in one row and the name in another',
      'both users',
      [{ id: 'ann' }, { userPrincipalName: 'bea@example.test' }],
      ['ann true', 'bea true'],
    ],
  ] as const)('registrations with %s apply to %s', async ([, , rows, expected]) => {
    const { users } = await imported({
      signIns: [log],
      registrations: report(rows.map((row) => ({ ...row, methodsRegistered: ['mobilePhone'] }))),
    });
    expect(users.map(({ id, known }) => `${id} ${known}`)).toEqual(expected);
  });
});

describe('synthetic exports', () => {
  it.for(nonEmpty(exportForms))(
    'as %s have the requested number of rows, and the same users for the same random seed',
    async (form) => {
      const madeUp = madeUpSchema.parse(parse(readFileSync('fixtures/imports/made-up.yaml', 'utf8')));
      const made = (seed: number) => generateExport(madeUp, { rows: 100, seed, form, out: newFolder() });
      const read = async (seed: number) => {
        const { signIns, registrations } = await made(seed);
        const { manifest, users, attempts } = await imported({ signIns: [signIns], registrations });
        return { rows: manifest.report.rows, users, attempts };
      };
      const [first, again, other] = [await read(1), await read(1), await read(2)];
      expect([first.rows, first.users.length, first.attempts.length]).toEqual([100, 10, 60]);
      expect(again).toEqual(first);
      expect(other.users.map(({ id }) => id)).not.toEqual(first.users.map(({ id }) => id));
      if (form === 'parquet') return;
      const text = readFileSync((await made(1)).signIns, 'utf8').trimEnd();
      expect([text.startsWith('['), text.split('\n').length >= 100]).toEqual([form === 'json', true]);
    },
  );
});
