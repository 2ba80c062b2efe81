import { describe, expect, it } from 'vitest';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import type { ComparedAttempt } from '../../../src/contract/compared-attempt.ts';
import type { Assumption, Comparison } from '../../../src/contract/comparison.schema.ts';
import { compareJourney } from '../../../src/replay/compare/compare-journey.ts';
import { inMemory, planSandbox, Sandbox } from '../../../src/sandbox/sandbox.ts';
import { journeyText, openText } from '../journey-text.ts';

const everybody = (method: string) => [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method }];
const app = { state: 'enabled', includeTargets: everybody('vendorAuthenticator') };

/** Performs actions in a sandbox with an app campaign, and returns the journey as text. */
async function recordJourney(
  work: (sandbox: Sandbox, ask: (user: string, attempt?: object) => Promise<string>) => Promise<void>,
  tenant: object = { campaign: app },
): Promise<string> {
  const users = [{ id: 'ada', groups: ['sales'] }, { id: 'ben' }];
  const sandbox = await Sandbox.create('default', planSandbox({ tenant, users }), inMemory());
  await work(sandbox, async (user, attempt = {}) => {
    const { id } = await sandbox.signIns.start(user, attempt);
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
    return id;
  });
  return journeyText(await sandbox.journal({ after: 0, limit: 10_000 }));
}

interface Compared {
  readonly comparison: Comparison;
  /** Rows by attempt: user, verdict of baseline and variant, whether it is certain, and the status of the action. */
  readonly rows: readonly (readonly unknown[])[];
}

async function compared(
  text: string,
  patch: (tenant: TenantFacts) => unknown,
  assume: Assumption = 'skip',
): Promise<Compared> {
  const rows: (readonly unknown[])[] = [];
  const say = (side: ComparedAttempt['before']): string =>
    side.reason === null ? side.outcome : `${side.rule} ${side.reason}`;
  const apply = (tenant: TenantFacts): TenantFacts => patch(tenant) as TenantFacts;
  const variants = [{ name: 'variant', apply, ruleset: null }];
  const all: ComparedAttempt[] = [];
  let comparison: Comparison | undefined;
  for (const user of ['ada', 'ben']) {
    comparison = await compareJourney(await openText(text), 'journey', {
      variants,
      assumedAction: assume,
      ruleset: seedRuleset,
      user,
      see: (attempt) => all.push(attempt),
    });
  }
  if (comparison === undefined) throw new Error('nothing was compared');
  for (const { user, before, after, certain, answer } of all)
    rows.push([user, say(before), say(after), certain, answer]);
  return { comparison, rows };
}

const campaignWith = (change: object) => (tenant: TenantFacts) => ({
  ...tenant,
  campaign: { ...tenant.campaign, ...change },
});

describe('comparison with a journey', () => {
  it('a recorded action applies if the same prompt appears, regardless of the policy at that time', async () => {
    const text = await recordJourney(async ({ signIns, clock }, ask) => {
      await signIns.skip(await ask('ada'));
      await clock.advance({ days: 1 });
      await signIns.skip(await ask('ada'));
      await clock.advance({ days: 1 });
      await ask('ada');
    });
    const { rows, comparison } = await compared(text, campaignWith({ snoozeDurationInDays: 2 }));
    expect(rows).toEqual([
      ['ada', 'skippable', 'skippable', true, 'recorded'],
      ['ada', 'skippable', 'R5 snoozed', true, 'inapplicable'],
      ['ada', 'skippable', 'skippable', true, 'recorded'],
    ]);
    const [variant] = comparison.variants;
    expect(variant?.actions).toEqual({ applied: 1, inapplicable: 1, assumed: 0 });
    expect(variant?.totals.certain).toMatchObject({
      attempts: 3,
      promptedInBaseline: 3,
      promptedInVariant: 2,
      noLongerPrompted: 1,
    });
    expect(variant?.totals.assumed.attempts).toBe(0);
    expect(variant?.byGroup).toMatchObject({ sales: { certain: { attempts: 3, noLongerPrompted: 1 } } });
    expect(Object.keys(variant?.byDay ?? {})).toEqual(['2026-01-05', '2026-01-06', '2026-01-07']);
    expect(comparison).toMatchObject({ attempts: 3, users: 2, kind: 'journey', from: '2026-01-05T09:00:00.000Z' });
  });

  it('R6: a prompt with another method or without a skip button is a different prompt, so its action is assumed', async () => {
    const text = await recordJourney(async ({ signIns, clock, directory }, ask) => {
      await directory.patchUser('ada', { snooze: { count: 3 } });
      await ask('ada');
      await signIns.skip(await ask('ben'));
      await clock.advance({ days: 1 });
      await ask('ben');
      await ask('ada');
    });
    const unlimited = await compared(text, campaignWith({ enforceRegistrationAfterAllowedSnoozes: false }));
    expect(unlimited.rows).toEqual([
      ['ada', 'required', 'skippable', true, 'assumed'],
      ['ada', 'required', 'skippable', false, 'assumed'],
      ['ben', 'skippable', 'skippable', true, 'recorded'],
      ['ben', 'skippable', 'skippable', true, 'recorded'],
    ]);
    expect(unlimited.comparison.variants[0]?.totals).toMatchObject({
      certain: { attempts: 3, noLongerRequired: 1 },
      assumed: { attempts: 1, noLongerRequired: 1 },
    });
    const passkeys = await compared(text, campaignWith({ includeTargets: everybody('fido2') }), 'register');
    expect(passkeys.rows).toEqual([
      ['ada', 'required', 'required', true, 'assumed'],
      ['ada', 'required', 'R11.3 local-passkey', false, 'inapplicable'],
      ['ben', 'skippable', 'skippable', true, 'assumed'],
      ['ben', 'skippable', 'R11.3 local-passkey', false, 'inapplicable'],
    ]);
    expect(passkeys.comparison.variants[0]?.actions).toEqual({ applied: 0, inapplicable: 1, assumed: 2 });
  });

  it.each([
    ['skip', ['ben', 'C1 campaign-disabled', 'R5 snoozed', false, 'none'], 1],
    ['close', ['ben', 'C1 campaign-disabled', 'R5 snoozed', false, 'none'], 1],
    ['register', ['ben', 'C1 campaign-disabled', 'R10.1 already-registered', false, 'none'], 0],
  ] as const)('R9, A41: with %s a new prompt is completed immediately', async (assume, second, count) => {
    const text = await recordJourney(
      async ({ clock }, ask) => {
        await ask('ben');
        await clock.advance({ hours: 1 });
        await ask('ben');
        await clock.advance({ days: 1 });
        await ask('ben', { os: 'linux' });
      },
      { campaign: { ...app, state: 'disabled' } },
    );
    const { rows } = await compared(text, campaignWith({ state: 'enabled' }), assume);
    expect(rows[0]).toEqual(['ben', 'C1 campaign-disabled', 'skippable', true, 'assumed']);
    expect(rows[1]).toEqual(second);
    expect(rows[2]?.[2]).toBe(count === 1 ? 'skippable' : 'R10.1 already-registered');
  });

  it('A4, A46: users who would be required at their next sign-in are counted, separately from those still snoozing', async () => {
    const text = await recordJourney(
      async ({ signIns, clock }, ask) => {
        for (let day = 0; day < 3; day += 1) {
          await signIns.skip(await ask('ada'));
          await signIns.skip(await ask('ben'));
          await clock.advance({ days: 1 });
        }
        await signIns.skip(await ask('ben'));
        await ask('ben');
      },
      { campaign: { ...app, enforceRegistrationAfterAllowedSnoozes: false } },
    );
    const { comparison } = await compared(text, campaignWith({ enforceRegistrationAfterAllowedSnoozes: true }));
    expect(comparison.variants[0]?.requiredAtNextSignIn).toEqual({
      ifAppliedNow: { users: 1, stillSnoozing: 1 },
      ifAppliedThroughout: { users: 2, stillSnoozing: 0 },
    });
    expect(comparison.variants[0]?.warnings).toContainEqual(
      expect.objectContaining({ code: 'users-required-at-once', rule: 'A4' }),
    );
  });

  it('A15, S1: a campaign that prompts no users is reported with its rule', async () => {
    const text = await recordJourney(async ({ signIns }, ask) => {
      await signIns.skip(await ask('ada'));
    });
    const { comparison } = await compared(text, campaignWith({ includeTargets: [] }));
    expect(comparison.variants[0]?.warnings.map(({ code, rule }) => [code, rule])).toEqual([
      ['include-targets-empty', 'A15'],
      ['campaign-reaches-nobody', 'S1'],
    ]);
  });

  it('a policy change in the journal also changes the variant, which keeps its own settings', async () => {
    const text = await recordJourney(
      async ({ directory }, ask) => {
        await ask('ada');
        await directory.patchTenant({ campaign: { state: 'enabled' } }, 'control-api');
        await ask('ben');
      },
      { campaign: { ...app, state: 'disabled' } },
    );
    const { rows } = await compared(text, campaignWith({ excludeTargets: [{ targetType: 'user', id: 'ben' }] }));
    expect(rows).toEqual([
      ['ada', 'C1 campaign-disabled', 'C1 campaign-disabled', true, 'none'],
      ['ben', 'skippable', 'S2 excluded', true, 'inapplicable'],
    ]);
  });

  it('the same policy changes nothing under any assumption', async () => {
    const text = await recordJourney(async ({ signIns, clock }, ask) => {
      await signIns.skip(await ask('ada'));
      await clock.advance({ days: 1 });
      const id = await ask('ada');
      await signIns.selectNext(id);
      await signIns.completeSetup(id, null);
      await signIns.leave(await ask('ben'));
      await clock.advance({ days: 2 });
      await ask('ben');
    });
    for (const assume of ['skip', 'register', 'close'] as const) {
      const { comparison } = await compared(text, (tenant) => tenant, assume);
      expect(comparison.variants[0]).toMatchObject({ users: { changed: 0 }, actions: { inapplicable: 0, assumed: 0 } });
      expect(comparison.variants[0]?.totals.assumed.attempts).toBe(0);
    }
  });
});
