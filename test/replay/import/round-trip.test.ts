import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { AttemptFacts, Facts, PasskeyType, UserFacts } from '../../../machines/vocabulary.ts';
import { logFileNames, writeLogFiles } from '../../../src/cli/export/log-files.ts';
import type { ComparedAttempt } from '../../../src/contract/compared-attempt.ts';
import { compareImport } from '../../../src/replay/compare/compare-import.ts';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { dayMs, hourMs, startMs } from '../../journal/signing-in.ts';
import { anyFacts } from '../../machines/facts-arbitrary.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer } from '../../server/directory-api/directory-server.ts';
import { byTier } from '../../tier.ts';
import { imported, newFolder } from './import-work.ts';

/** Verdicts by user and time. */
type Verdicts = Readonly<Record<string, string>>;

function describeVerdict(outcome: string, reason: string | null): string {
  return `${outcome} ${reason ?? ''}`;
}

/** Returns the verdicts of a sandbox. */
function listVerdicts({ recorder }: Sandbox): Verdicts {
  const found = [...recorder.state().signIns.values()].flatMap(({ userId, evaluation }) =>
    evaluation === null
      ? []
      : [
          [
            `${userId} ${new Date(evaluation.facts.attempt.nowMs).toISOString()}`,
            describeVerdict(evaluation.outcome, evaluation.reason),
          ],
        ],
  );
  return Object.fromEntries(found);
}

const reportNames: Readonly<Record<PasskeyType, string>> = {
  'windows-hello-for-business': 'windowsHelloForBusiness',
  'windows-bound': 'passKeyDeviceBoundWindowsHello',
  'mac-platform-sso': 'macOsSecureEnclaveKey',
  'authenticator-app': 'passKeyDeviceBoundAuthenticator',
  'security-key': 'passKeyDeviceBound',
  'password-manager': 'passKeySynced',
  keychain: 'passKeySynced',
  'handset-vendor': 'passKeySynced',
};

const methodNames = {
  sms: 'mobilePhone',
  voice: 'officePhone',
  'authenticator-push': 'vendorAuthenticatorPush',
  'authenticator-totp': 'softwareOneTimePasscode',
  'hardware-totp': 'hardwareOneTimePasscode',
} as const;

/** Writes the registration report that the sandbox itself would return. */
function writeReport(path: string, { recorder }: Sandbox): void {
  const rows = Array.from(recorder.state().users.values(), ({ facts, profile }) => ({
    id: facts.id,
    userPrincipalName: profile.userPrincipalName,
    userType: facts.type,
    isMfaCapable: facts.mfaCapable,
    methodsRegistered: [
      ...facts.methods.map((method) => methodNames[method]),
      ...facts.passkeys.map(({ type }) => reportNames[type]),
    ],
  }));
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** Exports the logs of a sandbox, imports them, and returns the verdicts of a comparison with equal policies. */
async function listComparedVerdicts(server: DirectoryServer, withFacts: boolean): Promise<Verdicts> {
  const { sandbox } = server;
  const folder = newFolder();
  const { rollout, options, subscription } = sandbox.directory.tenant();
  const ask = async (path: string, headers: Readonly<Record<string, string>>) => {
    const { status, body, text } = await server.ask(`/beta/${path}`, { headers });
    if (status === 404) return null;
    expect([status, text]).toEqual([200, text]);
    return body;
  };
  await writeLogFiles(ask, folder, { hidden: { rollout, options, subscription }, withFacts });
  const at = (name: keyof typeof logFileNames) => join(folder, logFileNames[name]);
  if (!existsSync(at('registrations'))) writeReport(at('registrations'), sandbox);
  const auditLines = existsSync(at('auditLog')) ? readFileSync(at('auditLog'), 'utf8').split('\n') : [];
  const hasGroups = readFileSync(at('groups'), 'utf8') !== '';
  const result = await imported({
    signIns: [at('signIns')],
    registrations: at('registrations'),
    groups: hasGroups ? at('groups') : null,
    policy: JSON.parse(readFileSync(at('policy'), 'utf8')),
    audit: auditLines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown),
    tenant: JSON.parse(readFileSync(at('tenant'), 'utf8')),
  });
  const found: Record<string, string> = {};
  for (const user of nonEmpty(sandbox.recorder.state().users.keys())) {
    const session = await DuckDbSession.open(result.folder, undefined, true);
    try {
      const see = ({ user: id, at: time, before }: ComparedAttempt) => {
        found[`${id} ${time}`] = describeVerdict(before.outcome, before.reason);
      };
      const variants = [{ name: 'same', apply: <T>(tenant: T) => tenant, ruleset: null }];
      await compareImport(session, result.folder, { variants, assumedAction: 'skip', ruleset: seedRuleset, see, user });
    } finally {
      session.close();
    }
  }
  return found;
}

async function begin(tenant: object, users: readonly object[]): Promise<DirectoryServer> {
  return DirectoryServer.start({
    clock: { nowMs: startMs, running: false },
    tenant,
    settings: { directory: { auditRetentionDays: 10_000 } },
    users,
  });
}

/** Signs a user in, and performs an action at a prompt. */
async function signIn(
  { signIns, securityInfo }: Sandbox,
  user: string,
  { nowMs: _ofTheClock, facts: _none, ...attempt }: AttemptFacts,
  action: 'skip' | 'leave' | 'register' | 'stay' | 'method',
): Promise<void> {
  let view = await signIns.start(user, attempt);
  if (view.screen === 'password') view = await signIns.acceptPassword(view.id);
  if (view.screen === 'mfa' || view.screen === 'externalMfa') view = await signIns.completeMfa(view.id);
  if (action === 'method') await securityInfo.addMethod(user, 'authenticator-totp');
  if (view.screen !== 'prompt') return;
  if (action === 'skip') await signIns.skip(view.id);
  if (action === 'leave') await signIns.leave(view.id);
  if (action !== 'register') return;
  await signIns.selectNext(view.id);
  const passkey = { type: 'security-key', deviceId: attempt.deviceId } as const;
  await signIns.completeSetup(view.id, view.method === 'fido2' ? passkey : null);
}

const propertySeed = 20_260_105;

const runs = byTier({ quick: 1, all: 40 });

/** Steps forward, and sometimes back, by times that never repeat. */
const stepMs = fc.integer({ min: -40, max: 200 }).map((hours) => hours * hourMs);

describe('export of the logs, import and comparison', () => {
  test('DIR75, DIR76: with annotations, every verdict is equal', async () => {
    const steps = fc.array(
      fc.record({
        facts: anyFacts,
        stepMs,
        action: fc.constantFrom('skip', 'leave', 'register', 'stay', 'method'),
      }),
      { minLength: 3, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (visits) => {
        const server = await begin({}, [{ id: 'ada' }, { id: 'ben' }]);
        const { sandbox } = server;
        try {
          let time = startMs + 60 * dayMs;
          for (const [index, { facts, stepMs: ms, action }] of visits.entries()) {
            time += ms + 2_000 + index * 17;
            await sandbox.clock.set({ nowMs: Math.max(startMs, time) + index * 7_001 });
            await sandbox.directory.putTenant(facts.tenant, 'control-api');
            await sandbox.directory.putUser(facts.user.id, facts.user);
            await signIn(sandbox, facts.user.id, facts.attempt, action);
          }
          await sandbox.clock.set({ nowMs: startMs + 400 * dayMs });
          const expected = listVerdicts(sandbox);
          expect(Object.keys(expected)).toHaveLength(visits.length);
          expect(await listComparedVerdicts(server, true)).toEqual(expected);
        } finally {
          await server.stop();
        }
      }),
      { seed: propertySeed, numRuns: runs },
    );
  });

  test('DIR75: without annotations, the verdicts of all attempts that the log can describe are equal', async () => {
    const action = fc.constantFrom('skip', 'leave', 'stay');
    const visits = fc.array(fc.record({ facts: anyFacts, hours: fc.integer({ min: 1, max: 60 }), action }), {
      minLength: 3,
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(visits, anyFacts, anyFacts, async (list, ada, ben) => {
        const tenant = { ...ada.tenant, options: { strictDevice: false } };
        const users = [
          { ...toDescribable(ada.user), id: 'ada' },
          { ...toDescribable(ben.user), id: 'ben' },
        ];
        const server = await begin(tenant, users);
        const { sandbox } = server;
        try {
          for (const { facts, hours, action: acted } of list) {
            await sandbox.clock.advance({ ms: hours * hourMs + 7_001 });
            const { campaign, methodsPolicy } = facts.tenant;
            if (hours % 5 === 0) await sandbox.directory.patchTenant({ campaign }, 'control-api');
            if (hours % 7 === 0) await sandbox.directory.patchTenant({ methodsPolicy }, 'control-api');
            await sandbox.clock.advance({ ms: 5_000 });
            const user = users.find(({ id }) => id === facts.user.id) ?? users[0];
            if (user !== undefined) await signIn(sandbox, user.id, toDescribableAttempt(facts.attempt, user), acted);
          }
          const expected = listVerdicts(sandbox);
          expect(Object.keys(expected)).toHaveLength(list.length);
          expect(await listComparedVerdicts(server, false)).toEqual(expected);
        } finally {
          await server.stop();
        }
      }),
      { seed: propertySeed, numRuns: runs },
    );
  });
});

/** Returns a user whose facts the report contains: no snoozes, and one kind of synced passkey. */
function toDescribable(user: UserFacts): UserFacts {
  const passkeys = user.passkeys.filter(({ type }) => type !== 'keychain' && type !== 'handset-vendor');
  return { ...user, passkeys, snooze: { count: 0, snoozedAtMs: null } };
}

/** Returns an attempt whose facts the log contains. */
function toDescribableAttempt(attempt: AttemptFacts, { type }: Pick<Facts['user'], 'type'>): AttemptFacts {
  const surface =
    attempt.surface === 'embedded-os-settings' || attempt.surface === 'oobe' ? 'browser' : attempt.surface;
  const browser = surface === 'native-app' ? null : (attempt.browser ?? 'other');
  const isGuest = type === 'guest';
  const provider = attempt.mfa.provider === 'home-tenant' && !isGuest ? 'service' : attempt.mfa.provider;
  return {
    ...attempt,
    surface,
    browser,
    mfa: { ...attempt.mfa, provider },
    conditionalAccess: { registrationPageBlocked: false, registrationConditionMet: true },
  };
}
