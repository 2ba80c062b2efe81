import { describe, expect, it } from 'vitest';
import { Pseudonyms } from '../../../src/replay/import/pseudonyms.ts';
import { fixture, imported, written } from './import-work.ts';

const head = 'id,createdDateTime,userId,deviceDetail,errorCode';

/** Creates a row of CSV. */
function row(id: string, user: string, device = ''): string {
  return `${id},2026-01-05T09:00:00Z,${user},${device},0`;
}

/** Imports a file and returns its skipped and odd rows, with counts and locations. */
async function importFile(file: string, content: string | Uint8Array): Promise<unknown> {
  const { manifest, attempts } = await imported({ signIns: [written(file, content)] });
  const { skipped, anomalies: odd } = manifest.report;
  const of = (list: typeof skipped) =>
    list.map(({ what, count, places }) => [count, what, ...places.map((place) => place.replace(/^.*\.\w+, /, ''))]);
  return {
    users: attempts.map(({ user }) => user),
    skipped: of(skipped),
    anomalies: of(odd).filter(([, what]) => !String(what).includes('correlation id')),
  };
}

const [tooMany, tooFew, beyond, quotes, cut] = [
  'lines with more fields than columns',
  'lines with fewer fields than columns; the missing fields are empty',
  'lines with empty fields beyond the last column',
  'lines with unbalanced quotation marks',
  'content truncated at the end of the file',
];

describe('malformed CSV lines', { timeout: 240_000 }, () => {
  it('lines with too many fields are skipped and reported; trailing delimiters are accepted; short lines are reported', async () => {
    const lines = [
      head,
      row('a', 'ada'),
      `${row('b', 'ben')},more`,
      `${row('c', 'cleo')},,`,
      'd,2026-01-05T09:00:00Z,dora',
      row('e', 'eve'),
      '',
    ];
    expect(await importFile('log.csv', lines.join('\n'))).toEqual({
      users: ['ada', 'cleo', 'dora', 'eve'],
      skipped: [[1, tooMany, 'line 3: 6 for 5 columns']],
      anomalies: [
        [1, beyond, 'line 4'],
        [1, tooFew, 'line 5: 3 for 5 columns'],
      ],
    });
  });

  it('the export of all odd cases contains each of them', async () => {
    const { manifest, attempts } = await imported({ signIns: [fixture('sign-ins.csv')] });
    expect(attempts.map(({ user, n }) => [user, n])).toEqual([
      ['hal', 1],
      ['jan', 1],
      ['kim', 1],
      ['mia', 1],
      ['n\noa', 1],
    ]);
    const { skipped, anomalies: odd } = manifest.report;
    expect(
      [...skipped, ...odd].map(({ what, places }) => [what, places.map((place) => place.replace(/^.*, /, ''))]),
    ).toEqual([
      [tooMany, ['line 3: 12 for 10 columns']],
      [quotes, ['line 6']],
      [cut, ['line 10']],
      [beyond, ['line 4']],
      [tooFew, ['line 5: 4 for 10 columns']],
      ['rows with invalid JSON in a JSON column', ['row v6']],
    ]);
  });

  it('an unclosed quote affects only its own line, and a last line without its end is truncated', async () => {
    const device = '"{""operatingSystem"":""Windows"",\n""browser"":""Edge""}"';
    const lines = [
      head,
      row('a', 'ada', device),
      row('b', '"ben'),
      row('c', 'cl"eo'),
      row('d', ' "dora" '),
      `e,"2026-01-05T09:00:00Z"x,eve,,0`,
      'f,2026-01-05T0',
    ];
    expect(await importFile('log.csv', lines.join('\r\n'))).toEqual({
      users: ['ada', 'cl"eo', 'dora'],
      skipped: [
        [2, quotes, 'line 4', 'line 7'],
        [1, cut, 'line 8'],
      ],
      anomalies: [],
    });
  });

  it.each([
    ['semicolons', (line: string) => line.replaceAll(',', ';')],
    ['tabs', (line: string) => line.replaceAll(',', '\t')],
    ['a line that says the separator', (line: string) => (line === head ? `sep=,\r\n${line}` : line)],
    ['lines that end in carriage returns alone', (line: string) => `${line}\r`],
    ['blanks before and after', (line: string) => line.replaceAll(',', ' , ')],
  ])('%s are accepted', async (name, change) => {
    const lines = [head, row('a', '"ada"'), row('b', 'ben'), 'c,2026-01-05T09:00:00Z,cleo', row('d', 'dora')];
    const text = lines.map(change).join(name.includes('carriage') ? '' : '\n');
    const { users } = (await importFile('log.csv', text)) as { users: readonly string[] };
    expect(users.map((user) => user.trim())).toEqual(['ada', 'ben', 'cleo', 'dora']);
  });

  it('quotes preceded by backslashes are accepted', async () => {
    const device = '"{\\"operatingSystem\\":\\"MacOs\\",\\"browser\\":\\"Safari\\"}"';
    for (const end of ['', '\nc,2026-01-05T09:00:00Z']) {
      const log = written('log.csv', [head, row('a', 'ada', device), row('b', 'ben')].join('\n') + end);
      const { attempts } = await imported({ signIns: [log] });
      expect(attempts.map(({ os }) => os)).toEqual(['macos', 'unknown']);
    }
  });

  it('fields of ten million characters and oversized lines are handled', async () => {
    const device = `"${'x'.repeat(10_000_000)}"`;
    const tooLong = `"${'y'.repeat(20_000_000)}"`;
    const text = [
      head,
      row('a', 'ada', device),
      row('b', 'ben', tooLong),
      row('c', 'cleo'),
      'd,2026-01-05T09:00:00Z,dora',
      '',
    ];
    expect(await importFile('log.csv', text.join('\n'))).toEqual({
      users: ['ada', 'cleo', 'dora'],
      skipped: [[1, 'rows larger than the maximum', 'line 3']],
      anomalies: [
        [1, tooFew, 'line 5: 3 for 5 columns'],
        [1, 'rows with invalid JSON in a JSON column', 'row a'],
      ],
    });
  });

  it('problems in groups, snooze records and registration reports are reported in the same way', async () => {
    const groups = written('groups.csv', 'user,group\nada,sales,more\nben\nada,staff\n');
    const nudgeStatus = written('snoozes.ndjson', '{"user":"ada","count":1}\n{"user": \n{"user":"ada","count":2}\n');
    const registrations = written('reg.ndjson', '{"id":"ada","methodsRegistered":["mobilePhone"]}\n{"id"\n');
    const log = written('log.csv', [head, row('a', 'ada')].join('\n'));
    const { manifest, users } = await imported({ signIns: [log], groups, nudgeStatus, registrations });
    expect(users).toMatchObject([{ id: 'ada', groups: 'staff', count: 2 }]);
    const found = [...manifest.report.skipped, ...manifest.report.anomalies].map(({ count, what, places }) => [
      count,
      what,
      places.map((place) => place.replace(/^.*\//, '')),
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        [1, tooMany, ['groups.csv, line 2: 3 for 2 columns']],
        [1, tooFew, ['groups.csv, line 3: 1 for 2 columns']],
        [1, 'group rows without a user or a group', ['user ben']],
        [2, 'lines that are not JSON objects', ['reg.ndjson, line 2', 'snoozes.ndjson, line 2']],
      ]),
    );
    expect(manifest.report.registrations).toBe(1);
  });
});

describe('partially invalid JSON', { timeout: 240_000 }, () => {
  const json = (id: string, user: string) =>
    JSON.stringify({ id, createdDateTime: '2026-01-05T09:00:00Z', userId: user, errorCode: 0 });
  const broken = 'lines that are not JSON objects';

  it.each(['{"id":', '{"id": [', '[', '{"id": "x', '}', '\u0000'])(
    'the invalid line %j does not affect other lines',
    async (line) => {
      const lines = [json('a', 'ada'), line, json('b', 'ben'), json('c', 'cleo'), ''];
      expect(await importFile('log.ndjson', lines.join('\n'))).toEqual({
        users: ['ada', 'ben', 'cleo'],
        skipped: [[1, broken, 'line 2']],
        anomalies: [],
      });
    },
  );

  it.each([
    ['first', { authenticationStepDateTime: 'x', authenticationMethod: 'SMS', succeeded: true }],
    ['in the middle', { authenticationMethod: 'SMS', authenticationStepResultDetail: 'a "b", c', succeeded: true }],
    ['last', { authenticationMethod: 'SMS', succeeded: true, authenticationStepDateTime: 'x' }],
    [
      'everywhere',
      {
        authenticationStepDateTime: 'x',
        authenticationStepResultDetail: null,
        authenticationMethod: 'SMS',
        succeeded: true,
        AuthenticationStepDateTime: 'y',
      },
    ],
  ])('R3: a step is parsed even if an omitted value is given %s', async (_name, step) => {
    const one = { ...JSON.parse(json('a', 'ada')), authenticationDetails: [step, step] };
    const { attempts, manifest } = await imported({ signIns: [written('log.ndjson', `${JSON.stringify(one)}\n`)] });
    expect(attempts[0]?.mfa).toMatchObject({ completed: true, method: 'sms' });
    expect(manifest.report.unknownValues).toEqual([]);
  });

  it('a column with invalid JSON is reported, and the row is imported without it', async () => {
    const odd = { id: 'b', createdDateTime: '2026-01-06T09:00:00Z', userId: 'ben', errorCode: 0 };
    const lines = [
      json('a', 'ada'),
      JSON.stringify({ ...odd, deviceDetail: '{"operatingSystem": "Win', authenticationDetails: '[{' }),
    ];
    const log = written('log.ndjson', `${lines.join('\n')}\n`);
    const { manifest, attempts } = await imported({ signIns: [log] });
    expect(attempts.map(({ os }) => os)).toEqual(['unknown', 'unknown']);
    expect(manifest.report.anomalies).toContainEqual({
      what: 'rows with invalid JSON in a JSON column',
      count: 1,
      places: ['row b'],
    });
    expect(manifest.report.unknownValues).toMatchObject([{ field: 'details', what: '[{', places: ['row b'] }]);
  });

  it('an invalid first line does not affect the other lines', async () => {
    const lines = ['{"id": "x", ', json('a', 'ada'), json('b', 'ben')];
    expect(await importFile('log.ndjson', lines.join('\n'))).toEqual({
      users: ['ada', 'ben'],
      skipped: [[1, broken, 'line 1']],
      anomalies: [],
    });
  });

  it('list items and rows that are not objects are reported with their line in the original file', async () => {
    const text = `{"value": [\n${json('a', 'ada')},\nnull, "text, with { in it",\n{\n"id" "b"\n},\n${json('c', 'cleo')}\n]}`;
    expect(await importFile('log.json', text)).toEqual({
      users: ['ada', 'cleo'],
      skipped: [[3, broken, 'line 3', 'line 3', 'line 4']],
      anomalies: [],
    });
  });

  it('an unterminated row is reported with everything after it', async () => {
    const text = `[\n${json('a', 'ada')},\n{"id": "b,\n${json('c', 'cleo')}\n]`;
    expect(await importFile('log.json', text)).toEqual({
      users: ['ada'],
      skipped: [[1, cut, 'line 3 to the end']],
      anomalies: [],
    });
  });

  it.each([
    ['2026-01-05T09:00:00Z', '2026-01-05T09:00:00.000Z'],
    ['2026-01-05T09:00:00.1234567Z', '2026-01-05T09:00:00.123Z'],
    ['2026-01-05T09:00:00+02:00', '2026-01-05T07:00:00.000Z'],
    ['2026-01-05T09:00:00-0800', '2026-01-05T17:00:00.000Z'],
    ['2026-01-05 09:00:00', '2026-01-05T09:00:00.000Z'],
    ['1767603600', '2026-01-05T09:00:00.000Z'],
    ['1767603600123', '2026-01-05T09:00:00.123Z'],
  ])('A6: the time %s is %s', async (time, instant) => {
    const { attempts } = await imported({
      signIns: [written('log.ndjson', `${json('a', 'ada').replace('2026-01-05T09:00:00Z', time)}\n`)],
    });
    expect(attempts.map(({ at }) => at)).toEqual([instant]);
  });

  it('a time in an unknown format is reported verbatim', async () => {
    const log = written(
      'log.ndjson',
      `${json('a', 'ada')}\n${json('b', 'ben').replace('2026-01-05T09:00:00Z', '5 Jan 26')}\n`,
    );
    const { report } = (await imported({ signIns: [log] })).manifest;
    expect(report.skipped).toMatchObject([{ what: 'rows without a time', count: 1, places: ['row b'] }]);
    expect(report.unknownValues).toEqual([{ field: 'createdAt', what: '5 Jan 26', count: 1, places: ['row b'] }]);
  });

  it('a file whose encoding changes is imported up to that line', async () => {
    const text = Buffer.concat([
      Buffer.from(`${json('a', 'ada')}\n${json('b', 'ben')}\n`),
      Buffer.from(`${json('c', 'cleo')}\n`, 'utf16le'),
    ]);
    const { users, skipped } = (await importFile('log.ndjson', text)) as { users: unknown; skipped: unknown[][] };
    expect(users).toEqual(['ada', 'ben']);
    expect(skipped[0]?.slice(1)).toContain('line 3');
  });

  it('lines in another encoding are all counted, even beyond the listed ones', async () => {
    const text = Array.from({ length: 300 }, (_, n) => json(`r${n}`, `jürg${n}`)).join('\n');
    const { anomalies, skipped } = (await importFile('log.ndjson', Buffer.from(text, 'latin1'))) as Record<
      string,
      unknown[][]
    >;
    expect(anomalies?.[0]?.slice(0, 2)).toEqual([300, 'lines that are not UTF-8, read as Windows-1252']);
    expect(skipped).toEqual([]);
  });

  it.each([
    ['without a column of times', 'log.ndjson', '{"id":"a","userId":"ada","when":"2026-01-05T09:00:00Z"}\n'],
    ['without a column of users', 'log.csv', 'id,createdDateTime,who\na,2026-01-05T09:00:00Z,ada\n'],
  ])('file-unreadable: a file %s is rejected with a list of its columns', async (_name, file, content) => {
    await expect(imported({ signIns: [written(file, content)] })).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining('--mapping'),
    });
  });

  it('unused columns are listed, and no location contains a user id if users are pseudonymized', async () => {
    const log = written('log.ndjson', `${json('a', 'ada').replace('{', '{"city":"Ulm",')}\n`);
    const registrations = written('reg.csv', 'id,methodsRegistered\nada,teleport\n');
    const { manifest } = await imported(
      { signIns: [log], registrations },
      new Pseudonyms(Buffer.from('a key of some length')),
    );
    expect(manifest.report.unusedColumns).toEqual(['city']);
    expect(JSON.stringify(manifest.report.unknownValues)).not.toMatch(/user ada/);
  });

  it('A18: a truncated policy change in the audit log is reported, and so are unrelated rows', async () => {
    const log = written('log.ndjson', `${json('a', 'ada')}\n`);
    const newValue = '{"registrationEnforcement":{"authenticationMethodsRegistrationCampaign":{"sta';
    const change = {
      activityDateTime: '2026-01-05T00:00:00Z',
      targetResources: [{ modifiedProperties: [{ newValue }] }],
    };
    const { manifest } = await imported({ signIns: [log], audit: [change, 'text'] });
    expect(manifest.report.skipped.map(({ what, places }) => [what.slice(0, 40), places])).toEqual([
      ['policy changes with an unreadable new va', ['row 1 of the audit log']],
      ['audit log rows without policy changes', ['row 1 of the audit log']],
      ['audit log rows that are not objects', ['row 2 of the audit log']],
    ]);
  });
});
