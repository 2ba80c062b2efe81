import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import { fixture, imported, written } from './import-work.ts';

describe('problems reported by row', () => {
  it('groups and snooze records may use usernames, and problems in a snooze record are reported with its user', async () => {
    const line = (id: string) => ({
      id,
      createdDateTime: '2026-01-05T09:00:00Z',
      userId: id,
      userPrincipalName: `${id}@example.test`,
      status: { errorCode: 0 },
    });
    const signIns = [written('log.json', JSON.stringify(['ann', 'bea', 'cai'].map(line)))];
    const groups = written('groups.csv', 'user,group\nANN@example.test,sales\nann,staff\nghost,staff\n');
    const nudgeStatus = written(
      'nudgeStatus.csv',
      'user,count,snoozedAt\nann@example.test,2,2026-01-04T09:00:00Z\nann,1,\nbea,1,yesterday\ncai,-1,\nghost,1,\n',
    );
    const { users, manifest } = await imported({ signIns, groups, nudgeStatus });
    expect(users).toMatchObject([
      { id: 'ann', groups: 'sales\u001fstaff', count: 2, snoozed: Date.parse('2026-01-04T09:00:00Z') },
      { id: 'bea', count: 1, snoozed: null },
      { id: 'cai', count: 0 },
    ]);
    const { skipped, anomalies: oddities } = manifest.report;
    expect([...skipped, ...oddities].map(({ what, count, places }) => [what, count, places])).toEqual([
      ['group members that are not users in the export', 1, ['user ghost']],
      ['snooze record rows without a user or a count', 1, ['user cai']],
      ['snooze record rows for users that are not in the export', 1, ['user ghost']],
      ['rows without a correlation id, each counted as a separate attempt', 3, ['row ann', 'row bea', 'row cai']],
      ['snooze record rows with an invalid snoozedAt; only the count is used', 1, ['user bea']],
      ['users with several snooze records; the highest count and the latest time are used', 1, ['user ann']],
    ]);
  });

  it.each(['[]', '{"@odata.context":"x","value":[]}'])(
    'an empty list, %s, is reported and does not prevent the import of other files',
    async (nothing) => {
      const empty = written('sunday.json', nothing);
      const { attempts, manifest } = await imported({ signIns: [empty, fixture('sign-ins.json')] });
      expect(attempts).toHaveLength(8);
      expect(manifest.report.anomalies).toContainEqual({ what: 'files without rows', count: 1, places: [empty] });
    },
  );

  it('file-unreadable: objects without a time column are rejected', async () => {
    const foreign = written('log.json', '[{"name":"ada"}]');
    await expect(imported({ signIns: [foreign] })).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  it.each([
    [12, /"c12";/],
    [13, /"c12" and more;/],
  ])('file-unreadable: of %i columns at most 12 are named', async (count, end) => {
    const columns = Array.from({ length: count }, (_, at) => `c${at + 1}`);
    const foreign = written('log.csv', `${columns.join(',')}\n${columns.map(() => 'x').join(',')}\n`);
    await expect(imported({ signIns: [foreign] })).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringMatching(end),
    });
  });

  it('R13.1, A22: a second factor in a non-interactive row is single sign-on and not a second factor', async () => {
    const silent = {
      id: 'quiet',
      createdDateTime: '2026-01-05T09:00:00Z',
      correlationId: 'quiet',
      userId: 'ann',
      isInteractive: false,
      authenticationRequirement: 'multiFactorAuthentication',
    };
    const text = written(
      'log.json',
      JSON.stringify([
        {
          ...silent,
          status: { errorCode: 0 },
          authenticationDetails: [
            {
              authenticationMethod: 'SMS',
              succeeded: true,
              authenticationStepRequirement: 'Multifactor authentication',
            },
          ],
        },
      ]),
    );
    const { attempts } = await imported({ signIns: [text] });
    expect(attempts).toMatchObject([{ mfa: { completed: false }, ssoSession: true }]);
  });

  it('codes that a Parquet file stores as JSON are parsed without quotes', async () => {
    const path = `${written('log.txt', '')}.parquet`;
    const session = await DuckDbSession.open(dirname(path));
    try {
      await session.run(`COPY (SELECT '2026-01-05T09:00:00Z' AS createdDateTime, id, id AS userId, id AS correlationId,
        {errorCode: code} AS status FROM (VALUES ('a', '"0"'::JSON), ('b', '50126'::JSON)) held(id, code))
        TO '${path}' (FORMAT parquet)`);
    } finally {
      session.close();
    }
    const { manifest } = await imported({ signIns: [path] });
    expect(manifest.report.unknownValues).toEqual([]);
    expect(manifest.report.anomalies.map(({ what, count }) => [what, count])).toEqual([
      ['attempts that never succeeded', 1],
    ]);
  });

  it('bad-request: an invalid policy in the audit log is reported with its row', async () => {
    const campaign = { snoozeDurationInDays: 99, state: 'enabled', includeTargets: [] };
    const newValue = JSON.stringify({
      registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign },
    });
    const audit = [
      { activityDateTime: '2026-01-05T09:00:00Z', targetResources: [{ modifiedProperties: [{ newValue }] }] },
    ];
    await expect(imported({ signIns: [fixture('sign-ins.json')], audit })).rejects.toMatchObject({
      code: 'bad-request',
      problems: [{ location: 'row 1 of the audit log: policy.campaign.snoozeDurationInDays' }],
    });
  });
});
