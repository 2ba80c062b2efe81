import { describe, expect, it } from 'vitest';
import { factsSchema } from '../../src/contract/facts.schema.ts';
import type { NudgeLabError } from '../../src/core/errors.ts';
import { deserializeState, serializeState } from '../../src/journal/snapshot.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { appCampaign, createSandbox, signIn } from '../journal/signing-in.ts';

/** Returns settings with the given sign-in context and two named locations. */
function createContext(context: object): { context: object } {
  return { context: { namedLocations: ['office', 'home'], ...context } };
}

const sales = { targetType: 'group', id: 'sales' };
const users = [
  { id: 'ada', groups: ['sales-emea'] },
  { id: 'ben' },
  { id: 'guest', type: 'guest' },
  { id: 'push', methods: ['authenticator-push'] },
];
const tenant = { ...appCampaign, groups: { 'sales-emea': ['sales'] } };

async function sandboxWith(context: object) {
  return createSandbox({ tenant, users, settings: createContext(context) });
}

/** Returns the reason that `explain` gives for an attempt. */
async function findReason(context: object, attempt: object, userId = 'ada'): Promise<string | null> {
  return (await sandboxWith(context)).explain(userId, attempt).reason;
}

const awayFromOffice = { id: 'office-only', grant: 'block', networks: { exclude: ['office'] } };

describe('conditional access for registering security information', () => {
  it.each([
    ['a block without conditions is R13.3', [{ id: 'a', grant: 'block' }], {}, 'registration-blocked'],
    [
      'a block away from the office is R4 elsewhere',
      [awayFromOffice],
      { network: 'home' },
      'registration-condition-unmet',
    ],
    ['so it is on a network without a name', [awayFromOffice], {}, 'registration-condition-unmet'],
    ['and nothing in the office', [awayFromOffice], { network: 'office' }, null],
    [
      'two blocks that leave no place are R13.3',
      [awayFromOffice, { id: 'b', grant: 'block', networks: { include: ['office'] } }],
      { network: 'home' },
      'registration-blocked',
    ],
    [
      'two blocks that leave one place are R4',
      [awayFromOffice, { id: 'b', grant: 'block', networks: { include: ['home'] } }],
      { network: 'home' },
      'registration-condition-unmet',
    ],
    [
      'a block on one system is R4 there',
      [{ id: 'a', grant: 'block', platforms: { include: ['linux'] } }],
      { os: 'linux' },
      'registration-condition-unmet',
    ],
    ['and nothing on another', [{ id: 'a', grant: 'block', platforms: { include: ['linux'] } }], { os: 'macos' }, null],
    [
      'a block on every system but one is R4 on the others',
      [{ id: 'a', grant: 'block', platforms: { exclude: ['windows'] } }],
      { os: 'android', mfa: { method: 'sms' } },
      'registration-condition-unmet',
    ],
    [
      'a device that is not compliant is R4',
      [{ id: 'a', grant: 'require-compliant-device' }],
      { deviceId: 'private' },
      'registration-condition-unmet',
    ],
    ['a compliant one is nothing', [{ id: 'a', grant: 'require-compliant-device' }], { deviceId: 'laptop' }, null],
    ['a second factor that was given is nothing', [{ id: 'a', grant: 'require-mfa' }], {}, null],
    ['a policy that is off is nothing', [{ id: 'a', grant: 'block', enabled: false }], {}, null],
    [
      'a policy for others is nothing',
      [{ id: 'a', grant: 'block', includeTargets: [{ targetType: 'user', id: 'ben' }] }],
      {},
      null,
    ],
    [
      'a policy reaches nested groups (A14)',
      [{ id: 'a', grant: 'block', includeTargets: [sales] }],
      {},
      'registration-blocked',
    ],
    ['an exclusion wins (A14)', [{ id: 'a', grant: 'block', excludeTargets: [sales] }], {}, null],
  ])('A49: %s', async (_claim, conditionalAccess, attempt, reason) => {
    expect(await findReason({ conditionalAccess, compliantDevices: ['laptop'] }, attempt)).toBe(reason);
  });

  it('A49: facts of the attempt take precedence over the policies', async () => {
    const blocked = { conditionalAccess: [{ id: 'a', grant: 'block' }] };
    const said = { conditionalAccess: { registrationPageBlocked: false } };
    expect(await findReason(blocked, said)).toBeNull();
  });

  it('R13.3, R4: a sign-in and explain agree, even after the settings change', async () => {
    const sandbox = await sandboxWith({});
    expect((await signIn(sandbox)).screen).toBe('prompt');
    await sandbox.directory.patchSettings(createContext({ conditionalAccess: [awayFromOffice] }), 'control-api');
    const { id } = await signIn(sandbox, 'ben', { network: 'office' });
    await sandbox.signIns.skip(id);
    for (const [network, reason] of [
      ['home', 'registration-condition-unmet'],
      ['office', 'snoozed'],
    ] as const) {
      const again = await signIn(sandbox, 'ben', { network });
      expect(sandbox.signIns.verdict(again.id)?.reason).toBe(reason);
      expect(sandbox.explain('ben', { network }).reason).toBe(reason);
    }
  });
});

describe('other parts of the sign-in context', () => {
  it.each([
    ['R3: external MFA for a group', { externalMfa: { includeTargets: [sales] } }, 'ada', 'external-mfa'],
    ['R3: no one else', { externalMfa: { includeTargets: [sales] } }, 'ben', null],
    ['A21: guests whose home tenant gives the second factor', { guestMfa: 'home-tenant' }, 'guest', 'external-mfa'],
    ['A21: no members', { guestMfa: 'home-tenant' }, 'ben', null],
    ['A21: guests give it here unless it is said', {}, 'guest', null],
    ['R13.5: custom controls for a group', { customControls: { includeTargets: [sales] } }, 'ada', 'custom-controls'],
    ['R13.5: no one else', { customControls: { includeTargets: [sales] } }, 'ben', null],
    ['R13.4: terms of use for everyone', { termsOfUse: [{ id: 'terms' }] }, 'ben', 'terms-of-use'],
    [
      'R13.4: but those left out',
      { termsOfUse: [{ id: 'terms', excludeTargets: [{ targetType: 'user', id: 'ben' }] }] },
      'ben',
      null,
    ],
  ])('%s', async (_claim, context, userId, reason) => {
    expect(await findReason(context, {}, userId)).toBe(reason);
  });

  it('R13.4: terms of use without `everyTime` are shown until the user has accepted them', async () => {
    const sandbox = await sandboxWith({ termsOfUse: [{ id: 'terms', everyTime: false }] });
    const first = await signIn(sandbox, 'ben');
    expect(first.screen).toBe('termsOfUse');
    expect(sandbox.explain('ben', {}).reason).toBe('terms-of-use');
    await sandbox.signIns.passInterstitial(first.id);
    expect(sandbox.explain('ben', {}).reason).toBeNull();
    expect(sandbox.explain('ada', {}).reason).toBe('terms-of-use');
    const copy = deserializeState(serializeState(sandbox.recorder.state()));
    expect([...copy.acceptedTerms]).toEqual(['ben']);
    await sandbox.directory.removeUser('ben');
    await sandbox.directory.putUser('ben', {});
    expect(sandbox.explain('ben', {}).reason).toBe('terms-of-use');
  });

  it('A22: a passkey counts as the service’s own MFA even if the provider is external', async () => {
    const sandbox = await sandboxWith({ externalMfa: {} });
    const { id } = await sandbox.signIns.start('ada');
    await sandbox.signIns.usePasskey(id, { credentialId: 'none', counter: 0 });
    expect(sandbox.signIns.verdict(id)?.rules.find(({ id: rule }) => rule === 'R3')?.outcome).toBe('met');
  });
});

describe('named location of an attempt', () => {
  it('A49: the location is not one of the facts of `explain --facts`', () => {
    const line = { user: { id: 'ada' }, attempt: { network: 'office' } };
    expect(factsSchema.safeParse(line).error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['network'] }]);
  });

  it('bad-request: rejects an unknown named location and lists the known ones', async () => {
    const sandbox = await sandboxWith({});
    const refused = { code: 'bad-request', message: expect.stringContaining('office, home') };
    await expect(sandbox.signIns.start('ada', { network: 'moon' })).rejects.toMatchObject(refused);
    await expect(sandbox.directory.setNextSignIn('ada', { network: 'moon' })).rejects.toMatchObject(refused);
    expect(() => sandbox.explain('ada', { network: 'moon' })).toThrow(expect.objectContaining(refused));
    const plain = await createSandbox({});
    await expect(plain.signIns.start('ada', { network: 'office' })).rejects.toMatchObject({ code: 'bad-request' });
  });

  it('A49: the location is not a fact but can be set for the next sign-in', async () => {
    const sandbox = await sandboxWith({ conditionalAccess: [awayFromOffice] });
    await sandbox.directory.setNextSignIn('ben', { network: 'office' });
    const { id, screen } = await signIn(sandbox, 'ben', { network: 'home' });
    expect(screen).toBe('prompt');
    const { attempt, events } = await sandbox.signIns.detail(id);
    expect(attempt).not.toHaveProperty('network');
    const attempts = events.map(({ event }) => ('attempt' in event ? event.attempt : {}));
    expect(JSON.stringify(attempts)).not.toContain('network');
  });

  it('bad-request: a policy cannot refer to an unknown named location', () => {
    const settings = { context: { conditionalAccess: [awayFromOffice] } };
    expect(() => planSandbox({ settings })).toThrow(
      expect.objectContaining<Partial<NudgeLabError>>({
        code: 'bad-request',
        problems: [
          {
            location: 'settings.context.conditionalAccess.0.networks.exclude',
            message: expect.stringContaining('office'),
          },
        ],
      }),
    );
  });
});
