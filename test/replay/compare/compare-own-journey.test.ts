import { describe, expect, it } from 'vitest';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { ComparedAttempt } from '../../../src/contract/compared-attempt.ts';
import { type Assumption, type Comparison, comparisonSchema } from '../../../src/contract/comparison.schema.ts';
import { compareOwnJourney } from '../../../src/replay/compare/compare-own-journey.ts';
import { openText } from '../journey-text.ts';
import { type RecordedSandbox, readOwn, recordOwn } from './own-history.ts';

const weekly = { cadence: 'cadence: { kind: fixed, every: 7d }' };
const daily = { cadence: 'cadence: { kind: fixed, every: 1d }' };

interface Compared {
  readonly comparison: Comparison;
  readonly variant: NonNullable<Comparison['variants'][number]>;
  /** Rows by attempt: user, verdict of baseline and variant, whether it is certain, and the status of the action. */
  readonly rows: readonly (readonly unknown[])[];
}

async function compared(
  text: string,
  baseline: OwnRuleset,
  ruleset: OwnRuleset,
  assumedAction: Assumption = 'skip',
): Promise<Compared> {
  const rows: (readonly unknown[])[] = [];
  const say = ({ outcome, rule, reason }: ComparedAttempt['before']): string =>
    reason === null ? outcome : `${rule} ${reason}`;
  let comparison: Comparison | undefined;
  for (const user of ['ada', 'ben']) {
    comparison = await compareOwnJourney(await openText(text), 'journey', {
      baseline,
      variants: [{ name: 'variant', ruleset }],
      assumedAction,
      user,
      see: ({ user: id, before, after, certain, answer }) => rows.push([id, say(before), say(after), certain, answer]),
    });
  }
  const [variant] = comparison?.variants ?? [];
  if (comparison === undefined || variant === undefined) throw new Error('nothing was compared');
  return { comparison: comparisonSchema.parse(comparison), variant, rows };
}

/** Records three sign-ins of ada, a day apart, each with a skip at its prompt. */
function recordDays(ruleset: OwnRuleset, input: object = {}): Promise<string> {
  return recordOwn(
    ruleset,
    async ({ sandbox, signInAndSkip }) => {
      for (let day = 0; day < 3; day += 1) {
        await signInAndSkip('ada');
        await sandbox.clock.advance({ days: 1 });
      }
    },
    input,
  );
}

describe('comparison of own rulesets with a journey', () => {
  it('OC50 ledgers are rebuilt under each variant, and actions at prompts that no longer appear are orphaned', async () => {
    const base = readOwn('oc50-daily', daily);
    const { rows, variant, comparison } = await compared(await recordDays(base), base, readOwn('oc50-weekly', weekly));
    expect(rows).toEqual([
      ['ada', 'skippable', 'skippable', true, 'recorded'],
      ['ada', 'skippable', 'X.cadence snoozed', true, 'inapplicable'],
      ['ada', 'skippable', 'X.cadence snoozed', true, 'inapplicable'],
    ]);
    expect(variant.actions).toEqual({ applied: 1, inapplicable: 2, assumed: 0 });
    expect(variant.totals.certain).toMatchObject({ attempts: 3, noLongerPrompted: 2, newlyPrompted: 0 });
    expect(variant.byRule.map(({ after, certain }) => [after.rule, after.reason, certain])).toEqual([
      ['X.cadence', 'snoozed', 2],
      [null, null, 1],
    ]);
    expect(variant.own?.changedUsers).toEqual([
      {
        user: 'ada',
        changed: 2,
        newlyPrompted: 0,
        noLongerPrompted: 2,
        newlyRequired: 0,
        newlyBlocked: 0,
        certain: true,
      },
    ]);
    expect(comparison).toMatchObject({ attempts: 3, baseRuleset: 'oc50-daily 1.0.0', baseWarnings: [] });
  });

  it.each([
    ['skip', ['X.cadence snoozed', 'skippable'], 2],
    ['register', ['X.done already-done', 'X.done already-done'], 1],
  ] as const)(
    'OC50 a new prompt takes the assumed action %s, and what follows is assumed',
    async (action, rest, count) => {
      const done = { done: 'done: { fact: user.passkeys, size: { atLeast: 1 } }' };
      const base = readOwn('oc50-nobody', {
        gates: 'gates: [{ id: G1, summary: A guest., when: { fact: user.type, is: guest }, stop: not-a-member }]',
      });
      const twoDays = { ...done, cadence: 'cadence: { kind: fixed, every: 2d }' };
      const { rows, variant } = await compared(await recordDays(base), base, readOwn('oc50-all', twoDays), action);
      expect(rows).toEqual([
        ['ada', 'G1 not-a-member', 'skippable', true, 'assumed'],
        ['ada', 'G1 not-a-member', rest[0], false, 'none'],
        ['ada', 'G1 not-a-member', rest[1], false, rest[1] === 'skippable' ? 'assumed' : 'none'],
      ]);
      expect(variant.actions).toEqual({ applied: 0, inapplicable: 0, assumed: count });
      expect(variant.users).toMatchObject({ all: 2, changed: 1, newlyPrompted: 1 });
      expect(variant.own?.changedUsers[0]).toMatchObject({ user: 'ada', certain: false });
    },
  );

  it('OC50 an answer that the variant does not have is orphaned, and the assumed action takes its place', async () => {
    const answers = (ids: string): Readonly<Record<string, string>> => ({ ...weekly, answers: `answers: { ${ids} }` });
    const base = readOwn('oc50-two', answers('later: { effect: snooze }, never: { effect: never }'));
    const text = await recordOwn(base, async ({ sandbox, signIn }) => {
      await sandbox.signIns.skip(await signIn('ada'), 'never');
      await sandbox.signIns.skip(await signIn('ben'), 'later');
      await sandbox.clock.advance({ days: 7 });
      await signIn('ada');
      await signIn('ben');
    });
    const { rows, variant } = await compared(text, base, readOwn('oc50-one', answers('later: { effect: snooze }')));
    expect(rows).toEqual([
      ['ada', 'skippable', 'skippable', true, 'recorded'],
      ['ada', 'X.never answered-never', 'skippable', false, 'assumed'],
      ['ben', 'skippable', 'skippable', true, 'recorded'],
      ['ben', 'skippable', 'skippable', true, 'recorded'],
    ]);
    expect(variant.actions).toEqual({ applied: 1, inapplicable: 1, assumed: 2 });
  });

  it('OC50 newly required and newly blocked sign-ins are counted with their users', async () => {
    const base = readOwn('oc50-free', daily);
    const level =
      'requirement: { required: { fact: user.facts.level, atLeast: 5 }, blocked: { fact: user.id, is: ben } }';
    const text = await recordOwn(
      base,
      async ({ signInAndSkip }) => {
        await signInAndSkip('ada');
        await signInAndSkip('ben');
      },
      { users: [{ id: 'ada', facts: { level: 5 } }, { id: 'ben' }] },
    );
    const { rows, variant } = await compared(text, base, readOwn('oc50-duty', { ...daily, requirement: level }));
    expect(rows).toEqual([
      ['ada', 'skippable', 'required', true, 'assumed'],
      ['ben', 'skippable', 'blocked', true, 'inapplicable'],
    ]);
    expect(variant.totals.certain).toMatchObject({ newlyRequired: 1, noLongerPrompted: 1 });
    expect(variant.own).toMatchObject({
      newlyBlocked: { certain: 1, assumed: 0 },
      usersNewlyBlocked: 1,
      blockedAtNextSignIn: { ifAppliedNow: 1, ifAppliedThroughout: 1 },
    });
    expect(variant.requiredAtNextSignIn.ifAppliedNow).toEqual({ users: 1, stillSnoozing: 0 });
  });

  it('OC50 verdicts that depend on the default of a fact that the history lacks are counted', async () => {
    const base = readOwn('oc50-few', daily);
    const facts =
      'facts: { user: { level: { type: integer, min: 0, max: 9, default: 0 } }, attempt: { managed: { type: boolean, default: true } } }';
    const gates =
      'gates: [{ id: G1, summary: A guest., when: { fact: user.type, is: member }, stop: not-a-member }, { id: G2, summary: Managed., when: { fact: attempt.facts.managed, is: true }, stop: not-managed }]';
    const reasons = 'reasons: { not-a-member: Only members., not-managed: Only managed devices. }';
    const text = await recordOwn(
      base,
      async ({ signIn, signInAndSkip }) => {
        await signInAndSkip('ada');
        await signIn('ben');
      },
      { users: [{ id: 'ada' }, { id: 'ben', type: 'guest' }] },
    );
    const { variant } = await compared(text, base, readOwn('oc50-more', { ...daily, facts, gates, reasons }));
    expect(variant.own?.defaults).toEqual({
      verdicts: 1,
      facts: [{ fact: 'attempt.facts.managed', verdicts: 1 }],
    });
    expect(variant.users.changed).toBe(0);
  });

  it('OC50 a recorded value that a variant does not allow is an error that names it', async () => {
    const base = readOwn('oc50-wide', daily);
    const text = await recordDays(base, { users: [{ id: 'ada', facts: { level: 8 } }, { id: 'ben' }] });
    const narrow = readOwn('oc50-narrow', {
      facts: 'facts: { user: { level: { type: integer, min: 0, max: 5, default: 0 } } }',
    });
    await expect(compared(text, base, narrow)).rejects.toMatchObject({
      code: 'usage-invalid',
      problems: [{ location: 'user.facts of ada: level' }],
    });
  });

  it('OC50 the ruleset of the history changes nothing', async () => {
    const base = readOwn('oc50-same', weekly);
    const { variant } = await compared(await recordDays(base), base, base);
    expect(variant.users.changed).toBe(0);
    expect(variant.actions).toEqual({ applied: 1, inapplicable: 0, assumed: 0 });
    expect(variant.own?.defaults).toEqual({ verdicts: 0, facts: [] });
  });

  it('OC50 a part of a journal has a warning, because it does not contain the ledgers before it', async () => {
    const base = readOwn('oc50-part', weekly);
    const work = async ({ sandbox, signInAndSkip }: RecordedSandbox): Promise<void> => {
      await signInAndSkip('ada');
      await sandbox.clock.advance({ days: 7 });
      await signInAndSkip('ada');
    };
    const { comparison } = await compared(await recordOwn(base, work, {}, { from: 6 }), base, base);
    expect(comparison.baseWarnings.map(({ code, rule }) => [code, rule])).toEqual([['ledgers-unknown', 'OC50']]);
    expect(comparison.attempts).toBe(1);
  });
});
