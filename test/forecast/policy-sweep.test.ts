import { describe, expect, it } from 'vitest';
import { forecastSchema } from '../../src/contract/forecast.schema.ts';
import { markParetoOptimal, sweptDescriptions } from '../../src/forecast/policy-sweep.ts';
import { officeTenant } from './descriptions.ts';

const description = forecastSchema.parse(officeTenant);

function listPolicies(...written: readonly string[]) {
  return sweptDescriptions(description, written).map(({ policy }) => policy);
}

function getProblem(...written: readonly string[]): string {
  try {
    sweptDescriptions(description, written);
  } catch (error) {
    const { code, problems } = error as { code: string; problems: readonly { location: string }[] };
    return [code, ...problems.map(({ location }) => location)].join(' ');
  }
  return 'accepted';
}

describe('policies of a sweep', () => {
  it('R6, R8: an axis that is not named keeps the value of the description', () => {
    expect(listPolicies('snoozeDays=1')).toEqual([{ snoozeDays: 1, limited: true, method: 'vendorAuthenticator' }]);
    expect(listPolicies('limited=false')).toEqual([{ snoozeDays: 3, limited: false, method: 'vendorAuthenticator' }]);
    expect(listPolicies('method=fido2')).toEqual([{ snoozeDays: 3, limited: true, method: 'fido2' }]);
  });

  it('R6, R8: a campaign without settings has the defaults and targets all users', () => {
    const bare = forecastSchema.parse({ ...officeTenant, tenant: { campaign: { state: 'disabled' } } });
    const [swept] = sweptDescriptions(bare, []);
    expect(swept?.policy).toEqual({ snoozeDays: 1, limited: true, method: 'vendorAuthenticator' });
    expect(swept?.description.tenant.campaign).toMatchObject({
      state: 'enabled',
      snoozeDurationInDays: 1,
      enforceRegistrationAfterAllowedSnoozes: true,
      includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
    });
  });

  it('a value without a key belongs to the previous key, and a duplicate value counts once', () => {
    expect(listPolicies('snoozeDays=0', '14', '0').map(({ snoozeDays }) => snoozeDays)).toEqual([0, 14]);
    expect(listPolicies('limited=true', 'false', 'snoozeDays=2', '3')).toEqual([
      { method: 'vendorAuthenticator', limited: true, snoozeDays: 2 },
      { method: 'vendorAuthenticator', limited: true, snoozeDays: 3 },
      { method: 'vendorAuthenticator', limited: false, snoozeDays: 2 },
      { method: 'vendorAuthenticator', limited: false, snoozeDays: 3 },
    ]);
  });

  it('every target keeps its group and gets the method, and the rest of the description is unchanged', () => {
    const [swept] = sweptDescriptions(description, ['method=fido2', 'snoozeDays=7']);
    const { campaign, ...tenant } = description.tenant;
    expect(swept?.description).toEqual({
      ...description,
      tenant: {
        ...tenant,
        campaign: {
          ...campaign,
          state: 'enabled',
          snoozeDurationInDays: 7,
          enforceRegistrationAfterAllowedSnoozes: true,
          includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' }],
        },
      },
    });
  });

  it.each([
    ['days=1'],
    ['1'],
    ['snoozeDays=-1'],
    ['snoozeDays=15'],
    ['snoozeDays=1.5'],
    ['snoozeDays='],
    ['snoozeDays=1x'],
    ['limited=yes'],
    ['method=sms'],
  ])('usage-invalid: the axis %s is rejected', (written) => {
    expect(getProblem(written)).toBe('usage-invalid --sweep');
  });

  it('usage-invalid: the shortest and longest snooze durations are accepted', () => {
    expect([getProblem('snoozeDays=0'), getProblem('snoozeDays=14')]).toEqual(['accepted', 'accepted']);
  });
});

describe('Pareto-optimal policies', () => {
  const policy = { snoozeDays: 1, limited: true, method: 'fido2' } as const;

  function listParetoOptimal(...figures: readonly (readonly [registeredShare: number, promptsPerUser: number])[]) {
    const variants = figures.map(([registeredShare, promptsPerUser]) => ({
      ...policy,
      figures: { registeredShare, promptsPerUser } as Parameters<typeof markParetoOptimal>[0][number]['figures'],
    }));
    return markParetoOptimal(variants).map(({ paretoOptimal }) => paretoOptimal);
  }

  it.each<[what: string, figures: (readonly [number, number])[], paretoOptimal: boolean[]]>([
    [
      'more registered with fewer prompts beats',
      [
        [0.9, 2],
        [0.8, 3],
      ],
      [true, false],
    ],
    [
      'as many registered with fewer prompts beats',
      [
        [0.8, 2],
        [0.8, 3],
      ],
      [true, false],
    ],
    [
      'more registered with as many prompts beats',
      [
        [0.7, 2],
        [0.8, 2],
      ],
      [false, true],
    ],
    [
      'more registered with more prompts beats nothing',
      [
        [0.9, 3],
        [0.8, 2],
      ],
      [true, true],
    ],
    [
      'two alike do not beat each other',
      [
        [0.8, 2],
        [0.8, 2],
      ],
      [true, true],
    ],
    ['one alone is paretoOptimal', [[0, 9]], [true]],
  ])('%s', (_, figures, paretoOptimal) => {
    expect(listParetoOptimal(...figures)).toEqual(paretoOptimal);
  });

  it('all other properties of a policy are unchanged', () => {
    const figures = { registeredShare: 1, promptsPerUser: 1 } as Parameters<
      typeof markParetoOptimal
    >[0][number]['figures'];
    expect(markParetoOptimal([{ ...policy, figures }])).toEqual([{ ...policy, figures, paretoOptimal: true }]);
  });
});
