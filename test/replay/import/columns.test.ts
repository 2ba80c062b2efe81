import { describe, expect, it } from 'vitest';
import {
  type Column,
  find,
  sameName,
  structFields,
  textSql,
  timeSql,
  unusedColumns,
} from '../../../src/replay/import/columns.ts';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import {
  decodeMethods,
  methodBits,
  parsePasskeys,
  readMethods,
  systemOfPasskey,
} from '../../../src/replay/import/user-methods.ts';
import { mapping, newFolder } from './import-work.ts';

const text = (...names: readonly string[]): readonly Column[] => names.map((name) => ({ name, type: 'VARCHAR' }));

describe('columns of an export', () => {
  it('names are equal if their letters and digits are equal', () => {
    for (const name of ['User ID', 'user_id', 'userId', 'USER.ID', 'user-id']) expect(sameName(name)).toBe('userid');
    expect(sameName('Größe (2)')).toBe('größe2');
  });

  it.for([
    ['Date (UTC)', ['dateUtc'], '"Date (UTC)"'],
    ['createdDateTime', ['Created Date Time', 'other'], '"createdDateTime"'],
    ['a"b', ['ab'], '"a""b"'],
    ['other', ['createdDateTime'], null],
  ] as const)('in the column %s the names %j find %s', ([column, names, sql]) => {
    expect(find(text(column), names)?.sql ?? null).toBe(sql);
  });

  it('of several names, the first with a value is used if the types are equal', () => {
    expect(find(text('a', 'b'), ['b', 'x', 'a'])).toEqual({
      sql: `coalesce(nullif("b", ''), nullif("a", ''))`,
      type: 'VARCHAR',
      name: 'b',
    });
    const numbers: readonly Column[] = [
      { name: 'a', type: 'BIGINT' },
      { name: 'b', type: 'BIGINT' },
      { name: 'c', type: 'VARCHAR' },
    ];
    expect(find(numbers, ['a', 'b', 'c'])?.sql).toBe('coalesce("a", "b")');
    expect(find(numbers, ['c', 'a'])?.sql).toBe('"c"');
    expect(find(text('a'), ['a', 'A'])?.sql).toBe('"a"');
  });

  it('a name with a dot refers to a field of a structure, or of JSON text in any letter case', () => {
    const nested = 'STRUCT("deviceId" VARCHAR, operatingSystem VARCHAR, inner STRUCT(a INTEGER, b VARCHAR[])[])';
    const structure: readonly Column[] = [{ name: 'deviceDetail', type: nested }];
    expect(find(structure, ['deviceDetail.OperatingSystem'])).toEqual({
      sql: '"deviceDetail"."operatingSystem"',
      type: 'VARCHAR',
      name: 'deviceDetail.operatingSystem',
    });
    expect(find(structure, ['deviceDetail.browser'])).toBeNull();
    expect(find(structure, ['status.errorCode'])).toBeNull();
    for (const type of ['VARCHAR', 'JSON']) {
      expect(find([{ name: 'Status', type }], ['status.errorCode'])).toEqual({
        sql: `coalesce(try(json_extract_string("Status", '$.errorCode')), try(json_extract_string("Status", '$.ErrorCode')))`,
        type: 'VARCHAR',
        name: 'Status.errorCode',
        holder: '"Status"',
      });
    }
    expect(find([{ name: 'status', type: 'BIGINT' }], ['status.errorCode'])).toBeNull();
    expect(find(text('status.errorCode'), ['status.errorCode'])?.sql).toBe('"status.errorCode"');
  });

  it.for([
    ['STRUCT(a VARCHAR)', [['a', 'VARCHAR']]],
    [
      'STRUCT(a VARCHAR, b DECIMAL(18,3))',
      [
        ['a', 'VARCHAR'],
        ['b', 'DECIMAL(18,3)'],
      ],
    ],
    ['STRUCT(a VARCHAR)[]', [['a', 'VARCHAR']]],
    [
      'STRUCT("a, b" INTEGER, "c""d" STRUCT(x VARCHAR, y VARCHAR)[])',
      [
        ['a, b', 'INTEGER'],
        ['c"d', 'STRUCT(x VARCHAR, y VARCHAR)[]'],
      ],
    ],
    [
      'STRUCT("a(" INTEGER, b BIGINT)',
      [
        ['a(', 'INTEGER'],
        ['b', 'BIGINT'],
      ],
    ],
    ['VARCHAR', []],
  ] as const)('the type %s has the fields %j', ([type, fields]) => {
    expect(structFields(type).map((field) => [field.name, field.type])).toEqual(fields);
  });

  it('unused columns are listed, except those with used fields', () => {
    const names = { id: ['id', 'requestId'], os: ['deviceDetail.operatingSystem'], none: undefined };
    expect(unusedColumns(text('ID', 'deviceDetail', 'Request Id', 'ipAddress', 'operatingSystem'), names)).toEqual([
      'ipAddress',
      'operatingSystem',
    ]);
  });

  it('A6: texts and numbers are converted to UTC times, and other values to no time', async () => {
    const session = await DuckDbSession.open(newFolder());
    const at = async (type: string, value: string): Promise<unknown> => {
      const found = { sql: `(${value})::${type}`, type, name: 'at' };
      return (await session.rows(`SELECT ${timeSql(found, mapping.timeFormats)}`))[0]?.[0];
    };
    const nineMs = Date.parse('2026-01-05T09:00:00Z');
    const cases: readonly (readonly [string, string, number | null])[] = [
      ['VARCHAR', `'2026-01-05T09:00:00Z'`, nineMs],
      ['VARCHAR', `'2026-01-05T10:00:00+01:00'`, nineMs],
      ['VARCHAR', `'2026-01-05 09:00:00'`, nineMs],
      ['VARCHAR', `'1/5/2026, 9:00:00 AM'`, nineMs],
      ['VARCHAR', `'05.01.2026 09:00:00'`, nineMs],
      ['VARCHAR', `'${nineMs}'`, nineMs],
      ['VARCHAR', `'${nineMs / 1_000}'`, nineMs],
      ['VARCHAR', `'some day'`, null],
      ['VARCHAR', `'${nineMs}000'`, null],
      ['BIGINT', `${nineMs}`, nineMs],
      ['BIGINT', `${nineMs / 1_000}`, nineMs],
      ['BIGINT', '100000000000', 100_000_000_000_000],
      ['BIGINT', '100000000001', 100_000_000_001],
      ['BIGINT', '253402300799999', 253_402_300_799_999],
      ['BIGINT', '253402300800000', null],
      ['DOUBLE', '1.5', 1_500],
      ['TIMESTAMP', `'2026-01-05 09:00:00'`, nineMs],
      ['DATE', `'2026-01-05'`, nineMs - 32_400_000],
    ];
    try {
      for (const [type, value, ms] of cases) expect([value, await at(type, value)]).toEqual([value, ms]);
      expect(timeSql(null, [])).toBe('NULL::BIGINT');
    } finally {
      session.close();
    }
  });

  it('values are converted to text: lists and structures as JSON, JSON texts without quotes', async () => {
    const session = await DuckDbSession.open(newFolder());
    const as = async (type: string, value: string): Promise<unknown> =>
      (await session.rows(`SELECT ${textSql({ sql: value, type, name: 'x' })}`))[0]?.[0];
    try {
      expect(await as('VARCHAR', `'a'`)).toBe('a');
      expect(await as('BIGINT', '7')).toBe('7');
      expect(await as('VARCHAR[]', `['a', 'b']`)).toBe('["a","b"]');
      expect(await as('STRUCT(a INTEGER)', '{a: 1}')).toBe('{"a":1}');
      expect(await as('MAP(VARCHAR, INTEGER)', 'MAP {a: 1}'.replace('a:', `'a':`))).toBe('{"a":1}');
      expect(await as('JSON', `'"a"'::JSON`)).toBe('a');
      expect(textSql(null)).toBe('NULL::VARCHAR');
    } finally {
      session.close();
    }
  });
});

describe('registered methods', () => {
  it.for([
    ['["mobilePhone"]', ['sms', 'voice'], '', false, []],
    ['officePhone', ['voice'], '', false, []],
    ['mobilePhone; softwareOneTimePasscode', ['sms', 'voice', 'authenticator-totp'], '', false, []],
    ['microsoftAuthenticatorPush,hardwareOneTimePasscode', ['authenticator-push', 'hardware-totp'], '', false, []],
    ['microsoftAuthenticatorPush|email', ['authenticator-push'], '', false, []],
    ['["microsoftAuthenticatorPasswordless"]', ['authenticator-push'], '', true, []],
    ['["windowsHelloForBusiness","fido2SecurityKey"]', [], 'windows-hello-for-business,security-key', false, []],
    ['["passKeyDeviceBound","passKeySynced"]', [], 'security-key,password-manager', true, []],
    ['["passKeyDeviceBoundWindowsHello"]', [], 'windows-bound', false, []],
    ['["macOsSecureEnclaveKey"]', [], 'mac-platform-sso', false, []],
    ['["passKeyDeviceBoundAuthenticator"]', [], 'authenticator-app', false, []],
    ['["telepathy","email"]', [], '', false, ['telepathy']],
    [`['officePhone', "sms"]`, ['voice'], '', false, ['sms']],
    ['[officePhone,]', ['voice'], '', false, []],
    ['  ', [], '', false, []],
    [null, [], '', false, []],
    ['[]', [], '', false, []],
  ] as const)('the list %j is parsed', ([list, methods, passkeys, low, unknown]) => {
    const read = readMethods(mapping, list);
    expect(new Set(decodeMethods(read.bits))).toEqual(new Set(methods));
    expect(new Set(parsePasskeys(read.passkeys))).toEqual(new Set(passkeys === '' ? [] : passkeys.split(',')));
    expect([read.low, read.unknown]).toEqual([low, unknown]);
  });

  it('methods and their bits are converted in both directions, and each has a unique bit', () => {
    for (const methods of [
      [],
      ['sms'],
      ['voice', 'hardware-totp'],
      ['sms', 'authenticator-push', 'hardware-totp'],
    ] as const) {
      expect(new Set(decodeMethods(methodBits(methods)))).toEqual(new Set(methods));
    }
    expect(methodBits([])).toBe(0);
  });

  it('A9, A32: platform passkeys belong to a device with their operating system, and others to no device', () => {
    expect(
      (
        ['windows-hello-for-business', 'windows-bound', 'mac-platform-sso', 'security-key', 'password-manager'] as const
      ).map(systemOfPasskey),
    ).toEqual(['windows', 'windows', 'mac', null, null]);
  });
});
