import { describe, expect, it } from 'vitest';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import type { ComparedAttempt } from '../../../src/contract/compared-attempt.ts';
import { tenantFactsSchema } from '../../../src/contract/facts.schema.ts';
import { compareImport } from '../../../src/replay/compare/compare-import.ts';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import { Pseudonyms } from '../../../src/replay/import/pseudonyms.ts';
import { imported, written } from '../import/import-work.ts';

const passkeys = tenantFactsSchema.parse({
  campaign: {
    state: 'enabled',
    snoozeDurationInDays: 0,
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' }],
  },
});

/** Creates a sign-in of a user with a second factor, on an operating system and a device. */
function row(day: number, user: string, system: string, deviceId: string | undefined): string {
  return JSON.stringify({
    id: `${user}-${day}`,
    createdDateTime: `2026-01-${String(day).padStart(2, '0')}T09:00:00Z`,
    correlationId: `${user}-${day}`,
    userId: user,
    clientAppUsed: 'Browser',
    isInteractive: true,
    authenticationRequirement: 'multiFactorAuthentication',
    authenticationDetails: [
      { authenticationMethod: 'SMS', succeeded: true, authenticationStepRequirement: 'Multifactor authentication' },
    ],
    deviceDetail: { operatingSystem: system, browser: 'Chrome 140', ...(deviceId === undefined ? {} : { deviceId }) },
    status: { errorCode: 0 },
  });
}

const registrations = written(
  'registrations.json',
  JSON.stringify([
    { id: 'ada', methodsRegistered: ['mobilePhone', 'windowsHelloForBusiness'], isMfaCapable: true },
    { id: 'eve', methodsRegistered: ['mobilePhone'], isMfaCapable: true },
  ]),
);

const [laptop, desktop, tablet] = ['0A0A', '0b0b', '0c0c'];

const signIns = written(
  'log.ndjson',
  [
    row(5, 'ada', 'Windows 10', laptop),
    row(6, 'ada', 'Windows 10', desktop),
    row(7, 'ada', 'Windows 10', '0a0a'),
    row(8, 'ada', 'Windows 10', ''),
    row(9, 'ada', 'MacOs', tablet),
    row(5, 'eve', 'Windows 10', laptop),
    row(6, 'eve', 'Windows 10', laptop),
    row(7, 'eve', 'Windows 10', desktop),
    row(8, 'eve', 'Windows 10', desktop),
    row(9, 'eve', 'Windows 10', undefined),
  ].join('\n'),
);

/** Policy of the tenant, which prompts no users, so all prompts come from the variant. */
const policy = { registrationEnforcement: { authenticationMethodsRegistrationCampaign: { state: 'disabled' } } };

/** Lists the prompted users and days under a passkey campaign in which all users register immediately. */
async function listPrompted(strictDevice: boolean, pseudonyms: Pseudonyms | null = null): Promise<readonly string[]> {
  const { folder } = await imported({ signIns: [signIns], registrations, policy }, pseudonyms);
  const seen: ComparedAttempt[] = [];
  const apply = (before: TenantFacts): TenantFacts => ({
    ...before,
    campaign: passkeys.campaign,
    options: { strictDevice },
  });
  const session = await DuckDbSession.open(folder, undefined, true);
  try {
    const variants = [{ name: 'passkeys', apply, ruleset: null }];
    const see = (attempt: ComparedAttempt): number => seen.push(attempt);
    await compareImport(session, folder, { variants, assumedAction: 'register', ruleset: seedRuleset, see });
  } finally {
    session.close();
  }
  return seen.filter(({ after }) => after.outcome !== 'none').map(({ user, at }) => `${user} ${at.slice(8, 10)}`);
}

describe('several devices of one user', () => {
  it('A9, A32: a passkey of the report belongs to the first Windows device, and a new one to the device of its prompt', async () => {
    // Ada is prompted on her second Windows device, on the one without an id, and on the Mac. Eve is prompted once each
    // on her laptop, her desktop and the device without an id.
    expect(await listPrompted(true)).toEqual(['ada 06', 'ada 08', 'ada 09', 'eve 05', 'eve 07', 'eve 09']);
  });

  it('A9: without strictDevice only platforms count, as for imports without devices', async () => {
    expect(await listPrompted(false)).toEqual(['ada 09', 'eve 05']);
  });

  it('pseudonyms do not change the result, and devices are reported as inferred only if the export has none', async () => {
    const named = await listPrompted(true, new Pseudonyms(Buffer.from('a key of sixteen')));
    expect(named.map((one) => one.slice(-2))).toHaveLength(6);
    const { manifest } = await imported({ signIns: [signIns], registrations });
    const inferred = manifest.report.inferred.filter(({ fact }) => fact.endsWith('deviceId'));
    expect(inferred).toEqual([
      { fact: 'deviceId', confidence: 'low', of: 'attempts', count: 2 },
      { fact: 'passkey.deviceId', confidence: 'low', of: 'users', count: 1 },
    ]);
  });
});
